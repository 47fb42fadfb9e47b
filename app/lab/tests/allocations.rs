//! Memory runs out while an answer or a checkpoint is saved: every allocation fails once, and nothing is lost.
//!
//! A failed allocation ends the process, or the script fails that asked for it. So each one fails in a copy of the
//! process, which the system makes with `fork`. Whatever happens to the copy, the file is whole: with the answer or
//! without it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]
// An allocator and `fork` cannot be had without. The program has none of this.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;
use std::ptr::null_mut;

use parking_lot::Mutex;
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::session::{Existing, Session};
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_lab::simulation::Checkpoint;

/// The allocator of the system, which fails once when it is told to.
struct Failing;

/// No allocation fails.
const NEVER: usize = usize::MAX;

thread_local! {
    /// The number of allocations of this thread until one fails.
    static LEFT: Cell<usize> = const { Cell::new(NEVER) };
}

/// Whether this allocation fails.
fn fails() -> bool {
    LEFT.with(|left| match left.get() {
        NEVER => false,
        0 => {
            left.set(NEVER);
            true
        }
        more => {
            left.set(more - 1);
            false
        }
    })
}

// SAFETY: every block comes from the allocator of the system and goes back to it with the same layout. Null says that
// there is no memory.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if fails() { null_mut() } else { unsafe { System.alloc(layout) } }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if fails() { null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if fails() { null_mut() } else { unsafe { System.realloc(block, layout, size) } }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(code: i32) -> !;
    fn close(file: i32) -> i32;
}

/// What happened to a copy of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It did its work. No allocation was left to fail.
    Untouched,
    /// It went on although an allocation failed.
    WentOn,
    /// The failed allocation ended it.
    Killed,
}

/// The copy failed an assertion.
const WRONG: i32 = 9;

/// Held by the test that makes copies, so that the other one waits.
static ALONE: Mutex<()> = Mutex::new(());

/// Does some work in a copy of this process, where an allocation fails.
fn in_a_copy(allocation: usize, work: impl FnOnce()) -> End {
    // SAFETY: only this thread goes on in the copy. The others wait and hold no lock that it needs.
    let copy = unsafe { fork() };
    assert!(copy >= 0);
    if copy == 0 {
        // SAFETY: nobody reads thousands of messages that memory has run out.
        unsafe { close(2) };
        LEFT.set(allocation);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let untouched = LEFT.replace(NEVER) != NEVER;
        // SAFETY: the copy ends here, and nothing of the original is given up.
        unsafe { _exit(if done.is_err() { WRONG } else { i32::from(!untouched) }) }
    }
    let mut status = 0;
    // SAFETY: this waits for the copy, which is ours.
    assert_eq!(unsafe { waitpid(copy, &raw mut status, 0) }, copy);
    // SIGABRT.
    if status & 0x7f == 6 {
        return End::Killed;
    }
    assert_eq!(status & 0x7f, 0, "allocation {allocation}: the copy ended with signal {}", status & 0x7f);
    match status >> 8 {
        0 => End::Untouched,
        1 => End::WentOn,
        code => panic!("allocation {allocation}: the copy ended with {code}"),
    }
}

/// Lets every allocation of some work fail once, and looks at the file each time. Returns how many allocations ended the
/// process.
fn every_allocation(work: impl Fn(), look: impl Fn(usize, End)) -> usize {
    let mut killed = 0;
    for allocation in 0.. {
        let end = in_a_copy(allocation, &work);
        look(allocation, end);
        killed += usize::from(end == End::Killed);
        if end == End::Untouched {
            eprintln!("{allocation} allocations, {killed} ended the process");
            break;
        }
    }
    killed
}

#[test]
fn an_answer_is_saved_or_not_when_memory_runs_out() {
    let _alone = ALONE.lock();
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods/classics/tic-tac-toe");
    let packs = OpenPacks::open(&PackRequest { paths: vec![pack], ..PackRequest::default() }).unwrap();
    let table = set_up(&packs.catalog, &SetupRequest::all(Player::Human, 1)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let mut session = Session::start(packs, table, "en").unwrap();
    session.save_to(&path, Existing::Keep).unwrap();
    let next = |session: &Session| {
        let seat = session.next_decision().unwrap().seat;
        (seat, session.decisions(seat)[0].options[0].key.clone())
    };
    let (seat, key) = next(&session);
    session.answer(seat, &key).unwrap();
    let (seat, key) = next(&session);
    let before = std::fs::read(&path).unwrap();
    let session = std::cell::RefCell::new(session);
    let work = || {
        let mut session = session.borrow_mut();
        let taken = session.answer(seat, &key).is_ok();
        LEFT.set(if LEFT.get() == NEVER { NEVER } else { NEVER - 1 });
        assert_eq!(session.record().answers.len(), 1 + usize::from(taken));
        assert_eq!(Save::read(&path).unwrap(), *session.record());
    };
    let killed = every_allocation(work, |allocation, end| {
        let saved = std::fs::read(&path).unwrap();
        if saved != before {
            let answers = Save::parse(&saved).unwrap().answers.len();
            assert_eq!(answers, 2, "allocation {allocation}: {end:?}");
        }
        assert!(end != End::Untouched || saved != before);
        std::fs::write(&path, &before).unwrap();
    });
    assert!(killed > 20, "{killed}");
}

#[test]
fn a_checkpoint_is_written_or_not_when_memory_runs_out() {
    let _alone = ALONE.lock();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/checkpoint.json");
    let checkpoint = Checkpoint::read(&sample).unwrap();
    checkpoint.write(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let before = [&whole[..], b"\n"].concat();
    std::fs::write(&path, &before).unwrap();
    let killed = every_allocation(
        || checkpoint.write(&path).unwrap(),
        |allocation, end| {
            let saved = std::fs::read(&path).unwrap();
            assert!(saved == before || saved == whole, "allocation {allocation}: {end:?}");
            assert!(end != End::Untouched || saved == whole);
            std::fs::write(&path, &before).unwrap();
        },
    );
    assert!(killed > 3, "{killed}");
}
