//! Reads the parts of a PDF file that tests need.

use std::collections::BTreeMap;
use std::io::Read as _;

/// A PDF file: its objects by number.
pub struct Paper {
    objects: BTreeMap<u32, Vec<u8>>,
}

impl Paper {
    /// Reads a file, and fails if the table at its end is wrong about an object.
    pub fn read(bytes: &[u8]) -> Paper {
        assert!(bytes.starts_with(b"%PDF-1.7") && bytes.ends_with(b"%%EOF"), "the frame of a PDF file");
        let text = String::from_utf8_lossy(&bytes[bytes.len() - 60..]).into_owned();
        let start: usize = text.split("startxref").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        let table = String::from_utf8_lossy(&bytes[start..]).into_owned();
        let mut objects = BTreeMap::new();
        for line in table.lines().filter(|line| line.trim_end().ends_with(" n")) {
            let at: usize = line.split(' ').next().unwrap().parse().unwrap();
            let from = &bytes[at..];
            let end = find(from, b"endobj").expect("an object ends");
            let head = String::from_utf8_lossy(&from[..20.min(from.len())]).into_owned();
            let (number, rest) = head.split_once(' ').expect("an object has a number");
            assert!(rest.starts_with("0 obj"), "{head}");
            objects.insert(number.parse().expect("a number"), from[..end].to_vec());
        }
        Paper { objects }
    }

    fn dictionary(&self, number: u32) -> String {
        let object = &self.objects[&number];
        let end = find(object, b"stream\n").unwrap_or(object.len());
        String::from_utf8_lossy(&object[..end]).into_owned()
    }

    /// The bytes of a stream.
    fn stream(&self, number: u32) -> Vec<u8> {
        let object = &self.objects[&number];
        let from = find(object, b"stream\n").expect("a stream") + 7;
        let to = from + find(&object[from..], b"\nendstream").expect("the end of a stream");
        let mut plain = Vec::new();
        flate2::read::ZlibDecoder::new(&object[from..to]).read_to_end(&mut plain).expect("a packed stream");
        plain
    }

    fn with(&self, word: &str) -> Vec<u32> {
        self.objects.keys().copied().filter(|number| self.dictionary(*number).contains(word)).collect()
    }

    /// How many objects contain this text.
    pub fn count(&self, word: &str) -> usize {
        self.with(word).len()
    }

    /// The content of the pages, in order.
    pub fn pages(&self) -> Vec<String> {
        let tree = self.dictionary(self.with("/Type /Pages")[0]);
        let kids = tree.split("/Kids [").nth(1).unwrap().split(']').next().unwrap();
        let numbers: Vec<u32> = kids.split(" 0 R").filter_map(|part| part.trim().parse().ok()).collect();
        let content = |page: &u32| self.stream(reference(&self.dictionary(*page), "/Contents"));
        numbers.iter().map(|page| String::from_utf8_lossy(&content(page)).into_owned()).collect()
    }

    /// The letters of a page, a line for each text.
    pub fn text(&self, page: &str) -> String {
        let resources = self.dictionary(self.with("/Font <<")[0]);
        let mut fonts: BTreeMap<String, BTreeMap<u16, char>> = BTreeMap::new();
        let list = resources.split("/Font <<").nth(1).unwrap().split(">>").next().unwrap();
        for name in list.split_whitespace().filter(|word| word.starts_with("/F")) {
            let font = self.dictionary(reference(list, name));
            fonts.insert(name.to_owned(), letters(&self.stream(reference(&font, "/ToUnicode"))));
        }
        let mut text = String::new();
        let mut font = &BTreeMap::new();
        for line in page.lines() {
            if let Some(rest) = line.strip_suffix(" Tf") {
                font = &fonts[rest.split(' ').next().unwrap()];
            }
            if line.ends_with(" TJ") {
                let codes = strings(line.as_bytes());
                text.extend(codes.chunks(2).map(|code| font[&u16::from_be_bytes([code[0], code[1]])]));
                text.push('\n');
            }
        }
        text
    }
}

/// The bytes of all strings on a line.
fn strings(line: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let end = match line[at] {
            b'<' => b'>',
            b'(' => b')',
            _ => {
                at += 1;
                continue;
            }
        };
        at += 1;
        // Parentheses in pairs need no escape.
        let mut open = 0;
        while line[at] != end || open > 0 {
            if end == b')' {
                open = match line[at] {
                    b'(' => open + 1,
                    b')' => open - 1,
                    _ => open,
                };
            }
            match (end, line[at], line.get(at + 1)) {
                (b'>', ..) => {
                    bytes.push(u8::from_str_radix(std::str::from_utf8(&line[at..at + 2]).unwrap(), 16).unwrap());
                    at += 2;
                }
                (_, b'\\', Some(digit)) if digit.is_ascii_digit() => {
                    bytes.push(u8::from_str_radix(std::str::from_utf8(&line[at + 1..at + 4]).unwrap(), 8).unwrap());
                    at += 4;
                }
                (_, b'\\', Some(letter)) => {
                    let known = [(b'n', b'\n'), (b'r', b'\r'), (b't', b'\t'), (b'b', 8), (b'f', 12)];
                    bytes.push(known.iter().find(|(name, _)| name == letter).map_or(*letter, |(_, byte)| *byte));
                    at += 2;
                }
                (_, byte, _) => {
                    bytes.push(byte);
                    at += 1;
                }
            }
        }
    }
    bytes
}

/// The letters of a font by their codes.
fn letters(map: &[u8]) -> BTreeMap<u16, char> {
    let map = String::from_utf8_lossy(map).into_owned();
    let number = |hex: &str| u16::from_str_radix(hex, 16).unwrap();
    let mut letters = BTreeMap::new();
    for line in map.lines() {
        let parts: Vec<&str> = line.split(['<', '>']).filter(|part| !part.trim().is_empty()).collect();
        let hexadecimal = |part: &&str| part.len() == 4 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
        match parts.as_slice() {
            [code, letter] if [code, letter].into_iter().all(hexadecimal) => {
                letters.insert(number(code), char::from_u32(u32::from(number(letter))).unwrap());
            }
            [from, to, letter] if [from, to, letter].into_iter().all(hexadecimal) => {
                for code in number(from)..=number(to) {
                    let letter = u32::from(number(letter)) + u32::from(code - number(from));
                    letters.insert(code, char::from_u32(letter).unwrap());
                }
            }
            _ => {}
        }
    }
    letters
}

fn reference(dictionary: &str, key: &str) -> u32 {
    let rest = dictionary.split(&format!("{key} ")).nth(1).unwrap_or_else(|| panic!("{key} in {dictionary}"));
    rest.split(' ').next().unwrap().parse().unwrap()
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|part| part == word)
}
