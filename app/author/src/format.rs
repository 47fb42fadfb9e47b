//! Formats files of packs: finds the files that are not in the canonical format, and their formatted text.

use std::io;
use std::path::{Path, PathBuf};

use principes_analysis::tidy;
use principes_app::packs::{PackError, here};
use principes_app::storage::{Disk, FilePlace, WriteError, is_link, write_at};
use principes_content::packs;
use principes_findings::Code;
use principes_findings::Finding;
use principes_json::shape::shape;
use principes_source::{DiskPack, HeldFolder, PackSource as _, is_packed};

/// Why no files could be formatted.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The path does not name a pack.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The path is a link.
    #[error("`{}` is a link; name its target", .0.display())]
    Link(PathBuf),
    /// The path is a zip file.
    #[error("`{}` is a packed pack; format its folder and pack it again", .0.display())]
    Packed(PathBuf),
    /// Neither the path nor a folder above it has a pack.json.
    #[error("`{}` is not in a pack: neither it nor a folder above it has a pack.json", .0.display())]
    Outside(PathBuf),
    /// The path is in a pack, but contains no JSON or Lua file.
    #[error("`{}` has no JSON or Lua files of a pack", .0.display())]
    Empty(PathBuf),
    /// A folder could not be listed.
    #[error("cannot list the files of `{}`: {cause}", path.display())]
    Unlisted {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
}

/// A file that is not in the canonical format.
#[derive(Clone, Debug)]
pub struct Reshaped {
    /// The file inside its pack.
    pub path: PathBuf,
    /// The folder of the pack.
    folder: HeldFolder,
    /// The file's display name.
    pub name: String,
    /// The current content.
    pub before: Vec<u8>,
    /// The formatted content.
    pub after: String,
}

impl Reshaped {
    /// Writes the file completely or not at all. A link is replaced, never followed, and one above it is refused.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write(&self) -> Result<(), WriteError> {
        let place = FilePlace::below(&self.folder, &self.path, PathBuf::from(&self.name));
        write_at(&Disk, &place.map_err(WriteError::Kept)?, self.after.as_bytes())
    }
}

/// The result for the files under some paths.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// The number of files.
    pub files: usize,
    /// The files that would change.
    pub changed: Vec<Reshaped>,
    /// Files that were skipped, with the reason and location.
    pub refused: Vec<Finding>,
}

/// Formats the JSON and Lua files of packs without writing them. A path is a pack, a folder that holds packs, or a file
/// or folder in a pack. Without paths, the packs under `content/` and `mods/`, or the current folder, are used.
///
/// # Errors
/// [`FormatError`]: a path names nothing that can be formatted. Errors of single files are in [`Shapes::refused`].
pub fn shapes(paths: &[PathBuf]) -> Result<Shapes, FormatError> {
    let mut shapes = Shapes::default();
    let given = if paths.is_empty() { here() } else { paths.to_vec() };
    if given.is_empty() {
        return Err(PackError::NoneHere.into());
    }
    for path in &given {
        if is_link(path) {
            return Err(FormatError::Link(path.clone()));
        }
        if !path.exists() {
            return Err(PackError::Missing(path.clone()).into());
        }
        if is_packed(path) {
            return Err(FormatError::Packed(path.clone()));
        }
        match path.ancestors().find(|above| above.join("pack.json").is_file()) {
            Some(pack) if is_link(pack) => return Err(FormatError::Link(pack.to_owned())),
            Some(pack) => {
                let before = shapes.files;
                shapes.add(pack, path.strip_prefix(pack).unwrap_or(Path::new("")))?;
                if shapes.files == before {
                    return Err(FormatError::Empty(path.clone()));
                }
            }
            None => {
                let inside = folders_inside(path);
                if inside.is_empty() {
                    return Err(FormatError::Outside(path.clone()));
                }
                inside.iter().try_for_each(|pack| shapes.add(pack, Path::new("")))?;
            }
        }
    }
    Ok(shapes)
}

/// The folders of packs inside a folder. Links are not followed.
fn folders_inside(place: &Path) -> Vec<PathBuf> {
    let Ok(whole) = place.canonicalize() else { return Vec::new() };
    let inside = |pack: &PathBuf| pack.canonicalize().is_ok_and(|pack| pack.starts_with(&whole)) && !is_link(pack);
    packs::folders_in(place).into_iter().filter(inside).collect()
}

impl Shapes {
    /// Adds the files of a pack that are at or under a path inside the pack.
    fn add(&mut self, pack: &Path, under: &Path) -> Result<(), FormatError> {
        let root = if pack.as_os_str().is_empty() { Path::new(".") } else { pack };
        let source = DiskPack::new(root);
        let unlisted = |cause| FormatError::Unlisted { path: root.to_owned(), cause };
        let files = source.list().map_err(unlisted)?;
        let folder = HeldFolder::clone(source.open().map_err(unlisted)?);
        for path in files.iter().filter(|path| Path::new(path).starts_with(under)) {
            let reshape = match Path::new(path).extension().and_then(|ending| ending.to_str()) {
                Some("json") => shape,
                Some("lua") => |_: &str, file: &str, bytes: &[u8]| tidy(file, bytes),
                _ => continue,
            };
            self.files += 1;
            let name = source.label(path);
            let before = match source.read(path) {
                Ok(before) => before,
                Err(error) => {
                    let message = format!("the file was skipped: {error}");
                    self.refused.push(Finding::new(Code::Unreadable, name, message));
                    continue;
                }
            };
            match reshape(path, &name, &before) {
                Ok(after) if after.as_bytes() == before => {}
                Ok(after) => {
                    let (path, folder) = (PathBuf::from(path), folder.clone());
                    self.changed.push(Reshaped { path, folder, name, before, after });
                }
                Err(findings) => self.refused.extend(findings),
            }
        }
        Ok(())
    }
}
