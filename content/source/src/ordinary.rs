//! Reading regular files, and nothing else.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Reads a file of at most `most` bytes. Follows links.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_ordinary(open(path)?, most)
}

fn unfit(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

pub(crate) fn not_ordinary() -> io::Error {
    unfit("it is a link or not a regular file".to_owned())
}

/// The opened file is examined, so that nobody can replace it in between.
pub(crate) fn read_ordinary(file: File, most: u64) -> io::Result<Vec<u8>> {
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(not_ordinary());
    }
    if about.len() > most {
        return Err(unfit(format!("it is longer than {most} bytes")));
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    file.take(about.len()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;

    // Without `NONBLOCK`, opening a pipe would wait for a writer.
    match rustix::fs::open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
        Ok(file) => Ok(File::from(file)),
        // The error for a socket.
        Err(Errno::NXIO) => Err(not_ordinary()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}
