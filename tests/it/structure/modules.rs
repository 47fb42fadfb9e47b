//! The modules of a crate, and which file takes which names from which other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::tokens::{Kind, Token, tokens};

/// A crate as the law sees it. Files are named relative to the folder of the crate's root file.
#[derive(Default)]
pub struct Crate {
    modules: Vec<Module>,
    /// Files with the number of their lines.
    pub files: BTreeMap<PathBuf, usize>,
    pub functions: Vec<Function>,
}

/// A function, with how many lines it has from `fn` to its end.
pub struct Function {
    pub file: PathBuf,
    pub line: usize,
    pub name: String,
    pub lines: usize,
}

struct Module {
    file: PathBuf,
    parent: usize,
    children: BTreeMap<String, usize>,
    /// Names that are defined in it.
    items: BTreeSet<String>,
    /// Whether a macro may define further names.
    has_macros: bool,
    uses: Vec<Use>,
    /// All words outside of `use` items.
    words: BTreeSet<String>,
    /// Paths of at least two words outside of `use` items.
    paths: BTreeSet<Vec<String>>,
}

/// A name that a `use` imports; `*` for everything in a module.
struct Use {
    path: Vec<String>,
    alias: String,
    is_public: bool,
}

/// Which file imports from which, with one of the names.
pub type Arrows = BTreeMap<PathBuf, BTreeMap<PathBuf, String>>;

const ITEMS: [&str; 9] = ["struct", "enum", "union", "trait", "type", "fn", "const", "static", "macro_rules"];

impl Crate {
    /// Reads a crate from its root file. `read` returns the text of a file, or `None` if it does not exist.
    pub fn read(root: &str, read: &dyn Fn(&Path) -> Option<String>) -> Crate {
        let mut found = Crate::default();
        found.read_file(PathBuf::from(root), Path::new(""), 0, read);
        found
    }

