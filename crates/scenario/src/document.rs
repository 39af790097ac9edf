//! Reading TOML tables key by key, so that every complaint has a line, a column and a fix.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::FileError;

/// The text of the file at `path`.
/// # Errors
/// A file that cannot be read.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(|error| FileError::Read {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// The text a complaint points into.
#[derive(Clone, Copy)]
pub struct Document<'a> {
    /// Where it is from.
    pub path: &'a Path,
    /// All of it.
    pub text: &'a str,
}

impl<'a> Document<'a> {
    /// Its tables.
    ///
    /// # Errors
    /// Text that is no TOML.
    pub fn parse(self) -> Result<Spanned<DeTable<'a>>, FileError> {
        DeTable::parse(self.text).map_err(|error| {
            self.error(
                error.span().unwrap_or(0..0),
                error.message().replace('\n', ", "),
            )
        })
    }

    /// A complaint about the bytes `span`.
    pub fn error(self, span: Range<usize>, message: impl Into<String>) -> FileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        FileError::Content {
            path: self.path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

/// One table of a document whose keys are known.
pub struct Section<'a> {
    document: Document<'a>,
    /// What it is called in messages: `[[site]]`.
    title: &'static str,
    span: Range<usize>,
    table: &'a DeTable<'a>,
}

impl<'a> Section<'a> {
    /// The table, provided that it has no other keys than `known`.
    ///
    /// # Errors
    /// Any other key, with the known one that looks most like it.
    pub fn new(
        document: Document<'a>,
        title: &'static str,
        span: Range<usize>,
        table: &'a DeTable<'a>,
        known: &[&str],
    ) -> Result<Self, FileError> {
        let unknown = table
            .keys()
            .filter(|key| !known.contains(&key.get_ref().as_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(Self {
                document,
                title,
                span,
                table,
            }),
            Some(key) => Err(document.error(key.span(), unknown_key(key.get_ref(), title, known))),
        }
    }

    /// The value of `key`, if there is one.
    pub fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table
            .iter()
            .find(|(name, _)| name.get_ref() == key)
            .map(|(_, value)| value)
    }

    /// A complaint about the value of `key`, or about the table where it has none.
    pub fn error(&self, key: &str, message: impl std::fmt::Display) -> FileError {
        let span = self.get(key).map_or(self.span.clone(), Spanned::span);
        self.document
            .error(span, format!("`{key}` in {}: {message}", self.title))
    }

    fn wrong_type(&self, key: &str, wanted: &str, value: &DeValue) -> FileError {
        self.error(key, format!("must be {wanted}, not {}", value.type_str()))
    }

