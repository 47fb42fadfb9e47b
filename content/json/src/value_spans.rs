//! Where each value is in a JSON text.

use std::ops::Range;

use principes_findings::escape;

use crate::pointer::unescape;

/// A value, and the member that it is the value of.
#[derive(Debug)]
struct Node {
    /// Its member's key, in quotes.
    key: Option<Range<usize>>,
    /// The key without escapes, if it has any.
    plain: Option<Box<str>>,
    value: Range<usize>,
    /// Its members or items, as a range of the list of children.
    children: Range<usize>,
    is_object: bool,
}

/// The spans of all values of a JSON text.
#[derive(Debug)]
pub struct ValueSpans {
    nodes: Vec<Node>,
    /// Nodes, those of one parent together: items in order, members by name.
    children: Vec<usize>,
    root: usize,
}

/// The spans of one value and its key.
#[derive(Clone, Copy, Debug)]
pub struct MemberSpans<'p> {
    /// Bytes of the key, in quotes, if it is a member.
    pub key: Option<&'p Range<usize>>,
    /// Bytes of the value.
    pub value: &'p Range<usize>,
}

/// A key that appears twice in an object, or a text with hidden characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// The nodes with the same key: the first one, and another one.
    Twice(usize, usize),
    /// Bytes of a text, in quotes, and a hidden character in it.
    Hidden(Range<usize>, char),
}

impl ValueSpans {
    /// The spans of a text, and the oddities in it. The text must be valid JSON, not too deep for the stack.
    pub fn new(text: &str) -> (Self, Vec<Oddity>) {
        let spans = ValueSpans { nodes: Vec::new(), children: Vec::new(), root: 0 };
        let mut reader = JsonReader { text, at: 0, spans, open: Vec::new(), oddities: Vec::new() };
        let root = reader.value(None, None);
        reader.spans.root = root;
        (reader.spans, reader.oddities)
    }

    /// The number of values and keys.
    pub fn count(&self) -> usize {
        self.nodes.len() + self.nodes.iter().filter(|node| node.key.is_some()).count()
    }

    /// The spans of a node.
    pub fn node(&self, node: usize) -> MemberSpans<'_> {
        let node = &self.nodes[node];
        MemberSpans { key: node.key.as_ref(), value: &node.value }
    }

    /// The node of the whole text.
    pub fn root(&self) -> usize {
        self.root
    }

    /// The nodes of a value's members or items, in the order of the text.
    pub fn inner(&self, node: usize) -> Vec<usize> {
        let mut inner = self.children[self.nodes[node].children.clone()].to_vec();
        inner.sort_by_key(|inner| self.nodes[*inner].value.start);
        inner
    }

    /// The spans of a value by its pointer, or else of the nearest value around it, and whether it is the value itself.
    pub fn find(&self, text: &str, pointer: &str) -> (MemberSpans<'_>, bool) {
        let mut at = self.root;
        for part in pointer.split('/').skip(1) {
            match self.child(text, at, &unescape(part)) {
                Some(inner) => at = inner,
                None => return (self.node(at), false),
            }
        }
        (self.node(at), true)
    }

    fn child(&self, text: &str, parent: usize, name: &str) -> Option<usize> {
        let parent = &self.nodes[parent];
        let children = &self.children[parent.children.clone()];
        if !parent.is_object {
            return children.get(name.parse::<usize>().ok()?).copied();
        }
        // If a key appears twice, the last one counts.
        let after = children.partition_point(|node| self.nodes[*node].name(text) <= name);
        let found = *children.get(after.checked_sub(1)?)?;
        (self.nodes[found].name(text) == name).then_some(found)
    }
}

impl Node {
    fn name<'n>(&'n self, text: &'n str) -> &'n str {
        match (&self.plain, &self.key) {
            (Some(plain), _) => plain,
            (None, Some(key)) => &text[key.start + 1..key.end - 1],
            (None, None) => "",
        }
    }
}

/// Reads a text that is known to be valid, to find where values begin and end.
struct JsonReader<'t> {
    text: &'t str,
    at: usize,
    spans: ValueSpans,
    /// The children so far of the values that are not finished yet.
    open: Vec<usize>,
    oddities: Vec<Oddity>,
}

