//! Reads lines from the keyboard or a pipe on a thread, so that the game can also watch files.

use std::io::BufRead as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The longest line in bytes. No player types a longer one.
const LONGEST: usize = 10_000;

/// Lines as they arrive.
pub struct Input {
    lines: Receiver<String>,
}

/// The result of waiting for a line.
pub enum Typed {
    /// What somebody typed.
    Line(String),
    /// Nothing yet.
    Nothing,
    /// The input has ended.
    End,
}

impl Input {
    /// Starts to read standard input.
    pub fn begin() -> Self {
        let (sender, lines) = sync_channel(1);
        // The thread ends with the process, or when the receiver is dropped.
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            let mut bytes = Vec::new();
            loop {
                bytes.clear();
                match input.read_until(b'\n', &mut bytes) {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
                bytes.truncate(LONGEST);
                // Control characters could confuse the terminal when the line is shown again.
                let text = String::from_utf8_lossy(&bytes);
                let line: String = text.chars().filter(|c| !c.is_control()).collect();
                if sender.send(line.trim().to_owned()).is_err() {
                    break;
                }
            }
        });
        Input { lines }
    }

    /// The next line. With a limit, `Nothing` if no line arrives in time.
    pub fn next(&self, limit: Option<Duration>) -> Typed {
        match limit {
            None => self.lines.recv().map_or(Typed::End, Typed::Line),
            Some(limit) => match self.lines.recv_timeout(limit) {
                Ok(line) => Typed::Line(line),
                Err(RecvTimeoutError::Timeout) => Typed::Nothing,
                Err(RecvTimeoutError::Disconnected) => Typed::End,
            },
        }
    }
}
