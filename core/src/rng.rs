//! All chance of a game comes from one counter-based generator. Its whole state is a seed and a position.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};
use serde::{Deserialize, Serialize};

/// What the results depend on, besides seed and position. Records of games name it through the meaning of their packs.
pub const VERSION: &str = "ChaCha8, 32 bits at a time";

/// ChaCha8 with a seed, at a position counted in 32-bit words.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Rng {
    seed: u64,
    position: u64,
    /// Results of dice that scenarios fix in advance. Each is used once, in order, before the generator.
    scripted: Vec<u32>,
}

impl Rng {
    /// The generator of a new game.
    pub fn new(seed: u64) -> Self {
        Rng { seed, position: 0, scripted: Vec::new() }
    }

    /// Fixes the next results of [`Rng::dice`]; 0 is the first face. Each is used once, in order.
    pub fn script(&mut self, results: &[u32]) {
        self.scripted.extend_from_slice(results);
    }

    /// The number of fixed results that are left.
    pub fn scripted_left(&self) -> usize {
        self.scripted.len()
    }

    /// Starts over with a new seed, so that results are independent of those that would have come.
    pub(crate) fn reseed(&mut self, source: &mut Rng) {
        self.seed = u64::from(source.below(u32::MAX)) << 32 | u64::from(source.below(u32::MAX));
        self.position = 0;
        self.scripted.clear();
    }

    fn words(&mut self, draw: &mut dyn FnMut(&mut dyn FnMut() -> u32)) {
        let mut source = ChaCha8Rng::seed_from_u64(self.seed);
        source.set_word_pos(u128::from(self.position));
        let mut used = 0u64;
        draw(&mut || {
            used += 1;
            source.next_u32()
        });
        self.position += used;
    }

    /// A number from 0 to `n - 1`, uniformly distributed; 0 if `n` is 0. Never a fixed result.
    pub fn below(&mut self, n: u32) -> u32 {
        let mut result = 0;
        self.words(&mut |next| result = below(n, next));
        result
    }

    /// Rolls dice with `n` faces, one after the other: 0 to `n - 1` each. Fixed results come first.
    pub fn dice<const N: usize>(&mut self, n: u32) -> [u32; N] {
        let mut results = [0; N];
        let fixed = N.min(self.scripted.len());
        for (result, scripted) in results.iter_mut().zip(self.scripted.drain(..fixed)) {
            *result = scripted.min(n.saturating_sub(1));
        }
        let rolled = &mut results[fixed..];
        if !rolled.is_empty() {
            self.words(&mut |next| rolled.iter_mut().for_each(|result| *result = below(n, next)));
        }
        results
    }

    /// Shuffles `items`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.words(&mut |next| shuffle(items, next));
    }
}

/// The results of an [`Rng`], for users that are never saved. An [`Rng`] creates its generator for each result; this
/// keeps it.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The results of [`Rng::new`] with the same seed.
    pub fn new(seed: u64) -> Self {
        Stream(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The next result of [`Rng::below`].
    pub fn below(&mut self, n: u32) -> u32 {
        below(n, &mut || self.0.next_u32())
    }

    /// Shuffles `items` as [`Rng::shuffle`] does.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle(items, &mut || self.0.next_u32());
    }
}

/// Fisher and Yates, from the last item.
fn shuffle<T>(items: &mut [T], next: &mut dyn FnMut() -> u32) {
    for last in (1..items.len()).rev() {
        let other = below(last as u32 + 1, next) as usize;
        items.swap(last, other);
    }
}

/// Multiply-shift with rejection (Lemire 2019): unbiased, one word in almost every case.
fn below(n: u32, next: &mut dyn FnMut() -> u32) -> u32 {
    if n <= 1 {
        return 0;
    }
    let reject_under = n.wrapping_neg() % n;
    loop {
        let product = u64::from(next()) * u64::from(n);
        if product as u32 >= reject_under {
            return (product >> 32) as u32;
        }
    }
}

/// The seed for part `at` of something with a seed, such as a game of a simulation or a bot of a game.
pub fn derive_seed(seed: u64, at: u64) -> u64 {
    mix(mix(seed) ^ at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The output function of SplitMix64.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_results_are_pinned() {
        // A change of the generator would break every save, so these numbers must stay.
        let mut rng = Rng::new(1);
        let rolls: Vec<u32> = (0..12).map(|_| rng.below(6)).collect();
        let mut cards: Vec<u32> = (0..10).collect();
        rng.shuffle(&mut cards);
        assert_eq!((rolls, cards), (PINNED_ROLLS.to_vec(), PINNED_CARDS.to_vec()));
    }
    const PINNED_ROLLS: [u32; 12] = [3, 2, 5, 0, 1, 3, 2, 1, 4, 1, 5, 4];
    const PINNED_CARDS: [u32; 10] = [6, 3, 2, 7, 8, 0, 1, 5, 9, 4];

    #[test]
    fn position_is_the_whole_state() {
        let mut one = Rng::new(7);
        one.below(10);
        let mut two = one.clone();
        assert_eq!(one.below(1_000_000), two.below(1_000_000));
    }

    #[test]
    fn a_stream_gives_the_same_results() {
        let (mut rng, mut stream) = (Rng::new(7), Stream::new(7));
        for n in [0, 1, 6, 2, 1_000_000, u32::MAX, 6] {
            for _ in 0..100 {
                assert_eq!(rng.below(n), stream.below(n));
            }
        }
        let (mut one, mut other) = ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]);
        rng.shuffle(&mut one);
        stream.shuffle(&mut other);
        assert_eq!(one, other);
    }

    #[test]
    fn scripted_results_come_first_and_only_once() {
        let mut rng = Rng::new(7);
        rng.script(&[3, 5]);
        let (mut free, six) = (Rng::new(7), |rng: &mut Rng| rng.below(6));
        assert_eq!((rng.dice(6), rng.scripted_left()), ([3], 1));
        assert_eq!((rng.dice(6), rng.scripted_left()), ([5, six(&mut free), six(&mut free)], 0));
        assert_eq!(rng.dice(6), [six(&mut free)]);
    }

    #[test]
    fn every_face_comes_up_about_equally_often() {
        let mut rng = Rng::new(3);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
    }
}
