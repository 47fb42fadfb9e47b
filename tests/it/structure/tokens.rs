//! Rust source as a list of words and signs, without comments and spaces. This is enough to find imports.

/// A word, a sign or the text of a string, with its line, from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub kind: Kind,
    pub line: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Word(String),
    Text(String),
    /// `::`
    Path,
    Sign(char),
}

impl Token {
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }
    pub fn is(&self, sign: char) -> bool {
        self.kind == Kind::Sign(sign)
    }
    pub fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }
}

/// The tokens of a source.
pub fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let mut scanner = Scanner { chars: &chars, at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(next) = scanner.peek(0) {
        let line = scanner.line;
        if let Some(kind) = scanner.token(next) {
            tokens.push(Token { kind, line });
        }
    }
    tokens
}

struct Scanner<'a> {
    chars: &'a [char],
    at: usize,
    line: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.line += usize::from(self.peek(0) == Some('\n'));
            self.at += 1;
        }
    }

    fn skip_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek(0).is_some_and(&fits) {
            self.skip(1);
        }
        self.chars[start..self.at].iter().collect()
    }

    /// The next token, or none if the text does not continue with a token.
    fn token(&mut self, next: char) -> Option<Kind> {
        match (next, self.peek(1)) {
            ('/', Some('/')) => {
                self.skip_while(|c| c != '\n');
                None
            }
            ('/', Some('*')) => {
                self.skip_comment();
                None
            }
            ('"', _) => Some(Kind::Text(self.text())),
            ('\'', _) => {
                self.skip_char_or_lifetime();
                None
            }
            (':', Some(':')) => {
                self.skip(2);
                Some(Kind::Path)
            }
            _ if next.is_whitespace() => {
                self.skip(1);
                None
            }
            _ if next.is_alphabetic() || next == '_' => Some(self.word()),
            _ if next.is_ascii_digit() => {
                self.skip_while(|c| c.is_alphanumeric() || c == '_');
                None
            }
            _ => {
                self.skip(1);
                Some(Kind::Sign(next))
            }
        }
    }

    /// A word; or a string that starts with letters, such as `r#"…"#`.
    fn word(&mut self) -> Kind {
        let word = self.skip_while(|c| c.is_alphanumeric() || c == '_');
        let hashes = self.chars[self.at..].iter().take_while(|c| **c == '#').count();
        match word.as_str() {
            "r" | "br" | "cr" if self.peek(hashes) == Some('"') => {
                self.skip(hashes);
                Kind::Text(self.raw_text(hashes))
            }
            "b" | "c" if self.peek(0) == Some('"') => Kind::Text(self.text()),
            "r" if hashes == 1 => {
                self.skip(1);
                Kind::Word(self.skip_while(|c| c.is_alphanumeric() || c == '_'))
            }
            _ => Kind::Word(word),
        }
    }

    fn text(&mut self) -> String {
        self.skip(1);
        let start = self.at;
        while let Some(next) = self.peek(0).filter(|c| *c != '"') {
            self.skip(if next == '\\' { 2 } else { 1 });
        }
        let text = self.chars[start..self.at.min(self.chars.len())].iter().collect();
        self.skip(1);
        text
    }

    fn raw_text(&mut self, hashes: usize) -> String {
        self.skip(1);
        let start = self.at;
        let is_end = |at: usize| self.chars[at] == '"' && (1..=hashes).all(|i| self.chars.get(at + i) == Some(&'#'));
        let end = (start..self.chars.len()).find(|at| is_end(*at)).unwrap_or(self.chars.len());
        let text = self.chars[start..end].iter().collect();
        self.skip(end - start + 1 + hashes);
        text
    }

    fn skip_comment(&mut self) {
        let mut depth = 0;
        while let Some(next) = self.peek(0) {
            match (next, self.peek(1)) {
                ('/', Some('*')) => depth += 1,
                ('*', Some('/')) => depth -= 1,
                _ => {
                    self.skip(1);
                    continue;
                }
            }
            self.skip(2);
            if depth == 0 {
                return;
            }
        }
    }

    /// `'a'` and `'\n'` are characters, `'a` alone is a lifetime.
    fn skip_char_or_lifetime(&mut self) {
        match (self.peek(1), self.peek(2)) {
            (Some('\\'), _) => {
                self.skip(3);
                self.skip_while(|c| c != '\'');
                self.skip(1);
            }
            (_, Some('\'')) => self.skip(3),
            _ => self.skip(1),
        }
    }
}
