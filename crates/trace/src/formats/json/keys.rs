//! The description of a JSON log: which keys hold the fields of a request.

use super::field::JsonField;
use super::reader::{JsonReader, object_in};
use super::scan::{self, Paths};
use crate::formats::Format;
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// Which keys hold the fields of a request, as `time=ts,uri=request.uri,status=status`.
///
/// Dots lead into objects. A field that is given twice has a second choice: of its keys the first that a line holds
/// counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonKeys {
    keys: Vec<(JsonField, String)>,
}

/// Why a description cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonKeysError {
    /// A piece that is not `FIELD=KEY`.
    #[error(
        "'{0}' is not FIELD=KEY; write for example uri=request.uri, with commas between fields"
    )]
    Piece(String),
    /// A field that there is not.
    #[error("there is no field '{0}'; known are {known}", known = names())]
    UnknownField(String),
    /// Nothing says what was asked for.
    #[error("no key holds the path; add uri=KEY, or request=KEY for a whole request line")]
    NoUri,
    /// Nothing says how it was answered.
    #[error("no key holds the status; add status=KEY")]
    NoStatus,
}

fn names() -> String {
    JsonField::ALL.map(JsonField::name).join(", ")
}

/// A key that no line at the head of a log holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingKey {
    /// The field that wants it.
    pub field: JsonField,
    /// The field's keys.
    pub keys: Vec<String>,
    /// Lines of JSON that were looked at.
    pub lines: usize,
    /// Keys that the first of them holds.
    pub held: Vec<String>,
}

impl JsonKeys {
    /// The description that `keys` are, the first choice of each field first.
    ///
    /// # Errors
    /// No key for the path or the status.
    pub fn new(keys: Vec<(JsonField, String)>) -> Result<JsonKeys, JsonKeysError> {
        let has = |wanted: &[JsonField]| keys.iter().any(|(field, _)| wanted.contains(field));
        if !has(&[JsonField::Uri, JsonField::Request]) {
            return Err(JsonKeysError::NoUri);
        }
        if !has(&[JsonField::Status]) {
            return Err(JsonKeysError::NoStatus);
        }
        Ok(JsonKeys { keys })
    }

    /// Fields and their keys.
    pub fn keys(&self) -> &[(JsonField, String)] {
        &self.keys
    }

    /// A reader of lines that hold these keys, in its initial state.
    pub fn parser(&self) -> Box<dyn Format> {
        Box::new(JsonReader::new(&self.keys))
    }

    /// The first field none of whose keys a line of `head` holds: the description is not of this log. None also
    /// where `head` has no lines of JSON.
    pub fn missing_in(&self, head: &[u8]) -> Option<MissingKey> {
        let documents = documents(head);
        let is_held = self.held_in(&documents);
        let field_is_held = |wanted: JsonField| {
            let mut keys = self.keys.iter().zip(&is_held);
            keys.any(|((field, _), is_held)| *field == wanted && *is_held)
        };
        let mut fields = self.keys.iter().map(|(field, _)| *field);
        let field = fields.find(|field| !field_is_held(*field))?;
        let keys = self.keys.iter().filter(|(of, _)| *of == field);
        Some(MissingKey {
            field,
            keys: keys.map(|(_, key)| key.clone()).collect(),
            lines: documents.len(),
            held: leaves(documents.first()?),
        })
    }

    /// Whether each key is in one of `documents` at least.
    fn held_in(&self, documents: &[&[u8]]) -> Vec<bool> {
        let paths = Paths::new(self.keys.iter().map(|(_, key)| key));
        let mut found: Vec<Option<scan::Value>> = Vec::new();
        let mut is_held = vec![false; self.keys.len()];
        for document in documents {
            if paths.scan(document, &mut found).is_ok() {
                for (path, is_held) in is_held.iter_mut().enumerate() {
                    *is_held |= paths.value(path, &found).is_some();
                }
            }
        }
        is_held
    }
}

/// The lines of `head` that are one JSON object each, behind any prefix; up to a thousand lines are looked at.
fn documents(head: &[u8]) -> Vec<&[u8]> {
    const SAMPLE_LINES: usize = 1000;
    let is_json = |text: &&[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
    let lines = head.split(|&byte| byte == b'\n').take(SAMPLE_LINES);
    lines.filter_map(object_in).filter(is_json).collect()
}

/// The keys of `document` that hold plain values, in the order of the alphabet.
pub(super) fn leaves(document: &[u8]) -> Vec<String> {
    let mut leaves = Vec::new();
    if let Ok(value) = serde_json::from_slice(document) {
        each_leaf(&value, "", &mut |path, _| leaves.push(path.to_owned()));
    }
    leaves
}

/// Calls `see` with all that a value holds beside objects, and the path to it with dots between its keys.
pub(in crate::formats) fn each_leaf(value: &Value, path: &str, see: &mut impl FnMut(&str, &Value)) {
    let Value::Object(members) = value else {
        return see(path, value);
    };
    for (key, value) in members {
        let dot = if path.is_empty() { "" } else { "." };
        each_leaf(value, &format!("{path}{dot}{key}"), see);
    }
}

impl fmt::Display for JsonKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piece = |(field, key): &(JsonField, String)| format!("{}={key}", field.name());
        let pieces: Vec<String> = self.keys.iter().map(piece).collect();
        f.write_str(&pieces.join(","))
    }
}

impl FromStr for JsonKeys {
    type Err = JsonKeysError;

    fn from_str(text: &str) -> Result<JsonKeys, JsonKeysError> {
        let keys: Result<Vec<_>, _> = text.split(',').map(|piece| key(piece.trim())).collect();
        JsonKeys::new(keys?)
    }
}

fn key(piece: &str) -> Result<(JsonField, String), JsonKeysError> {
    let broken = || JsonKeysError::Piece(piece.to_owned());
    let (name, key) = piece.split_once('=').ok_or_else(broken)?;
    let unknown = |_| JsonKeysError::UnknownField(name.to_owned());
    let field = name.parse().map_err(unknown)?;
    match key {
        "" => Err(broken()),
        _ => Ok((field, key.to_owned())),
    }
}
