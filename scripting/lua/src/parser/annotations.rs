//! Parses types. They are not in the tree.

use super::{Parser, Read};
use crate::lexer::TokenKind;
use crate::tree::StmtKind;
use crate::{ByteSpan, Extension};

impl Parser<'_> {
    /// `: T`, if present.
    pub(super) fn annotation(&mut self) -> Read<()> {
        if !self.is(":") {
            return Ok(());
        }
        self.beyond(Extension::Types, self.span());
        self.step();
        self.type_()
    }

    /// `<T, U...>`, if present.
    pub(super) fn generics(&mut self) -> Read<()> {
        if !self.is("<") {
            return Ok(());
        }
        self.beyond(Extension::Types, self.span());
        self.type_list("<", ">", "`>`")
    }

    /// A type alias, from the name of the type.
    pub(super) fn type_alias(&mut self, keyword: ByteSpan) -> Read<StmtKind> {
        self.beyond(Extension::Types, keyword);
        self.name()?;
        if self.is("<") {
            self.type_list("<", ">", "`>`")?;
        }
        self.need("=", "`=`")?;
        self.type_()?;
        Ok(StmtKind::Type)
    }

    pub(super) fn type_(&mut self) -> Read<()> {
        self.deeper()?;
        if !self.take("|") {
            self.take("&");
        }
        loop {
            self.simple_type()?;
            while self.take("?") || self.take("...") {}
            if !self.take("|") && !self.take("&") {
                break;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn simple_type(&mut self) -> Read<()> {
        match self.peek() {
            TokenKind::Text | TokenKind::Template | TokenKind::Sign("nil" | "true" | "false") => self.step(),
            TokenKind::Sign("...") => {
                self.step();
                self.type_()?;
            }
            TokenKind::Sign("{") => self.type_list("{", "}", "`}`")?,
            TokenKind::Sign("<") => {
                self.type_list("<", ">", "`>`")?;
                self.function_type()?;
            }
            TokenKind::Sign("(") => self.function_type()?,
            TokenKind::Name if self.is_word("typeof") && self.peek_next() == TokenKind::Sign("(") => {
                self.step();
                let open = self.span();
                self.step();
                self.expr()?;
                self.close(")", "`)`", &open)?;
            }
            TokenKind::Name => {
                self.step();
                while self.take(".") {
                    self.name()?;
                }
                if self.is("<") {
                    self.type_list("<", ">", "`>`")?;
                }
            }
            _ => return self.unexpected("a type"),
        }
        Ok(())
    }

    /// `(T, U)`, optionally with a result.
    fn function_type(&mut self) -> Read<()> {
        self.type_list("(", ")", "`)`")?;
        if self.take("->") { self.type_() } else { Ok(()) }
    }

    /// Types between brackets, optionally with names, keys or defaults.
    fn type_list(&mut self, open: &'static str, close: &'static str, named: &'static str) -> Read<()> {
        let bracket = self.span();
        self.need(open, "a type")?;
        while !self.is(close) {
            if (self.is_word("read") || self.is_word("write")) && self.peek_next() != TokenKind::Sign(":") {
                self.step();
            }
            if self.is("[") {
                self.type_list("[", "]", "`]`")?;
                self.need(":", "`:`")?;
            } else if self.peek() == TokenKind::Name && self.peek_next() == TokenKind::Sign(":") {
                self.step();
                self.step();
            }
            self.type_()?;
            if self.take("=") {
                self.type_()?;
            }
            if !self.take(",") && !self.take(";") {
                break;
            }
        }
        self.close(close, named, &bracket)
    }
}