impl JsonReader<'_> {
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// The next character that is not blank.
    fn next(&mut self) -> u8 {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.peek()
    }

    fn value(&mut self, key: Option<Range<usize>>, plain: Option<Box<str>>) -> usize {
        let first = self.next();
        let (start, begin) = (self.at, self.spans.children.len());
        let mut children = begin..begin;
        match first {
            b'"' => drop(self.text()),
            b'{' | b'[' => children = self.list(first == b'{'),
            _ => {
                while !matches!(self.peek(), b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t' | 0) {
                    self.at += 1;
                }
            }
        }
        self.spans.nodes.push(Node { key, plain, value: start..self.at, children, is_object: first == b'{' });
        self.spans.nodes.len() - 1
    }

    /// Reads members or items. Returns where they are among the children.
    fn list(&mut self, is_object: bool) -> Range<usize> {
        let open = self.open.len();
        self.at += 1;
        loop {
            match self.next() {
                b']' | b'}' => break self.at += 1,
                // This cannot be in a valid text.
                0 => break,
                b',' => self.at += 1,
                _ if is_object => {
                    let (key, plain) = self.text();
                    self.next();
                    self.at += 1;
                    let member = self.value(Some(key), plain);
                    self.open.push(member);
                }
                _ => {
                    let item = self.value(None, None);
                    self.open.push(item);
                }
            }
        }
        let inner = &mut self.open[open..];
        if is_object {
            // Members with the same name stay in the order of the text.
            let (nodes, text) = (&self.spans.nodes, self.text);
            inner.sort_by(|a, b| nodes[*a].name(text).cmp(nodes[*b].name(text)));
            let mut first = 0;
            for at in 1..inner.len() {
                match nodes[inner[first]].name(text) == nodes[inner[at]].name(text) {
                    true => self.oddities.push(Oddity::Twice(inner[first], inner[at])),
                    false => first = at,
                }
            }
        }
        let begin = self.spans.children.len();
        self.spans.children.extend(self.open.drain(open..));
        begin..self.spans.children.len()
    }

    /// A text: its bytes with the quotes, and its value if it has escapes.
    fn text(&mut self) -> (Range<usize>, Option<Box<str>>) {
        let start = self.at;
        let mut escapes = false;
        self.at += 1;
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at).filter(|byte| **byte != b'"') {
            escapes |= *byte == b'\\';
            self.at += if *byte == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        let whole = start..self.at;
        let Some(quoted) = self.text.get(whole.clone()) else { return (whole, None) };
        let plain = escapes.then(|| serde_json::from_str::<Box<str>>(quoted).unwrap_or_default());
        let hidden = escape::hidden(plain.as_deref().unwrap_or(quoted));
        self.oddities.extend(hidden.map(|hidden| Oddity::Hidden(whole.clone(), hidden)));
        (whole, plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value of a text by pointer, with the text of its span.
    fn all(value: &serde_json::Value, pointer: String, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(object) => {
                for (key, inner) in object {
                    all(inner, format!("{pointer}/{}", crate::pointer::escape(key)), found);
                }
            }
            serde_json::Value::Array(list) => {
                for (at, inner) in list.iter().enumerate() {
                    all(inner, format!("{pointer}/{at}"), found);
                }
            }
            _ => {}
        }
        found.push(pointer);
    }

    #[test]
    fn every_value_stands_where_it_is_found() {
        let text = "{\"b\": [1, -2.5e3 ,{\"\": null}, []], \"a~/\\u0062\":\"x\\\"y\",\n\"\": true, \"Ż\":{ } }";
        let value: serde_json::Value = serde_json::from_str(text).expect("valid");
        let (spans, oddities) = ValueSpans::new(text);
        assert_eq!(oddities, []);
        let mut pointers = Vec::new();
        all(&value, String::new(), &mut pointers);
        assert_eq!(pointers.len(), 10);
        for pointer in pointers {
            let (place, exact) = spans.find(text, &pointer);
            assert!(exact, "{pointer}");
            let there: serde_json::Value = serde_json::from_str(&text[place.value.clone()]).expect("a value");
            assert_eq!(Some(&there), value.pointer(&pointer), "{pointer}");
        }
        assert_eq!(spans.find(text, "/b/2/x").0.value, spans.find(text, "/b/2").0.value);
        let keys = spans.inner(spans.root()).into_iter().map(|node| spans.node(node).key.map(|key| &text[key.clone()]));
        assert_eq!(keys.collect::<Vec<_>>(), [Some("\"b\""), Some("\"a~/\\u0062\""), Some("\"\""), Some("\"Ż\"")]);
    }

    #[test]
    fn oddities_are_noted() {
        let text = "{\"a\": 1, \"b\": \"\\u001b\", \"a\": \"\u{202e}\", \"a\": 3}";
        let (spans, oddities) = ValueSpans::new(text);
        let keys = |first: usize, again: usize| (spans.node(first).value.start, spans.node(again).value.start);
        let found: Vec<_> = oddities
            .iter()
            .map(|oddity| match oddity {
                Oddity::Twice(first, again) => keys(*first, *again),
                Oddity::Hidden(bytes, c) => (bytes.start, *c as usize),
            })
            .collect();
        assert_eq!(found, [(14, 0x1b), (29, 0x202e), (6, 29), (6, 41)]);
        assert_eq!(spans.find(text, "/a").0.value, &(41..42), "the last one counts");
    }
}
