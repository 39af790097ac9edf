//! A JSON document around each line, as collectors write it.

use crate::formats::field::trim_line_end;
use crate::formats::json::{Kind, Paths, Value, decode, object_in};
use std::fmt;

/// The key of a document that holds the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrapper(&'static str);

/// Keys that collectors use: Docker, "JSON File logging driver"; Logstash and Filebeat, whose events hold `message`;
/// systemd, "Journal Export Formats"; Graylog, "GELF Payload Specification"; Google Cloud, "LogEntry"; Loki, "LogCLI".
pub(super) const WRAPPERS: [Wrapper; 6] = [
    Wrapper("log"),
    Wrapper("message"),
    Wrapper("MESSAGE"),
    Wrapper("short_message"),
    Wrapper("textPayload"),
    Wrapper("line"),
];

impl fmt::Display for Wrapper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JSON with the line under the key {}", self.0)
    }
}

/// Takes lines out of their documents.
pub(super) struct Opener {
    paths: Paths,
    found: Vec<Option<Value>>,
    text: Vec<u8>,
}

impl Opener {
    pub fn of(wrapper: Wrapper) -> Opener {
        Opener {
            paths: Paths::new([wrapper.0]),
            found: Vec::new(),
            text: Vec::new(),
        }
    }

    /// The line inside the document `line`.
    pub fn open<'a>(&'a mut self, line: &'a [u8]) -> Option<&'a [u8]> {
        let document = object_in(line)?;
        self.paths.scan(document, &mut self.found).ok()?;
        let value = self.paths.value(0, &self.found)?;
        let inside = match value.kind {
            Kind::Plain => value.bytes(document),
            Kind::Escaped => {
                self.text.clear();
                decode(value.bytes(document), &mut self.text)?;
                &self.text
            }
            _ => return None,
        };
        Some(trim_line_end(inside))
    }
}
