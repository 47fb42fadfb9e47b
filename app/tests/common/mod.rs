//! What the tests share: a disk that fails, and the content of folders.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use principes_app::storage::{Disk, Storage};
use principes_source::HeldFolder;

/// A disk on which one operation fails, or all operations from one on.
#[derive(Default)]
pub struct Faulty {
    /// The number of operations until the failure; `None` if nothing fails.
    left: Cell<Option<usize>>,
    /// Whether all later operations fail too.
    for_good: Cell<bool>,
    /// The number of operations so far.
    pub count: Cell<usize>,
}

impl Faulty {
    pub fn fail_after(&self, operations: usize, for_good: bool) {
        self.left.set(Some(operations));
        self.for_good.set(for_good);
    }

    pub fn repair(&self) {
        self.left.set(None);
    }

    /// Fails if it is time to fail.
    fn step(&self) -> io::Result<()> {
        self.count.set(self.count.get() + 1);
        match self.left.get() {
            None => Ok(()),
            Some(0) => {
                self.left.set(self.for_good.get().then_some(0));
                Err(io::Error::from(io::ErrorKind::StorageFull))
            }
            Some(left) => {
                self.left.set(Some(left - 1));
                Ok(())
            }
        }
    }
}

impl Storage for Faulty {
    fn create(&self, folder: &HeldFolder, name: &OsStr) -> io::Result<File> {
        self.step()?;
        Disk.create(folder, name)
    }
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.step() {
            // A full disk writes what still fits.
            Disk.write(file, &bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        Disk.write(file, bytes)
    }
    fn sync(&self, file: &File) -> io::Result<()> {
        self.step()?;
        Disk.sync(file)
    }
    fn rename(&self, folder: &HeldFolder, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.step()?;
        Disk.rename(folder, from, to)
    }
    fn sync_folder(&self, folder: &HeldFolder) -> io::Result<()> {
        self.step()?;
        Disk.sync_folder(folder)
    }
}

/// The files of a folder, without lock files.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = names.filter(|path| path.extension().is_none_or(|ending| ending != "lock")).collect();
    files.sort();
    files
}

/// The files of a folder and its subfolders, with their content.
pub fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let of = |path: PathBuf| match path.is_dir() {
        true => contents(&path),
        false => vec![(path.clone(), std::fs::read(path).unwrap())],
    };
    files(folder).into_iter().flat_map(of).collect()
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}
