//! Kinds of values that several files have.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::value::{SeqAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use crate::{MemorySize, SizeError, parse_bytes};

/// A size: text such as `"512MiB"`, or a whole number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        parse_bytes(text).map(Self)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizeVisitor(PhantomData))
    }
}

impl<'de> Deserialize<'de> for MemorySize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizeVisitor(PhantomData))
    }
}

/// A size as [`Bytes`], or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BytesOrNone(pub u64);

impl FromStr for BytesOrNone {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        match text {
            "0" => Ok(Self(0)),
            text => parse_bytes(text).map(Self),
        }
    }
}

impl<'de> Deserialize<'de> for BytesOrNone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizeVisitor(PhantomData))
    }
}

struct SizeVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err = SizeError>> Visitor<'_> for SizeVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a size such as \"512MiB\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, bytes: u64) -> Result<T, E> {
        self.visit_str(&bytes.to_string())
    }

    fn visit_i64<E: Error>(self, bytes: i64) -> Result<T, E> {
        self.visit_str(&bytes.to_string())
    }
}

/// One text, or a list of texts, read as `T`s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(OneOrManyVisitor(PhantomData))
            .map(Self)
    }
}

struct OneOrManyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrManyVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("text in quotes or a list of such texts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        Ok(vec![T::deserialize(StrDeserializer::new(text))?])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list))
    }
}
