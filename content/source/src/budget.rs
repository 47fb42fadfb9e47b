//! The budget of a pack, the same wherever it comes from. Files are counted before they are read.

use crate::pack::Refusal;

/// The size limit of a file in a pack.
pub const MAX_FILE_BYTES: u64 = 16 << 20;
/// The limit of files in a pack.
pub const MAX_FILES: usize = 20_000;
/// The size limit of an unpacked pack.
pub const MAX_TOTAL_BYTES: u64 = 128 << 20;
/// The limit of names that are looked at to find the files: of files, folders, and what does not belong to the pack.
pub const MAX_NAMES: usize = 200_000;
/// The depth limit of folders in a pack.
pub const MAX_DEPTH: usize = 16;

/// Counts the files of one pack.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackBudget {
    names: usize,
    files: usize,
    bytes: u64,
}

impl PackBudget {
    /// Counts a name that was found, whatever it is. Its path is relative to the pack.
    ///
    /// # Errors
    /// There are too many names, or this one is too deep.
    pub fn name(&mut self, path: &str) -> Result<(), Refusal> {
        self.names += 1;
        if self.names > MAX_NAMES {
            let message = format!("the pack has more than {MAX_NAMES} files and folders");
            return Err(Refusal::new("", message, LEAVE_OUT));
        }
        if path.matches('/').count() > MAX_DEPTH {
            let message = format!("the pack has folders more than {MAX_DEPTH} deep");
            return Err(Refusal::new(path, message, "move the files up"));
        }
        Ok(())
    }

    /// The most bytes that the next file may have.
    pub fn left(&self) -> u64 {
        MAX_FILE_BYTES.min(MAX_TOTAL_BYTES.saturating_sub(self.bytes))
    }

    /// Counts a file of the pack and the bytes that it will have in memory.
    ///
    /// # Errors
    /// The file is too long, or the pack has too many files or bytes.
    pub fn file(&mut self, path: &str, bytes: u64) -> Result<(), Refusal> {
        self.files += 1;
        if self.files > MAX_FILES {
            let message = format!("the pack has more than {MAX_FILES} files");
            return Err(Refusal::new("", message, LEAVE_OUT));
        }
        if bytes > MAX_FILE_BYTES {
            let message = format!("the file is longer than {} MiB", MAX_FILE_BYTES >> 20);
            return Err(Refusal::new(path, message, "no pack needs that; leave it out"));
        }
        self.bytes += bytes;
        if self.bytes > MAX_TOTAL_BYTES {
            let message = format!("the pack is longer than {} MiB", MAX_TOTAL_BYTES >> 20);
            return Err(Refusal::new("", message, LEAVE_OUT));
        }
        Ok(())
    }
}

const LEAVE_OUT: &str = "leave out files that do not belong to the pack";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_reached_and_not_passed() {
        let mut budget = PackBudget::default();
        for _ in 0..MAX_FILES {
            assert_eq!(budget.file("a.json", 0), Ok(()));
        }
        assert!(budget.file("a.json", 0).unwrap_err().message.contains("20000 files"));
        let mut budget = PackBudget::default();
        for _ in 0..MAX_TOTAL_BYTES / MAX_FILE_BYTES {
            assert_eq!(budget.file("a.json", MAX_FILE_BYTES), Ok(()));
        }
        assert!(budget.file("b.json", 1).unwrap_err().message.contains("128 MiB"));
        let long = PackBudget::default().file("c.json", MAX_FILE_BYTES + 1).unwrap_err();
        assert_eq!((long.entry.as_str(), long.message.contains("16 MiB")), ("c.json", true));
        let mut budget = PackBudget::default();
        for _ in 0..MAX_NAMES {
            assert_eq!(budget.name(&"f/".repeat(MAX_DEPTH)), Ok(()));
        }
        assert!(budget.name("a").is_err());
        assert!(PackBudget::default().name(&"f/".repeat(MAX_DEPTH + 1)).is_err());
    }
}