    /// The text under `key`, if there is one.
    ///
    /// # Errors
    /// A value that is no text, or empty.
    pub fn optional_text(&self, key: &str) -> Result<Option<String>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.get_ref().as_str() {
            None => Err(self.wrong_type(key, "text in quotes", value.get_ref())),
            Some("") => Err(self.error(key, "must not be empty")),
            Some(text) => Ok(Some(text.to_owned())),
        }
    }

    /// The text under `key`.
    ///
    /// # Errors
    /// None, or a value that is no text, or empty.
    pub fn text(&self, key: &str) -> Result<String, FileError> {
        self.optional_text(key)?.ok_or_else(|| self.missing(key))
    }

    pub(crate) fn missing(&self, key: &str) -> FileError {
        self.document.error(
            self.span.clone(),
            format!("{} has no `{key}`; add `{key} = …`", self.title),
        )
    }

    fn missing_section(&self, key: &str) -> FileError {
        self.document.error(
            self.span.clone(),
            format!("{} has no [{key}]; add that section", self.title),
        )
    }

    /// One text or a list of texts.
    ///
    /// # Errors
    /// A value that is neither.
    pub fn texts(&self, key: &str) -> Result<Vec<String>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let Some(items) = value.get_ref().as_array() else {
            return Ok(vec![self.text(key)?]);
        };
        let text = |item: &Spanned<DeValue>| item.get_ref().as_str().map(str::to_owned);
        items
            .iter()
            .map(|item| {
                text(item).ok_or_else(|| {
                    self.wrong_type(key, "a list of texts in quotes", item.get_ref())
                })
            })
            .collect()
    }

    /// The number under `key`, if there is one.
    ///
    /// # Errors
    /// A value that is no finite number.
    pub fn optional_number(&self, key: &str) -> Result<Option<f64>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match decimal(value.get_ref()) {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong_type(key, "a finite decimal number", value.get_ref())),
        }
    }

    /// The number under `key`.
    ///
    /// # Errors
    /// None, or a value that is no finite number.
    pub fn number(&self, key: &str) -> Result<f64, FileError> {
        self.optional_number(key)?.ok_or_else(|| self.missing(key))
    }

    /// A size: text such as `"512MiB"`, or a whole number of bytes.
    ///
    /// # Errors
    /// A value that is no size.
    pub fn optional_bytes(&self, key: &str) -> Result<Option<u64>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let text = match value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            other => return Err(self.wrong_type(key, "a size such as \"512MiB\"", other)),
        };
        crate::parse_bytes(text)
            .map(Some)
            .map_err(|error| self.error(key, error))
    }

    /// The whole number of at least `least` under `key`, if there is one.
    ///
    /// # Errors
    /// A value that is none.
    pub fn optional_count(&self, key: &str, least: u64) -> Result<Option<u64>, FileError> {
        match self.optional_number(key)? {
            None => Ok(None),
            Some(number) if number.fract() == 0.0 && number >= least as f64 => {
                Ok(Some(number as u64))
            }
            Some(_) => Err(self.error(key, format!("must be a whole number of at least {least}"))),
        }
    }

    /// The list of numbers under `key`; nothing where it is absent.
    ///
    /// # Errors
    /// A value that is no such list.
    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let wrong = |value: &DeValue| self.wrong_type(key, "a list of numbers", value);
        let items = value.get_ref().as_array();
        let items = items.ok_or_else(|| wrong(value.get_ref()))?;
        items
            .iter()
            .map(|item| decimal(item.get_ref()).ok_or_else(|| wrong(item.get_ref())))
            .collect()
    }

    /// The `true` or `false` under `key`, if there is one.
    ///
    /// # Errors
    /// A value that is neither.
    pub fn optional_flag(&self, key: &str) -> Result<Option<bool>, FileError> {
        match self.get(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::Boolean(flag)) => Ok(Some(*flag)),
            Some(other) => Err(self.wrong_type(key, "true or false", other)),
        }
    }

    /// The size under `key`.
    ///
    /// # Errors
    /// None, or a value that is no size.
    pub fn bytes(&self, key: &str) -> Result<u64, FileError> {
        self.optional_bytes(key)?.ok_or_else(|| self.missing(key))
    }

    /// The table under `key`.
    ///
    /// # Errors
    /// None, or one with other keys than `known`.
    pub fn section(
        &self,
        key: &'static str,
        title: &'static str,
        known: &[&str],
    ) -> Result<Section<'a>, FileError> {
        self.optional_section(key, title, known)?
            .ok_or_else(|| self.missing_section(key))
    }

    /// The table under `key`, if there is one.
    ///
    /// # Errors
    /// A value that is no table, or keys other than `known`.
    pub fn optional_section(
        &self,
        key: &'static str,
        title: &'static str,
        known: &[&str],
    ) -> Result<Option<Section<'a>>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let table = value.get_ref().as_table();
        let table = table.ok_or_else(|| self.wrong_type(key, "a table", value.get_ref()))?;
        Section::new(self.document, title, value.span(), table, known).map(Some)
    }

    /// The tables of the list under `key`; none where it is absent.
    ///
    /// # Errors
    /// A value that is no such list, or keys other than `known`.
    pub fn sections(
        &self,
        key: &str,
        title: &'static str,
        known: &[&str],
    ) -> Result<Vec<Section<'a>>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let tables = value.get_ref().as_array();
        let tables =
            tables.ok_or_else(|| self.wrong_type(key, "a list of tables", value.get_ref()))?;
        tables
            .iter()
            .map(|item| self.item(key, title, known, item))
            .collect()
    }

    fn item(
        &self,
        key: &str,
        title: &'static str,
        known: &[&str],
        item: &'a Spanned<DeValue<'a>>,
    ) -> Result<Section<'a>, FileError> {
        let table = item.get_ref().as_table();
        let table =
            table.ok_or_else(|| self.wrong_type(key, "a list of tables", item.get_ref()))?;
        Section::new(self.document, title, item.span(), table, known)
    }
}

/// A finite number in base 10.
fn decimal(value: &DeValue) -> Option<f64> {
    let number: Option<f64> = match value {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

fn unknown_key(key: &str, title: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(key, a).total_cmp(&strsim::jaro_winkler(key, b)));
    let nearest = nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    format!(
        "unknown key `{key}` in {title}{nearest} (known: {})",
        known.join(", ")
    )
}
