//! Threads that search together for one bot. A game that people play can use all cores.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use principes_core::bots::{Search, SearchResult, Workers};
use principes_core::*;
use principes_model::Loaded;

use crate::workers;

/// A search, and the index for its results.
struct Task {
    position: Arc<GameState>,
    search: Search,
    at: usize,
    reply: Sender<(usize, Vec<SearchResult>)>,
}

/// One thread for each core, each with its own scripts. The threads end when this is dropped.
pub struct SearchThreads {
    queue: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

impl SearchThreads {
    /// Starts the threads. `None` if there is only one core, or a thread cannot start.
    pub fn start(loaded: &Loaded) -> Option<Rc<dyn Workers>> {
        let cores = workers::cores();
        if cores < 2 { None } else { Self::begin(loaded, cores) }
    }

    fn begin(loaded: &Loaded, threads: usize) -> Option<Rc<dyn Workers>> {
        let (queue, tasks) = channel();
        let (loaded, tasks) = (Arc::new(loaded.clone()), Arc::new(Mutex::new(tasks)));
        let start = |_| {
            let (loaded, tasks) = (Arc::clone(&loaded), Arc::clone(&tasks));
            workers::thread().spawn(move || work(&loaded, &tasks)).ok()
        };
        let threads: Vec<JoinHandle<()>> = (0..threads).filter_map(start).collect();
        (!threads.is_empty()).then(|| Rc::new(SearchThreads { queue: Some(queue), threads }) as Rc<dyn Workers>)
    }
}

impl Workers for SearchThreads {
    fn search(&self, position: GameState, searches: &[Search]) -> Option<Vec<Vec<SearchResult>>> {
        let position = Arc::new(position);
        let (reply, replies) = channel();
        for (at, search) in searches.iter().enumerate() {
            let task = Task { position: Arc::clone(&position), search: *search, at, reply: reply.clone() };
            self.queue.as_ref()?.send(task).ok()?;
        }
        drop(reply);
        let mut findings = vec![None; searches.len()];
        for (at, found) in replies {
            findings[at] = Some(found);
        }
        findings.into_iter().collect()
    }
}

impl Drop for SearchThreads {
    fn drop(&mut self) {
        // The threads end when the queue is closed.
        self.queue = None;
        for thread in self.threads.drain(..) {
            // A panic of the thread was reported already.
            let _ = thread.join();
        }
    }
}

fn work(loaded: &Loaded, tasks: &Mutex<Receiver<Task>>) {
    let Ok(host) = loaded.host() else { return };
    let next = || tasks.lock().recv().ok();
    while let Some(Task { position, search, at, reply }) = next() {
        let Ok(game) = Game::restore(Arc::clone(&loaded.catalog), host.clone(), GameState::clone(&position)) else {
            return;
        };
        // The receiver may be gone.
        let _ = reply.send((at, search.run(&game)));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use principes_content::{LoadOptions, load};
    use principes_core::bots::{decide, searches};
    use principes_source::folder;

    use super::*;

    #[test]
    fn threads_find_what_one_thread_finds() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let pack = folder(root.join("../mods/classics/connect-four"));
        let loaded = load(&[pack], &LoadOptions::default()).unwrap();
        let config = GameConfig { seats: vec![FactionId(0), FactionId(1)], seed: 3, options: Vec::new() };
        let game = Game::new(Arc::clone(&loaded.catalog), loaded.host().unwrap(), config).unwrap();
        let searches = searches(game.pending()[0].seat, 96, &mut principes_core::rng::Rng::new(5));
        let alone: Vec<Vec<SearchResult>> = searches.iter().map(|search| search.run(&game)).collect();
        assert_eq!(alone.len(), 3);
        let threads = SearchThreads::begin(&loaded, 4).unwrap();
        let together = threads.search(game.state(), &searches).unwrap();
        assert_eq!(together, alone);
        assert_eq!(decide(&together), decide(&alone));
    }
}