    fn read_file(
        &mut self,
        file: PathBuf,
        folder: &Path,
        parent: usize,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> usize {
        let source = read(&file).unwrap_or_else(|| panic!("there is no file {}", file.display()));
        self.files.insert(file.clone(), source.lines().count());
        let tokens = without_tests(&tokens(&source));
        self.functions.extend(functions(&file, &tokens));
        self.read_module(file, folder, parent, &tokens, read)
    }

    /// Reads a module whose child modules are in `folder`.
    fn read_module(
        &mut self,
        file: PathBuf,
        folder: &Path,
        parent: usize,
        tokens: &[Token],
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> usize {
        let here = self.modules.len();
        self.modules.push(Module {
            file: file.clone(),
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            has_macros: false,
            uses: Vec::new(),
            words: BTreeSet::new(),
            paths: BTreeSet::new(),
        });
        let (mut at, mut depth) = (0, 0usize);
        while let Some(token) = tokens.get(at) {
            let next = |ahead: usize| tokens.get(at + ahead);
            match &token.kind {
                Kind::Sign('{') => depth += 1,
                Kind::Sign('}') => depth = depth.saturating_sub(1),
                Kind::Word(word) if word == "mod" && next(1).is_some_and(|name| name.word().is_some()) => {
                    let name = tokens[at + 1].word().unwrap_or_default().to_owned();
                    let inner = folder.join(&name);
                    let child = if next(2).is_some_and(|sign| sign.is(';')) {
                        let beside = folder.join(format!("{name}.rs"));
                        let file = if read(&beside).is_some() { beside } else { inner.join("mod.rs") };
                        self.read_file(file, &inner, here, read)
                    } else {
                        let end = block_end(tokens, at + 2);
                        let child = self.read_module(file.clone(), &inner, here, &tokens[at + 3..end], read);
                        at = end - 2;
                        child
                    };
                    self.modules[here].children.insert(name, child);
                    at += 3;
                    continue;
                }
                Kind::Word(word) if word == "use" => {
                    let is_public = is_public(tokens, at);
                    let end = (at..tokens.len()).find(|end| tokens[*end].is(';')).unwrap_or(tokens.len());
                    self.modules[here].add_uses(&tokens[at + 1..end], is_public);
                    at = end;
                }
                Kind::Word(word) => {
                    let module = &mut self.modules[here];
                    if depth == 0 && ITEMS.contains(&word.as_str()) {
                        let name = tokens[at + 1..].iter().find_map(Token::word).unwrap_or_default();
                        module.items.insert(name.to_owned());
                    } else if depth == 0 && next(1).is_some_and(|sign| sign.is('!')) {
                        module.has_macros = true;
                    }
                    module.words.insert(word.clone());
                    if at == 0 || tokens[at - 1].kind != Kind::Path {
                        module.add_path(&tokens[at..]);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        here
    }

    /// The module that defines the target of a path; `None` outside of the crate.
    fn definer(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let here = &self.modules[module];
        match first.as_str() {
            _ if depth > 32 => return None,
            "crate" => return self.inside(0, rest, depth),
            "super" => return self.inside(here.parent, rest, depth),
            "self" => return self.inside(module, rest, depth),
            _ => {}
        }
        if let Some(child) = here.children.get(first) {
            return self.inside(*child, rest, depth);
        }
        if here.items.contains(first) {
            return Some(module);
        }
        let named = here.uses.iter().find(|used| used.alias == *first && used.path != path);
        if let Some(used) = named {
            let whole: Vec<String> = used.path.iter().chain(rest).cloned().collect();
            return self.definer(module, &whole, depth + 1);
        }
        let globs = here.uses.iter().filter(|used| used.alias == "*");
        globs.filter_map(|glob| self.module(module, &glob.path, depth + 1)).find_map(|from| {
            let is_known = from != module && self.offers(from, first);
            if is_known { self.definer(from, path, depth + 1) } else { None }
        })
    }

    /// The module that defines the target of a path inside of a module. It is that module itself if only a macro can
    /// have defined the name. `None` if the path ends at the module.
    fn inside(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        let name = path.first().filter(|name| *name != "*")?;
        let by_macro = self.modules[module].has_macros && !self.offers(module, name);
        self.definer(module, path, depth + 1).or(by_macro.then_some(module))
    }

    fn offers(&self, module: usize, name: &str) -> bool {
        let module = &self.modules[module];
        module.children.contains_key(name)
            || module.items.contains(name)
            || module.uses.iter().any(|used| used.alias == name || used.alias == "*")
    }

    /// The module that a path names.
    fn module(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        let Some((first, rest)) = path.split_first() else { return Some(module) };
        let here = &self.modules[module];
        match first.as_str() {
            _ if depth > 32 => None,
            "crate" => self.module(0, rest, depth),
            "super" => self.module(here.parent, rest, depth),
            "self" => self.module(module, rest, depth),
            _ => {
                if let Some(child) = here.children.get(first) {
                    return self.module(*child, rest, depth);
                }
                let used = here.uses.iter().find(|used| used.alias == *first && used.path != path)?;
                let whole: Vec<String> = used.path.iter().chain(rest).cloned().collect();
                self.module(module, &whole, depth + 1)
            }
        }
    }

    /// All imports between files. A re-export alone does not count; it leads to the file that defines the name.
    pub fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (at, module) in self.modules.iter().enumerate() {
            let mut add = |to: usize, name: &str| {
                let to = &self.modules[to].file;
                if *to != module.file {
                    arrows.entry(module.file.clone()).or_default().entry(to.clone()).or_insert(name.to_owned());
                }
            };
            for used in &module.uses {
                if used.alias == "*" {
                    let Some(from) = self.module(at, &used.path, 0) else { continue };
                    let offered = &self.modules[from];
                    if offered.has_macros {
                        add(from, "*");
                    }
                    let names = offered.items.iter().chain(offered.uses.iter().map(|used| &used.alias));
                    for name in names.filter(|name| module.words.contains(*name)) {
                        self.definer(from, std::slice::from_ref(name), 0).into_iter().for_each(|to| add(to, name));
                    }
                } else if !used.is_public || module.words.contains(&used.alias) {
                    let name = used.path.last().map_or("", String::as_str);
                    self.definer(at, &used.path, 0).into_iter().for_each(|to| add(to, name));
                }
            }
            for path in &module.paths {
                let name = path.last().map_or("", String::as_str);
                self.definer(at, path, 0).into_iter().for_each(|to| add(to, name));
            }
        }
        arrows
    }
}

impl Module {
    fn add_uses(&mut self, tokens: &[Token], is_public: bool) {
        for path in use_paths(tokens) {
            let Some((alias, path)) = path.split_last() else { continue };
            let (mut path, mut alias) = (path.to_vec(), alias.clone());
            if let Some((name, renamed)) = alias.clone().split_once(" as ") {
                path.push(name.to_owned());
                alias = renamed.to_owned();
            } else if alias != "*" {
                path.push(alias.clone());
            }
            if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
                path.pop();
                alias = if alias == "self" { path[path.len() - 1].clone() } else { alias };
            }
            self.uses.push(Use { path, alias, is_public });
        }
    }

    /// The path that begins here, if it has at least two words.
    fn add_path(&mut self, tokens: &[Token]) {
        let mut path = Vec::new();
        for pair in tokens.chunks(2) {
            let Some(word) = pair[0].word() else { break };
            path.push(word.to_owned());
            if pair.get(1).is_none_or(|sign| sign.kind != Kind::Path) {
                break;
            }
        }
        if path.len() > 1 {
            self.paths.insert(path);
        }
    }
}

/// The paths of a `use`, each with its name or `name as alias` or `*` at its end.
fn use_paths(tokens: &[Token]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut prefix: Vec<String> = Vec::new();
    let mut outer: Vec<usize> = vec![0];
    let mut is_whole = false;
    for token in tokens {
        match &token.kind {
            Kind::Word(word) if word == "as" => {
                if let Some(name) = prefix.last_mut() {
                    name.push_str(" as ");
                }
            }
            Kind::Word(word) => match prefix.last_mut() {
                Some(name) if name.ends_with(" as ") => name.push_str(word),
                _ => {
                    prefix.push(word.clone());
                    is_whole = true;
                }
            },
            Kind::Sign('*') => {
                prefix.push("*".to_owned());
                is_whole = true;
            }
            Kind::Sign('{') => {
                outer.push(prefix.len());
                is_whole = false;
            }
            Kind::Sign(',' | '}') => {
                if std::mem::take(&mut is_whole) {
                    paths.push(prefix.clone());
                }
                if token.is('}') {
                    outer.pop();
                }
                prefix.truncate(outer.last().copied().unwrap_or(0));
            }
            _ => {}
        }
    }
    if is_whole {
        paths.push(prefix);
    }
    paths
}

/// Whether the `use` at a position is a re-export.
fn is_public(tokens: &[Token], at: usize) -> bool {
    let is_pub = |back: usize| at >= back && tokens[at - back].is_word("pub");
    // `pub use`, or `pub(crate) use`.
    is_pub(1) || at > 0 && tokens[at - 1].is(')') && (2..6).any(is_pub)
}

/// The position after the block that begins at or after a position.
fn block_end(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.kind {
            Kind::Sign('{' | '(' | '[') => depth += 1,
            Kind::Sign('}' | ')' | ']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.is('}') {
                    return at + 1;
                }
            }
            Kind::Sign(';') if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The tokens without attributes and without code for tests.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !token.is('#') {
            kept.push(token.clone());
            at += 1;
            continue;
        }
        let start = at;
        let mut depth = 0usize;
        while let Some(token) = tokens.get(at) {
            depth += usize::from(token.is('['));
            depth = depth.saturating_sub(usize::from(token.is(']')));
            at += 1;
            if depth == 0 && token.is(']') || at > start + 1 && depth == 0 && !token.is('!') {
                break;
            }
        }
        let words: Vec<&str> = tokens[start..at].iter().filter_map(Token::word).collect();
        if words == ["cfg", "test"] || words == ["test"] {
            at = block_end(tokens, at);
        }
    }
    kept
}

fn functions(file: &Path, tokens: &[Token]) -> Vec<Function> {
    let is_function = |at: &usize| tokens[*at].is_word("fn") && tokens.get(at + 1).is_some_and(|t| t.word().is_some());
    let function = |at: usize| {
        let line = tokens[at].line;
        let end = tokens[block_end(tokens, at) - 1].line;
        let name = tokens[at + 1].word().unwrap_or_default().to_owned();
        Function { file: file.to_owned(), line, name, lines: end + 1 - line }
    };
    (0..tokens.len()).filter(is_function).map(function).collect()
}
