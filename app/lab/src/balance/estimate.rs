//! An estimate with what each game contributes to it. Games are independent of each other; what happens within a game
//! is not. All errors are therefore computed from games: a game contributes one number to each estimate, however many
//! draws it had.

use crate::numbers::wilson;

/// A number estimated from many games, and what each game says about its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated number.
    pub value: f64,
    /// How far each game moves the estimate away from the truth, to first order. Their sum is 0; the variance of the
    /// estimate is about the sum of their squares.
    influence: Vec<f64>,
    /// The counts, if the estimate is the share of games that have something.
    share: Option<(u64, u64)>,
}

impl Estimate {
    /// The mean of one number for each game.
    pub fn mean(numbers: &[f64]) -> Estimate {
        let n = numbers.len().max(1) as f64;
        let value = numbers.iter().sum::<f64>() / n;
        let influence = numbers.iter().map(|x| (x - value) / n).collect();
        Estimate { value, influence, share: None }
    }

    /// The share of games that have something, among those that could have it. `None` is a game that could not.
    pub fn share(games: &[Option<bool>]) -> Estimate {
        let of = games.iter().flatten().count();
        let hits = games.iter().flatten().filter(|has| **has).count();
        let n = of.max(1) as f64;
        let value = hits as f64 / n;
        let influence = games.iter().map(|has| has.map_or(0.0, |has| (f64::from(u8::from(has)) - value) / n)).collect();
        Estimate { value, influence, share: Some((hits as u64, of as u64)) }
    }

    /// The ratio of two sums, of which each game contributes a part `(a, b)`: `R = Σa / Σb`. A game moves it by
    /// `(a − R b) / Σb`; see W. G. Cochran, Sampling Techniques (3rd edition 1977), section 2.11 (linearization).
    pub fn ratio(parts: &[(f64, f64)]) -> Option<Estimate> {
        let below: f64 = parts.iter().map(|(_, b)| b).sum();
        if below <= 0.0 {
            return None;
        }
        let value = parts.iter().map(|(a, _)| a).sum::<f64>() / below;
        let influence = parts.iter().map(|(a, b)| (a - value * b) / below).collect();
        Some(Estimate { value, influence, share: None })
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.influence.len()
    }

    /// Hits and games, if it is a share.
    pub fn counts(&self) -> Option<(u64, u64)> {
        self.share
    }

    /// The standard error: `√(n/(n−1) Σ influence²)`.
    pub fn error(&self) -> f64 {
        error(self.influence.iter().copied(), self.influence.len())
    }

    /// The interval that reaches `z` standard errors to either side; for shares, Wilson's.
    pub fn interval(&self, z: f64) -> (f64, f64) {
        match self.share {
            Some((hits, of)) => wilson(hits, of, z),
            None => (self.value - z * self.error(), self.value + z * self.error()),
        }
    }
}

/// By how much two estimates of the same figure differ, with the interval that reaches `z` standard errors to either
/// side. `paired` says that games with the same index have the same seed, so that what they have in common cancels out.
///
/// For shares, the interval is made of Wilson's intervals of both, so that it is right near 0 and 1 too: R. G. Newcombe,
/// "Improved Confidence Intervals for the Difference Between Binomial Proportions Based on Paired Data", Statistics in
/// Medicine 17 (1998), 2635–2650, method 8. With shares `p`, their intervals `[l, u]` and the correlation `r` of the
/// games, its ends are `d − √(a² − 2rab + b²)` with `a = p₁ − l₁, b = u₂ − p₂`, and `d + √(…)` with `a = u₁ − p₁,
/// b = p₂ − l₂`. Without pairs, `r` is 0.
pub fn difference(old: &Estimate, new: &Estimate, paired: bool, z: f64) -> (f64, (f64, f64)) {
    let value = new.value - old.value;
    let paired = paired && old.games() == new.games();
    if old.share.is_none() || new.share.is_none() {
        let error = if paired {
            let both = new.influence.iter().zip(&old.influence);
            error(both.map(|(new, old)| new - old), new.games())
        } else {
            (old.error() * old.error() + new.error() * new.error()).sqrt()
        };
        return (value, (value - z * error, value + z * error));
    }
    let r = if paired { correlation(old, new) } else { 0.0 };
    let side = |a: f64, b: f64| (a * a - 2.0 * r * a * b + b * b).max(0.0).sqrt();
    let ((l1, u1), (l2, u2)) = (new.interval(z), old.interval(z));
    let low = value - side(new.value - l1, u2 - old.value);
    let high = value + side(u1 - new.value, old.value - l2);
    (value, (low, high))
}

/// The correlation of what games with the same index contribute.
fn correlation(old: &Estimate, new: &Estimate) -> f64 {
    let both: f64 = old.influence.iter().zip(&new.influence).map(|(old, new)| old * new).sum();
    let squares = |estimate: &Estimate| estimate.influence.iter().map(|u| u * u).sum::<f64>();
    let alone = (squares(old) * squares(new)).sqrt();
    if alone > 0.0 { (both / alone).clamp(-1.0, 1.0) } else { 0.0 }
}

fn error(influence: impl Iterator<Item = f64>, games: usize) -> f64 {
    let n = games.max(2) as f64;
    (n / (n - 1.0) * influence.map(|u| u * u).sum::<f64>()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_is_the_usual_one() {
        let mean = Estimate::mean(&[1.0, 2.0, 3.0, 4.0]);
        // The sample variance is 5/3, that of the mean a quarter of it.
        assert!((mean.value - 2.5).abs() < 1e-12 && (mean.error() - (5.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn games_that_could_not_do_not_count() {
        let share = Estimate::share(&[Some(true), None, Some(false), Some(true)]);
        assert_eq!(share.counts(), Some((2, 3)));
    }

    #[test]
    fn unpaired_differences_agree_with_a_published_example() {
        // R. G. Newcombe, "Interval Estimation for the Difference Between Independent Proportions", Statistics in
        // Medicine 17 (1998), 873–890, table II, method 10: 56/70 − 48/80 and 9/10 − 3/10.
        let share = |hits: usize, of: usize| Estimate::share(&(0..of).map(|at| Some(at < hits)).collect::<Vec<_>>());
        for (a, b, low, high) in [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090)] {
            let (_, found) = difference(&share(b.0, b.1), &share(a.0, a.1), false, 1.959_964);
            assert!((found.0 - low).abs() < 5e-5 && (found.1 - high).abs() < 5e-5, "{found:?}");
        }
    }

    #[test]
    fn games_that_are_the_same_do_not_differ() {
        let share = Estimate::share(&[Some(true), Some(false), Some(false), Some(true), Some(false)]);
        let (value, (low, high)) = difference(&share, &share, true, 3.0);
        assert!(value == 0.0 && low <= 0.0 && high >= 0.0);
        let mean = Estimate::mean(&[1.0, 5.0, 2.0]);
        assert_eq!(difference(&mean, &mean, true, 3.0), (0.0, (0.0, 0.0)));
    }

    #[test]
    fn a_ratio_needs_something_below() {
        assert_eq!(Estimate::ratio(&[(1.0, 0.0), (2.0, 0.0)]), None);
        let ratio = Estimate::ratio(&[(1.0, 2.0), (1.0, 2.0)]).unwrap();
        assert_eq!((ratio.value, ratio.error()), (0.5, 0.0));
    }
}
