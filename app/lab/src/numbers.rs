//! Quantiles and intervals. IEEE 754 defines additions, multiplications, divisions and square roots bit for bit, and `libm`
//! makes its logarithm of them, so every machine prints the same numbers. The standard library's logarithm differs in its
//! last digit from system to system.

/// A polynomial, highest power first.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// The quantile of the standard normal distribution: algorithm AS 241 (PPND16), accurate to about 16 digits. Source:
/// M. J. Wichura, "The Percentage Points of the Normal Distribution", Applied Statistics 37 (1988), 477–484.
pub fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 8] = [
        2_509.080_928_730_122_6,
        33_430.575_583_588_13,
        67_265.770_927_008_7,
        45_921.953_931_549_87,
        13_731.693_765_509_46,
        1_971.590_950_306_551_3,
        133.141_667_891_784_38,
        3.387_132_872_796_366_5,
    ];
    const B: [f64; 8] = [
        5_226.495_278_852_854,
        28_729.085_735_721_943,
        39_307.895_800_092_71,
        21_213.794_301_586_597,
        5_394.196_021_424_751,
        687.187_007_492_057_9,
        42.313_330_701_600_91,
        1.0,
    ];
    const C: [f64; 8] = [
        7.745_450_142_783_414e-4,
        0.022_723_844_989_269_184,
        0.241_780_725_177_450_6,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ];
    const D: [f64; 8] = [
        1.050_750_071_644_416_9e-9,
        5.475_938_084_995_345e-4,
        0.015_198_666_563_616_457,
        0.148_103_976_427_480_08,
        0.689_767_334_985_1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ];
    const E: [f64; 8] = [
        2.010_334_399_292_288_1e-7,
        2.711_555_568_743_487_6e-5,
        0.001_242_660_947_388_078_4,
        0.026_532_189_526_576_124,
        0.296_560_571_828_504_87,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ];
    const F: [f64; 8] = [
        2.044_263_103_389_939_8e-15,
        1.421_511_758_316_446e-7,
        1.846_318_317_510_054_8e-5,
        7.868_691_311_456_133e-4,
        0.014_875_361_290_850_615,
        0.136_929_880_922_735_8,
        0.599_832_206_555_888,
        1.0,
    ];
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * polynomial(&A, r) / polynomial(&B, r);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = (-libm::log(tail)).sqrt();
    let z = if r <= 5.0 {
        polynomial(&C, r - 1.6) / polynomial(&D, r - 1.6)
    } else {
        polynomial(&E, r - 5.0) / polynomial(&F, r - 5.0)
    };
    if q < 0.0 { -z } else { z }
}

/// The factor for two-sided intervals that are all right together with a probability of at least `confidence`, if there
/// are `many` of them: Bonferroni's correction, after O. J. Dunn, "Multiple Comparisons Among Means", Journal of the
/// American Statistical Association 56 (1961), 52–64. It holds however the figures depend on each other.
pub fn factor(confidence: f64, many: usize) -> f64 {
    let miss = (1.0 - confidence) / (2.0 * many.max(1) as f64);
    -normal_quantile(miss)
}

/// Wilson's interval of a share: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
/// Journal of the American Statistical Association 22 (1927), 209–212. With `p = hits / of`, its ends are
/// `(p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)`.
pub fn wilson(hits: u64, of: u64, z: f64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let p = hits as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (p, z) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.999, 3.090_232_306_167_813),
            (0.025, -1.959_963_984_540_054),
            (1e-10, -6.361_340_902_404_056),
            (1e-20, -9.262_340_089_798_408),
        ] {
            assert!((normal_quantile(p) - z).abs() < 1e-12, "{p}: {}", normal_quantile(p));
        }
    }

    #[test]
    fn wilson_agrees_with_a_published_example() {
        // R. G. Newcombe, Statistics in Medicine 17 (1998), 857–872, table I, method 3.
        for (hits, of, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let found = wilson(hits, of, factor(0.95, 1));
            assert!((found.0 - low).abs() < 5e-5 && (found.1 - high).abs() < 5e-5, "{hits}/{of}: {found:?}");
        }
    }

    #[test]
    fn many_intervals_are_wider_than_one() {
        assert!((factor(0.95, 1) - 1.96).abs() < 0.001);
        assert!((factor(0.95, 100) - 3.4808).abs() < 0.001);
    }
}
