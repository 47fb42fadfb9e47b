//! What a trained player knows about a game.

/// The weights of a trained player, as numbers. [`bots::Model`](crate::bots::Model) gives them their meaning; no rule
/// reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trained {
    /// For each feature of a position, its weight at the beginning and at the end of a game, in millionths of a logit.
    pub value: Vec<[i32; 2]>,
    policy: Policy,
    /// The iteration of the outermost loop in which games usually end, at least 1.
    pub usual_end: i32,
}

impl Trained {
    /// A player. `policy` has features of options with their weights in thousandths of a logit. Of a feature that comes
    /// more than once, the first weight counts.
    pub fn new(value: Vec<[i32; 2]>, policy: Vec<(u64, i32)>, usual_end: i32) -> Self {
        Trained { value, policy: Policy::new(policy), usual_end }
    }

    /// Features of options with their weights in thousandths of a logit, sorted, each once.
    pub fn policy(&self) -> &[(u64, i32)] {
        &self.policy.sorted
    }

    /// The weight of a feature of options; 0 if the player knows nothing about it.
    #[inline]
    pub fn weight(&self, feature: u64) -> i32 {
        self.policy.get(feature)
    }
}

/// Weights by feature. Millions of features are looked up in a second, so they are also in a table of hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Policy {
    sorted: Vec<(u64, i32)>,
    /// Twice as many places as features, or more: a power of 2. A feature is in the first free place from its own on.
    places: Vec<(u64, i32)>,
    /// The bits of a hash that are not used.
    shift: u32,
}

/// No feature has this number: none of its parts has that many values.
const FREE: u64 = u64::MAX;

impl Policy {
    fn new(mut sorted: Vec<(u64, i32)>) -> Self {
        sorted.retain(|(feature, _)| *feature != FREE);
        sorted.sort_by_key(|(feature, _)| *feature);
        sorted.dedup_by_key(|(feature, _)| *feature);
        let count = (2 * sorted.len()).max(2).next_power_of_two();
        let mut policy = Policy { sorted, places: vec![(FREE, 0); count], shift: 64 - count.trailing_zeros() };
        for at in 0..policy.sorted.len() {
            let entry = policy.sorted[at];
            let place = policy.place(entry.0);
            policy.places[place] = entry;
        }
        policy
    }

    fn get(&self, feature: u64) -> i32 {
        if self.places.is_empty() { 0 } else { self.places[self.place(feature)].1 }
    }

    /// The place of a feature, or the free one that it would get. Half of the places are free, so there is always one.
    fn place(&self, feature: u64) -> usize {
        // Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4).
        let mut place = (feature.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.places[place].0 != feature && self.places[place].0 != FREE {
            place = (place + 1) & (self.places.len() - 1);
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_found() {
        let policy = (0..1000).map(|at| (at * at * 0x10_0000_0001, at as i32 + 1)).collect();
        let trained = Trained::new(Vec::new(), policy, 1);
        for at in 0..1000 {
            assert_eq!(trained.weight(at * at * 0x10_0000_0001), at as i32 + 1);
            assert_eq!(trained.weight(at * at * 0x10_0000_0001 + 1), 0);
        }
        assert_eq!((trained.weight(FREE), Trained::default().weight(1)), (0, 0));
    }

    #[test]
    fn features_are_sorted_and_kept_once() {
        let trained = Trained::new(Vec::new(), vec![(7, 1), (2, 2), (7, 3), (FREE, 4)], 1);
        assert_eq!(trained.policy(), [(2, 2), (7, 1)]);
        assert_eq!(trained.weight(7), 1);
    }
}
