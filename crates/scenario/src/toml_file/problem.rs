//! What serde finds wrong with a file, in plain words.

use std::fmt;
use std::ops::Range;

use serde::de::{self, Expected, Unexpected};

/// An error of serde and the value it is about.
#[derive(Debug)]
pub(super) struct Problem {
    /// Bytes of the file that it is about.
    pub span: Option<Range<usize>>,
    /// The key or table that it is about, as messages name it; empty for the whole file.
    name: String,
    message: String,
}

impl Problem {
    /// It is about this value, unless it is already about one inside.
    pub fn at(mut self, span: &Range<usize>, name: &str) -> Self {
        if self.span.is_none() {
            self.span = Some(span.clone());
            name.clone_into(&mut self.name);
        }
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(f, "{}", self.message),
            name => write!(f, "{name}: {}", self.message),
        }
    }
}

impl std::error::Error for Problem {}

impl de::Error for Problem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            span: None,
            name: String::new(),
            message: message.to_string(),
        }
    }

    fn invalid_type(seen: Unexpected, wanted: &dyn Expected) -> Self {
        let wanted = wanted.to_string();
        let seen = match seen {
            Unexpected::Map => "a table".to_owned(),
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Str(text) => format!("the text {text:?}"),
            other => other.to_string(),
        };
        Self::custom(format!("must be {}, not {seen}", in_words(&wanted)))
    }

    fn invalid_value(seen: Unexpected, wanted: &dyn Expected) -> Self {
        Self::invalid_type(seen, wanted)
    }

    fn unknown_variant(text: &str, known: &'static [&'static str]) -> Self {
        Self::custom(format!("`{text}` is none of {}", known.join(", ")))
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        let likeness = |name: &str| strsim::jaro_winkler(key, name);
        let nearest = known
            .iter()
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let hint = nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        Self::custom(format!("unknown key{hint} (known: {})", known.join(", ")))
    }

    fn missing_field(key: &'static str) -> Self {
        Self::custom(format!("`{key}` is missing; add it"))
    }
}

/// The types of Rust that serde names, as the author of a TOML file knows them.
const WORDS: [(&str, &str); 11] = [
    ("a string", "text in quotes"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("f64", "a number"),
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number"),
    ("usize", "a whole number"),
    ("a nonzero u32", "a whole number from 1 to 4294967295"),
    ("a nonzero u64", "a whole number of at least 1"),
];

fn in_words(wanted: &str) -> &str {
    let known = WORDS.iter().find(|(rust, _)| *rust == wanted);
    known.map_or(wanted, |(_, words)| words)
}
