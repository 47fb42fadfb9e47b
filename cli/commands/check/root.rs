//! The folder from which programs that read a report look for the files in it: the root of the repository.

use std::path::{Component, Path, PathBuf};

/// The root of a repository, as seen from the current folder.
#[derive(Debug, Default)]
pub struct Root {
    /// The root and the current folder, if that is below it.
    found: Option<(PathBuf, PathBuf)>,
}

impl Root {
    /// The root that GitHub Actions names, or the nearest folder that holds `.git`. Git itself is not asked.
    pub fn find() -> Self {
        let Some(here) = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok()) else {
            return Root::default();
        };
        let named = std::env::var_os("GITHUB_WORKSPACE").and_then(|path| Path::new(&path).canonicalize().ok());
        let named = named.filter(|root| here.starts_with(root));
        let root = named.or_else(|| here.ancestors().find(|above| above.join(".git").exists()).map(Path::to_owned));
        Root { found: root.map(|root| (root, here)) }
    }

    /// The path of a file, which is relative to the current folder, from the root. Files elsewhere keep their path.
    pub fn path(&self, file: &str) -> String {
        let Some((root, here)) = &self.found else { return file.to_owned() };
        let mut whole = PathBuf::new();
        for part in here.join(file).components() {
            match part {
                Component::ParentDir => drop(whole.pop()),
                Component::CurDir => {}
                part => whole.push(part),
            }
        }
        match whole.strip_prefix(root) {
            Ok(inside) => inside.to_string_lossy().replace('\\', "/"),
            Err(_) => file.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root() {
        let root = Root { found: Some((PathBuf::from("/r"), PathBuf::from("/r/game"))) };
        for (file, wanted) in [
            ("mods/a.json", "game/mods/a.json"),
            ("./a.json", "game/a.json"),
            ("../lib/a.json", "lib/a.json"),
            ("/r/game/a.json", "game/a.json"),
            ("../../x/a.json", "../../x/a.json"),
            ("/x/a.json", "/x/a.json"),
        ] {
            assert_eq!(root.path(file), wanted);
        }
        assert_eq!(Root::default().path("a.json"), "a.json");
    }
}
