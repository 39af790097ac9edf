//! TOML files read by serde. Every error names the file, line and column, the table and the key.
//!
//! A file's tables are structs with `#[serde(deny_unknown_fields, expecting = "a table")]`. Checks of one value belong
//! into its `Deserialize`, whose errors are placed here; checks across values take a [`toml::Spanned`] field's span to
//! [`TomlFile::error`].

mod fields;
mod problem;
mod value;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::de::DeTable;

pub use fields::{Bytes, BytesOrNone, OneOrMany};
use problem::Problem;
use value::Value;

/// A TOML file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}: cannot read: {message}; name an existing TOML file", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        message: String,
    },
    /// The file says something that cannot be used.
    #[error("{}:{place}: {message}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where.
        place: Place,
        /// What is wrong and how to put it right.
        message: String,
    },
}

impl FileError {
    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Read { message, .. } | Self::Content { message, .. } => message,
        }
    }
}

/// A place in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Room for half a million sites of about 100 bytes each. What is larger may be a device without an end.
const MOST_FILE_BYTES: u64 = 64 << 20;

/// The text of a TOML file and its path.
#[derive(Clone, Debug)]
pub struct TomlFile {
    path: PathBuf,
    text: String,
}

impl TomlFile {
    /// The file at `path`, which may be a pipe.
    ///
    /// # Errors
    /// A file that cannot be read, or is larger than 64 MiB.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let failed = |message: String| FileError::Read {
            path: path.to_owned(),
            message,
        };
        let mut text = String::new();
        let file = File::open(path).map_err(|error| failed(error.to_string()))?;
        let read = file.take(MOST_FILE_BYTES + 1).read_to_string(&mut text);
        read.map_err(|error| failed(error.to_string()))?;
        if text.len() as u64 > MOST_FILE_BYTES {
            return Err(failed("it is larger than 64 MiB".to_owned()));
        }
        Ok(Self::from_text(text, path))
    }

    /// A file at `path` with this `text`.
    pub fn from_text(text: impl Into<String>, path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            text: text.into(),
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that relative paths in it start from.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Its content as `T`.
    ///
    /// # Errors
    /// Text that is not TOML, a key that `T` does not know, and a value of the wrong type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            self.error(error.span().unwrap_or_default(), message)
        })?;
        T::deserialize(Value::root(table)).map_err(|problem: Problem| {
            let message = problem.to_string();
            self.error(problem.span.unwrap_or_default(), message)
        })
    }

    /// An error about the bytes `span` of the text.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) -> FileError {
        FileError::Content {
            path: self.path.clone(),
            place: self.place(span),
            message: message.into(),
        }
    }

    /// Where the bytes `span` of the text begin.
    pub fn place(&self, span: Range<usize>) -> Place {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Place {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}
