//! The results of searches for the options of a decision, and the best option.

use crate::state::DecisionOption;

/// The result of a search for one option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchResult {
    /// The answer that was searched.
    pub option: DecisionOption,
    /// The prediction of looking one step ahead: 0 is lost, 1 is won.
    pub promise: f64,
    /// The number of playouts that took it.
    pub visits: u32,
    /// The sum of their payoffs, from 0 to 1 each, corrected for how favorable their world was to all options tried
    /// there.
    pub paid: f64,
    /// The sum of the squared differences between payoffs and the promise.
    pub scatter: f64,
}

/// If chance plays no part, a promise counts as much as this many playouts,
const TRUST: f64 = 2.0;
/// and never more than this many.
const MOST_TRUST: f64 = 64.0;

/// The best option by the results of all searches; `None` if there are none.
pub fn decide(results: &[Vec<SearchResult>]) -> Option<DecisionOption> {
    let mut all: Vec<(SearchResult, u32)> = Vec::new();
    for result in results.iter().flatten() {
        match all.iter_mut().find(|(known, _)| known.option == result.option) {
            Some((sum, times)) => {
                sum.promise += result.promise;
                sum.visits += result.visits;
                sum.paid += result.paid;
                sum.scatter += result.scatter;
                *times += 1;
            }
            None => all.push((*result, 1)),
        }
    }
    let means: Vec<SearchResult> =
        all.into_iter().map(|(sum, times)| SearchResult { promise: sum.promise / f64::from(times), ..sum }).collect();
    let best = first_best(estimates(&means).into_iter())?;
    Some(means[best].option)
}

/// The estimated values of the options: their mean payoffs, shrunk toward the promises. Playouts look further ahead
/// than promises, so a difference that is common to all options is subtracted. The more the payoffs scatter, compared
/// with the spread of the promises, the more playouts are needed to move an option away from its promise.
pub(super) fn estimates(options: &[SearchResult]) -> Vec<f64> {
    let visits: u32 = options.iter().map(|option| option.visits).sum();
    let surplus: f64 = options.iter().map(|option| option.paid - option.promise * f64::from(option.visits)).sum();
    let scatter: f64 = options.iter().map(|option| option.scatter).sum();
    let (shift, mean_square) =
        if visits == 0 { (0.0, 0.0) } else { (surplus / f64::from(visits), scatter / f64::from(visits)) };
    let (noise, spread) = (mean_square - shift * shift, spread(options));
    let trust = if spread > 0.0 { (noise / (spread * spread)).clamp(TRUST, MOST_TRUST) } else { TRUST };
    let estimate =
        |option: &SearchResult| (option.paid + trust * (option.promise + shift)) / (f64::from(option.visits) + trust);
    options.iter().map(estimate).collect()
}

/// The difference between the highest promise and the mean.
pub(super) fn spread(options: &[SearchResult]) -> f64 {
    let most = options.iter().map(|option| option.promise).fold(0.0, f64::max);
    let mean = options.iter().map(|option| option.promise).sum::<f64>() / options.len().max(1) as f64;
    most - mean
}

/// The index of the greatest value; of equal values, the first.
pub(super) fn first_best(values: impl Iterator<Item = f64>) -> Option<usize> {
    values.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Value;

    fn result(option: i32, promise: f64, visits: u32, paid: f64) -> SearchResult {
        SearchResult { option: DecisionOption::value(Value::Int(option)), promise, visits, paid, scatter: 0.0 }
    }

    fn decided(results: &[Vec<SearchResult>]) -> Option<Value> {
        decide(results).map(|option| option.args[0])
    }

    #[test]
    fn only_many_playouts_overrule_a_promise() {
        let none = [result(1, 0.4, 0, 0.0), result(2, 0.6, 0, 0.0), result(3, 0.6, 0, 0.0)];
        assert_eq!(decided(&[none.to_vec()]), Some(Value::Int(2)), "the first of the most promising");
        let lucky = [result(1, 0.3, 1, 0.7), result(2, 0.6, 10, 6.0)];
        assert_eq!(decided(&[lucky.to_vec()]), Some(Value::Int(2)), "one playout proves little");
        let proven = [result(1, 0.3, 10, 7.0), result(2, 0.6, 10, 4.0)];
        assert_eq!(decided(&[proven.to_vec()]), Some(Value::Int(1)));
        assert_eq!(decided(&[]), None);
    }

    #[test]
    fn results_of_several_searches_are_added() {
        let one = vec![result(1, 0.5, 3, 1.5), result(2, 0.5, 3, 1.2)];
        let two = vec![result(2, 0.5, 6, 4.8), result(3, 0.1, 0, 0.0)];
        assert_eq!(decided(std::slice::from_ref(&one)), Some(Value::Int(1)));
        assert_eq!(decided(&[one, two]), Some(Value::Int(2)));
    }
}
