//! The address below which Tabletop Simulator finds pictures.

use std::fmt;
use std::path::{Component, Path};
use std::str::FromStr;

use fluent_uri::Uri;

/// An absolute address to which the name of a file can be appended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(String);

impl Address {
    /// The address of a folder on this machine.
    ///
    /// # Errors
    /// The working directory is unknown.
    pub fn of_folder(folder: &Path) -> std::io::Result<Self> {
        let mut address = "file://".to_owned();
        for component in std::path::absolute(folder)?.components() {
            match component {
                Component::RootDir => continue,
                // A drive keeps its colon: `C:`.
                Component::Prefix(prefix) => {
                    address.push('/');
                    address.push_str(&prefix.as_os_str().to_string_lossy().replace('\\', "/"));
                }
                other => {
                    address.push('/');
                    other.as_os_str().as_encoded_bytes().iter().for_each(|byte| push_encoded(&mut address, *byte));
                }
            }
        }
        address.push('/');
        Ok(Address(address))
    }

    /// The address of a file.
    pub(crate) fn of(&self, file: &str) -> String {
        format!("{}{file}", self.0)
    }
}

fn push_encoded(address: &mut String, byte: u8) {
    match byte {
        b'-' | b'.' | b'_' | b'~' => address.push(char::from(byte)),
        _ if byte.is_ascii_alphanumeric() => address.push(char::from(byte)),
        _ => address.push_str(&format!("%{byte:02X}")),
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| Err(format!("{why}; write it like `https://example.org/game/`"));
        let uri = match Uri::parse(text) {
            Ok(uri) => uri,
            Err(_) if !text.contains("://") => return wrong("the address must begin with `https://` or `file://`"),
            Err(_) => return wrong("this is not a valid address; write a space as `%20`"),
        };
        let has_host = uri.authority().is_some_and(|authority| !authority.host().is_empty());
        match uri.scheme().as_str().to_ascii_lowercase().as_str() {
            "http" | "https" if has_host => {}
            "http" | "https" => return wrong("the address names no host"),
            "file" if uri.authority().is_some() && uri.path().as_str().starts_with('/') => {}
            "file" => return wrong("the address of a folder must begin with `file:///`"),
            _ => return wrong("the address must begin with `https://` or `file://`"),
        }
        if uri.fragment().is_some() {
            return wrong("the address must not contain `#`");
        }
        // After a question mark, the name of the file may be a value.
        let is_open = uri.query().is_some() || text.ends_with('/');
        Ok(Address(if is_open { text.to_owned() } else { format!("{text}/") }))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_takes_the_name_of_a_file() {
        for (given, whole) in [
            ("https://example.org/game/", "https://example.org/game/a.png"),
            ("https://example.org/game", "https://example.org/game/a.png"),
            ("https://example.org", "https://example.org/a.png"),
            ("HTTP://example.org:8080/a%20b", "HTTP://example.org:8080/a%20b/a.png"),
            ("https://example.org/get?file=", "https://example.org/get?file=a.png"),
            ("file:///home/me/tts", "file:///home/me/tts/a.png"),
        ] {
            assert_eq!(given.parse::<Address>().map(|address| address.of("a.png")), Ok(whole.to_owned()));
        }
        for wrong in [
            "",
            "game",
            "example.org/game/",
            "//example.org/",
            "https://",
            "https:///game/",
            "https://example.org/my game/",
            "https://example.org/#game",
            "https://example.org/\u{fc}/",
            "file:tts",
            "/home/me/tts/",
            "C:\\tts\\",
            "ftp://example.org/",
            "javascript:alert(1)",
        ] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_has_an_address() {
        let of = |folder: &str| Address::of_folder(Path::new(folder)).map(|address| address.to_string()).ok();
        assert_eq!(of("/home/me/my game/\u{17c}#1"), Some("file:///home/me/my%20game/%C5%BC%231/".to_owned()));
        assert_eq!(of("/"), Some("file:///".to_owned()));
        assert!(of("tts").is_some_and(|address| address.starts_with("file:///") && address.ends_with("/tts/")));
    }
}
