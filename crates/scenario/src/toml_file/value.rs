//! A TOML value as serde reads it.
//!
//! The deserializer of the `toml` crate turns an unknown key into prose before its caller can look for the nearest
//! known one, and does not name the table of an error; hence this one, over the values that crate parses.

use std::ops::Range;
use std::vec;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde_spanned::de::{SpannedDeserializer, is_spanned};
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeString, DeTable, DeValue};

use super::problem::Problem;

/// A value and how messages name it.
pub(super) struct Value<'de> {
    value: DeValue<'de>,
    span: Range<usize>,
    /// Keys that lead to it, joined by dots.
    path: String,
    /// How messages name it: "`weight` in [[site]]", "[[site]]"; empty for the whole file.
    name: String,
}

impl<'de> Value<'de> {
    /// A whole file.
    pub fn root(table: Spanned<DeTable<'de>>) -> Self {
        Self {
            span: table.span(),
            value: DeValue::Table(table.into_inner()),
            path: String::new(),
            name: String::new(),
        }
    }

    /// The value at `path`, which messages call `name`, or `table` if it is one.
    fn at(value: Spanned<DeValue<'de>>, path: String, name: String, table: String) -> Self {
        let is_table = matches!(value.get_ref(), DeValue::Table(_));
        Self {
            span: value.span(),
            value: value.into_inner(),
            path,
            name: if is_table { table } else { name },
        }
    }

    /// Reads it from `seed`; an error without a place is about this value.
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Problem> {
        let (span, name) = (self.span.clone(), self.name.clone());
        seed.deserialize(self)
            .map_err(|problem| problem.at(&span, &name))
    }
}

/// How messages name `key` of the table that they call `table`.
fn key_name(key: &str, table: &str) -> String {
    match table {
        "" => format!("`{key}`"),
        table => format!("`{key}` in {table}"),
    }
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.value {
            DeValue::String(text) if text.is_empty() => Err(Problem::custom("must not be empty")),
            DeValue::String(text) => visitor.visit_str(&text),
            DeValue::Integer(integer) => visit_integer(&integer, visitor),
            DeValue::Float(float) => visit_float(&float, visitor),
            DeValue::Boolean(flag) => visitor.visit_bool(flag),
            DeValue::Datetime(_) => {
                Err(Problem::invalid_type(Unexpected::Other("a date"), &visitor))
            }
            DeValue::Array(items) => visitor.visit_seq(Items {
                items: items.into_iter(),
                path: self.path,
                name: self.name,
            }),
            DeValue::Table(table) => visitor.visit_map(Entries {
                entries: table.into_iter(),
                value: None,
                path: self.path,
                name: self.name,
            }),
        }
    }

    /// A float without a fraction is a whole number too: `1e6`.
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if let DeValue::Float(float) = &self.value
            && let Ok(number) = float.as_str().parse::<f64>()
            && number.fract() == 0.0
            && (0.0..u64::MAX as f64).contains(&number)
        {
            return visitor.visit_u64(number as u64);
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if is_spanned(name) {
            let span = self.span.clone();
            return visitor.visit_map(SpannedDeserializer::new(self, span));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        match &self.value {
            DeValue::String(text) => visitor.visit_enum(text.as_ref().into_deserializer()),
            DeValue::Array(_) => Err(Problem::custom(
                "must not be a list; write text in quotes, or a table once as [name]",
            )),
            _ => Err(Problem::custom("must be text in quotes")),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

fn visit_integer<'de, V: Visitor<'de>>(
    integer: &DeInteger,
    visitor: V,
) -> Result<V::Value, Problem> {
    let (digits, radix) = (integer.as_str(), integer.radix());
    if let Ok(number) = u64::from_str_radix(digits, radix) {
        visitor.visit_u64(number)
    } else if let Ok(number) = i64::from_str_radix(digits, radix) {
        visitor.visit_i64(number)
    } else {
        Err(Problem::custom(
            "has more digits than any number here needs",
        ))
    }
}

fn visit_float<'de, V: Visitor<'de>>(float: &DeFloat, visitor: V) -> Result<V::Value, Problem> {
    match float.as_str().parse::<f64>() {
        Ok(number) if number.is_finite() => visitor.visit_f64(number),
        _ => Err(Problem::custom("must be a finite number")),
    }
}

impl<'de> IntoDeserializer<'de, Problem> for Value<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The keys and values of a table, in turn.
struct Entries<'de> {
    entries: toml::map::IntoIter<Spanned<DeString<'de>>, Spanned<DeValue<'de>>>,
    /// The value of the key read last.
    value: Option<Value<'de>>,
    path: String,
    name: String,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Problem;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Problem> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        let path = match self.path.as_str() {
            "" => key.get_ref().to_string(),
            path => format!("{path}.{}", key.get_ref()),
        };
        let name = key_name(key.get_ref(), &self.name);
        let read = seed.deserialize(StrDeserializer::new(key.get_ref()));
        let read = read.map_err(|problem: Problem| problem.at(&key.span(), &name))?;
        let table = format!("[{path}]");
        self.value = Some(Value::at(value, path, name, table));
        Ok(Some(read))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Problem> {
        match self.value.take() {
            Some(value) => value.read(seed),
            None => Err(Problem::custom("a value was asked for before its key")),
        }
    }
}

/// The values of a list, in turn.
struct Items<'de> {
    items: vec::IntoIter<Spanned<DeValue<'de>>>,
    path: String,
    name: String,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Problem;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Problem> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let table = format!("[[{}]]", self.path);
        let value = Value::at(item, self.path.clone(), self.name.clone(), table);
        value.read(seed).map(Some)
    }
}
