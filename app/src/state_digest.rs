//! Digests of states for records of games: with the names of keywords and hooks instead of their numbers, so that packs
//! can add some.

use std::fmt;

use principes_core::catalog::HookSource;
use principes_core::{Catalog, HookId, SymbolId, Value, World};
use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};
use sha2::{Digest as _, Sha256};

use crate::digest::hex;

/// A digest of a world, as 16 hexadecimal digits. Keywords and functions that packs add elsewhere do not change it.
pub fn state_digest(catalog: &Catalog, world: &World) -> String {
    let mut bytes = Bytes { catalog, out: Vec::with_capacity(4096) };
    // Plain data without maps or floats can always be serialized. Half of it must not pass for the whole.
    match world.serialize(&mut bytes) {
        Ok(()) => hex(&Sha256::digest(&bytes.out)[..8]),
        Err(NotPlain) => principes_core::game::digest(world),
    }
}

/// The bytes of plain data.
struct Bytes<'c> {
    catalog: &'c Catalog,
    out: Vec<u8>,
}

impl Bytes<'_> {
    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.out.extend(text.as_bytes());
    }

    fn length(&mut self, length: usize) {
        self.out.extend((length as u64).to_le_bytes());
    }

    /// The number in an id.
    fn number<T: Serialize + ?Sized>(&mut self, id: &T) -> Result<u16, NotPlain> {
        let before = self.out.len();
        id.serialize(&mut *self)?;
        let bytes = self.out.split_off(before);
        bytes.try_into().map(u16::from_le_bytes).map_err(|_| NotPlain)
    }

    /// A hook by its function and what it listens to.
    fn hook(&mut self, id: HookId) {
        let Some(hook) = self.catalog.hooks.get(id.index()) else { return self.text("?") };
        let catalog = self.catalog;
        let owner = match hook.source {
            HookSource::Flow => String::new(),
            HookSource::Design(design) => catalog.id_of(Value::Design(design)),
            HookSource::Rule(rule) => catalog.id_of(Value::Rule(rule)),
        };
        let point = hook.point.and_then(|point| catalog.points.get(point.index())).map_or("", |point| &point.id);
        for part in [&hook.module, &hook.function, &owner, point] {
            self.text(part);
        }
    }
}

/// Data that is not plain.
#[derive(Debug)]
struct NotPlain;

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("maps and floats have no digest")
    }
}

impl std::error::Error for NotPlain {}

impl ser::Error for NotPlain {
    fn custom<T: fmt::Display>(_: T) -> Self {
        NotPlain
    }
}

type Done = Result<(), NotPlain>;

macro_rules! numbers {
    ($($name:ident $ty:ty;)*) => {$(
        fn $name(self, n: $ty) -> Done {
            self.out.extend(n.to_le_bytes());
            Ok(())
        }
    )*};
}

impl Serializer for &mut Bytes<'_> {
    type Ok = ();
    type Error = NotPlain;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Impossible<(), NotPlain>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64;
        serialize_u8 u8; serialize_u16 u16; serialize_u32 u32; serialize_u64 u64;
    }
    fn serialize_bool(self, yes: bool) -> Done {
        self.serialize_u8(yes.into())
    }
    fn serialize_f32(self, _: f32) -> Done {
        Err(NotPlain)
    }
    fn serialize_f64(self, _: f64) -> Done {
        Err(NotPlain)
    }
    fn serialize_char(self, c: char) -> Done {
        self.serialize_u32(c.into())
    }
    fn serialize_str(self, text: &str) -> Done {
        self.text(text);
        Ok(())
    }
    fn serialize_bytes(self, bytes: &[u8]) -> Done {
        self.length(bytes.len());
        self.out.extend(bytes);
        Ok(())
    }
    fn serialize_none(self) -> Done {
        self.serialize_u8(0)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        self.out.push(1);
        value.serialize(self)
    }
    fn serialize_unit(self) -> Done {
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Done {
        Ok(())
    }
    fn serialize_unit_variant(self, _: &'static str, variant: u32, _: &'static str) -> Done {
        self.serialize_u32(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Done {
        match name {
            "SymbolId" => {
                let symbol = SymbolId(self.number(value)?);
                self.text(self.catalog.symbols.name(symbol.index()));
            }
            "HookId" => {
                let hook = HookId(self.number(value)?);
                self.hook(hook);
            }
            _ => value.serialize(self)?,
        }
        Ok(())
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        value: &T,
    ) -> Done {
        self.out.extend(variant.to_le_bytes());
        value.serialize(self)
    }
    fn serialize_seq(self, length: Option<usize>) -> Result<Self, NotPlain> {
        self.length(length.ok_or(NotPlain)?);
        Ok(self)
    }
    fn serialize_tuple(self, _: usize) -> Result<Self, NotPlain> {
        Ok(self)
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, NotPlain> {
        Ok(self)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, NotPlain> {
        self.out.extend(variant.to_le_bytes());
        Ok(self)
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, NotPlain> {
        Err(NotPlain)
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, NotPlain> {
        Ok(self)
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, NotPlain> {
        self.out.extend(variant.to_le_bytes());
        Ok(self)
    }
    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! parts {
    ($($of:ident $part:ident($($key:ty)?);)*) => {$(
        impl ser::$of for &mut Bytes<'_> {
            type Ok = ();
            type Error = NotPlain;
            fn $part<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> Done {
                value.serialize(&mut **self)
            }
            fn end(self) -> Done {
                Ok(())
            }
        }
    )*};
}
parts! {
    SerializeSeq serialize_element();
    SerializeTuple serialize_element();
    SerializeTupleStruct serialize_field();
    SerializeTupleVariant serialize_field();
    SerializeStruct serialize_field(&'static str);
    SerializeStructVariant serialize_field(&'static str);
}
