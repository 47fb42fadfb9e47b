//! Functions of floating-point numbers that give the same result on every machine: they use nothing but additions,
//! multiplications, divisions and bits. Systems differ in their own.

/// The exponential function, to about 15 digits. Beyond ±700, the result is that of the limit.
pub fn exp(x: f64) -> f64 {
    const LOG2_E: f64 = std::f64::consts::LOG2_E;
    // ln 2 in two parts, so that multiples of the first are exact (Cody and Waite 1980).
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    if x.is_nan() {
        return x;
    }
    let x = x.clamp(-700.0, 700.0);
    let half = if x < 0.0 { -0.5 } else { 0.5 };
    // Within ±1011 after the clamp.
    let power = (x * LOG2_E + half) as i64;
    let rest = (x - power as f64 * LN2_HIGH) - power as f64 * LN2_LOW;
    // The series to the 13th term is exact to the last bits for |rest| < 0.35.
    let mut sum = 1.0;
    for term in (1..=13).rev() {
        sum = 1.0 + sum * rest / f64::from(term);
    }
    sum * f64::from_bits(((power + 1023) as u64) << 52)
}

/// The chance that belongs to a logit: 0.5 for 0.
pub fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_function_is_close_to_that_of_the_system() {
        for step in -7000..=7000 {
            let x = f64::from(step) / 10.0;
            let (ours, theirs) = (exp(x), x.exp());
            assert!((ours - theirs).abs() <= theirs * 1e-14, "exp({x}) is {ours}, expected {theirs}");
        }
        assert_eq!((exp(0.0), exp(-1e9) > 0.0, exp(1e9).is_finite()), (1.0, true, true));
        assert_eq!(chance(0.0), 0.5);
    }
}
