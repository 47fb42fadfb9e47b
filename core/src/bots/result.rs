//! What searches find out about the options of a decision, and which option is best by that.

use crate::state::DecisionOption;

/// What a search has found out about an option of its decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchResult {
    /// The option it is about.
    pub option: DecisionOption,
    /// What looking one step ahead promises: 0 is lost, 1 is won.
    pub promise: f64,
    /// How many playouts took it.
    pub visits: u32,
    /// Sum of what they paid, from 0 to 1 each, corrected for how favorable their world was to all options tried there.
    pub paid: f64,
    /// Sum of the squares of how far each was from the promise.
    pub scatter: f64,
}

/// A promise counts as much as this many playouts if chance plays no part,
const TRUST: f64 = 2.0;
/// and never more than this many.
const MOST_TRUST: f64 = 64.0;

/// The best option by the findings of all searches; `None` if there are none.
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

/// How good the options look: what playouts paid, drawn towards what was promised. Playouts look further ahead than
/// promises, so they differ from them by an amount common to all options, which is taken off. The more they scatter,
/// compared with how far the promises of the options lie apart, the more of them it takes to move an option away from
/// its promise.
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

/// How far the highest promise is above the mean.
pub(super) fn spread(options: &[SearchResult]) -> f64 {
    let most = options.iter().map(|option| option.promise).fold(0.0, f64::max);
    let mean = options.iter().map(|option| option.promise).sum::<f64>() / options.len().max(1) as f64;
    most - mean
}

/// The position of the greatest value, the first of equals.
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
    fn playouts_overrule_promises_only_by_weight() {
        let none = [result(1, 0.4, 0, 0.0), result(2, 0.6, 0, 0.0), result(3, 0.6, 0, 0.0)];
        assert_eq!(decided(&[none.to_vec()]), Some(Value::Int(2)), "the first of the most promising");
        let lucky = [result(1, 0.3, 1, 0.7), result(2, 0.6, 10, 6.0)];
        assert_eq!(decided(&[lucky.to_vec()]), Some(Value::Int(2)), "one playout proves little");
        let proven = [result(1, 0.3, 10, 7.0), result(2, 0.6, 10, 4.0)];
        assert_eq!(decided(&[proven.to_vec()]), Some(Value::Int(1)));
        assert_eq!(decided(&[]), None);
    }

    #[test]
    fn findings_of_several_searches_add_up() {
        let one = vec![result(1, 0.5, 3, 1.5), result(2, 0.5, 3, 1.2)];
        let two = vec![result(2, 0.5, 6, 4.8), result(3, 0.1, 0, 0.0)];
        assert_eq!(decided(std::slice::from_ref(&one)), Some(Value::Int(1)));
        assert_eq!(decided(&[one, two]), Some(Value::Int(2)));
    }
}
