//! Packed packs: a pack as one zip file. Reading is strict, because such files come from strangers. Writing produces
//! the same bytes for the same pack on every machine.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};

use zip::read::ZipArchive;
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, System};

use crate::budget::{MAX_NAMES, PackBudget};
use crate::pack::{PackSource, Refusal};
use crate::path::{is_litter, is_safe_path, refused};

/// The size limit of a packed file.
pub const MAX_ARCHIVE_BYTES: u64 = 64 << 20;
/// The limit of unpacked size over packed size, for files above a megabyte. Texts reach 30.
pub const MAX_RATIO: u64 = 200;
/// For shorter files, the ratio is not checked.
const FREE_BYTES: u64 = 1 << 20;

/// A pack in a zip file, unpacked into memory; or the reason why it was refused.
#[derive(Clone, Debug)]
pub struct PackedPack {
    path: PathBuf,
    files: Result<BTreeMap<String, Vec<u8>>, Refusal>,
}

impl PackedPack {
    /// Reads a packed pack. Anything wrong inside of the file is a [`Refusal`] that [`PackSource`] returns. An error is
    /// one of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = std::fs::File::open(path)?;
        let mut bytes = Vec::new();
        file.take(MAX_ARCHIVE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(PackedPack { path: path.to_owned(), files: unpack(bytes) })
    }
}

impl PackSource for PackedPack {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.files.iter().flat_map(BTreeMap::keys).cloned().collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if !is_safe_path(path) {
            return Err(refused(path));
        }
        let file = self.files.as_ref().ok().and_then(|files| files.get(path));
        file.cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn label(&self, path: &str) -> String {
        let archive = self.path.to_string_lossy().replace('\\', "/");
        let archive = archive.trim_start_matches("./");
        if path.is_empty() { archive.to_owned() } else { format!("{archive}/{path}") }
    }

    fn beside(&self) -> Option<PathBuf> {
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => Some(parent.to_owned()),
            _ => Some(PathBuf::from(".")),
        }
    }

    fn refusal(&self) -> Option<&Refusal> {
        self.files.as_ref().err()
    }
}

/// The files of an archive. Nothing in it is trusted: sizes are counted while unpacking, and one bad entry makes the
/// whole archive invalid.
fn unpack(bytes: Vec<u8>) -> Result<BTreeMap<String, Vec<u8>>, Refusal> {
    if bytes.len() as u64 > MAX_ARCHIVE_BYTES {
        let message = format!("the file is longer than {} MiB", MAX_ARCHIVE_BYTES >> 20);
        return Err(Refusal::new("", message, "a pack contains only texts; leave out everything else"));
    }
    let broken = |error: zip::result::ZipError| {
        Refusal::new("", format!("this is not a valid zip file: {error}"), "write it with `principes pack PATH`")
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > MAX_NAMES {
        let message = format!("the archive has {} entries; at most {MAX_NAMES} are allowed", archive.len());
        return Err(Refusal::new("", message, "leave out files that do not belong to the pack"));
    }
    archive.validate_header_consistency().map_err(broken)?;
    let folder = pack_folder(&archive)?;
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut folded: BTreeMap<String, String> = BTreeMap::new();
    let mut budget = PackBudget::default();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(broken)?;
        // What is not in the folder of the pack is not part of it.
        if !entry.name_raw().starts_with(folder.as_bytes()) {
            continue;
        }
        let Ok(name) = std::str::from_utf8(entry.name_raw()).map(str::to_owned) else {
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            return Err(Refusal::new(name, "the name is not UTF-8", NAMES));
        };
        let Some(name) = name.strip_prefix(&folder).filter(|name| !name.is_empty()) else { continue };
        let path = name.strip_suffix('/').unwrap_or(name);
        budget.name(path)?;
        // Hidden files are skipped, as in folders.
        if path.split('/').any(|part| is_litter(part) && part != "." && part != "..") && !path.contains('\\') {
            continue;
        }
        if !is_safe_path(path) {
            return Err(Refusal::new(name, format!("`{name}` is not a path inside a pack"), NAMES));
        }
        // The upper bits of the mode are the type of the original file.
        let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
        if !matches!(kind, 0 | 0o100_000 | 0o040_000) {
            return Err(Refusal::new(path, "this is a link or not a regular file", "replace it with the file itself"));
        }
        if name.ends_with('/') {
            continue;
        }
        if entry.encrypted() {
            return Err(Refusal::new(path, "the file is encrypted", "pack it without a password"));
        }
        if let Some(twin) = folded.insert(path.to_ascii_lowercase(), path.to_owned()) {
            let message = format!("the name differs from `{twin}` only in case");
            return Err(Refusal::new(path, message, "rename one of them: some systems cannot store both"));
        }
        let plausible = entry.compressed_size().saturating_mul(MAX_RATIO).max(FREE_BYTES);
        let allowed = plausible.min(budget.left());
        let mut content = Vec::new();
        // One extra byte distinguishes a file that is too long from one that just fits.
        let read = (&mut entry).take(allowed + 1).read_to_end(&mut content);
        budget.file(path, content.len() as u64)?;
        if content.len() as u64 > plausible {
            let message = format!("the file is more than {MAX_RATIO} times as long as its compressed data");
            return Err(Refusal::new(path, message, "no pack needs that; the archive may be malicious"));
        }
        if let Err(error) = read {
            return Err(Refusal::new(path, format!("cannot unpack the file: {error}"), "download the archive again"));
        }
        files.insert(path.to_owned(), content);
    }
    Ok(files)
}

/// The folder of the pack in an archive, with a `/` at its end; empty for the archive itself. Archives of whole
/// repositories have the pack in a folder, beside other files.
fn pack_folder(archive: &ZipArchive<Cursor<Vec<u8>>>) -> Result<String, Refusal> {
    let is_plain = |folder: &str| {
        !folder.contains('\\') && !folder.split('/').any(|part| is_litter(part) || matches!(part, "" | "." | ".."))
    };
    let mut folders: Vec<String> = Vec::new();
    for name in archive.file_names().flatten() {
        match name.strip_suffix("pack.json") {
            Some("") => return Ok(String::new()),
            Some(folder) if folder.strip_suffix('/').is_some_and(is_plain) => folders.push(folder.to_owned()),
            _ => {}
        }
    }
    // Of folders in each other, the outer one is the pack.
    folders.sort_unstable();
    folders.dedup_by(|inner, outer| inner.starts_with(outer.as_str()));
    match folders.as_slice() {
        [] => Ok(String::new()),
        [folder] => Ok(folder.clone()),
        several => {
            let names: Vec<&str> = several.iter().take(MOST_NAMED).map(|name| name.trim_end_matches('/')).collect();
            let message = format!("the archive has {} packs: {}", several.len(), names.join(", "));
            Err(Refusal::new(
                "",
                message,
                "unpack it and name the folder of one pack, or pack that with `principes pack`",
            ))
        }
    }
}

/// The most packs of an archive that a message names.
const MOST_NAMED: usize = 5;

const NAMES: &str = "use letters, digits, `.`, `_`, `-` and `@`, with `/` between folders";

/// The bytes of a packed pack, with sorted names and one date for all entries, so that the same files always give the
/// same bytes.
pub fn pack(source: &dyn PackSource) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644)
        .system(System::Unix);
    for path in source.list()? {
        writer.start_file(path.as_str(), options)?;
        writer.write_all(&source.read(&path)?)?;
    }
    Ok(writer.finish()?.into_inner())
}
