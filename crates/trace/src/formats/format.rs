//! What a log format does: it turns one record into one request, or says why it cannot.

use super::Record;
use super::field::trim_line_end;
use crate::Zone;

/// How an input is cut into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Lines that end in LF, or CR LF. The last may lack its end.
    Lines,
    /// Records of this many bytes, never 0.
    Fixed(usize),
}

/// The byte order mark in UTF-8 (the Unicode Standard, §23.8), which belongs to no line.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a record is not a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Reject {
    /// Nothing where the format has its request.
    #[error("no request line")]
    NoRequestLine,
    /// The quoted request does not end in a quote, a status and a size.
    #[error("missing closing quote")]
    MissingQuote,
    /// No timestamp, or an impossible one.
    #[error("bad time")]
    BadTime,
    /// The status is not a number of three digits.
    #[error("bad status")]
    BadStatus,
    /// A code that stands for no method.
    #[error("bad method")]
    BadMethod,
    /// The size is neither a number nor `-`, or larger than any file is.
    #[error("bad size")]
    BadSize,
    /// The key is not a number the format can hold, or empty.
    #[error("bad key")]
    BadKey,
    /// Fewer fields than the format has.
    #[error("too few fields")]
    TooFewFields,
    /// The first field is not a virtual host followed by a client.
    #[error("no virtual host")]
    NoVirtualHost,
    /// Not a JSON object.
    #[error("not JSON")]
    NotJson,
    /// JSON, but not the fields of a request.
    #[error("JSON without the fields of a request")]
    NotARequest,
    /// A key that stands twice in one JSON object, or a list of several records or values.
    #[error("JSON with several values where the format has one")]
    SeveralValues,
    /// A field of that name that does not look as the format has it.
    #[error("bad {0}")]
    BadField(&'static str),
    /// Rows before any `#Fields:` directive.
    #[error("no #Fields: directive before this line")]
    NoFieldsDirective,
    /// The `#Fields:` directive does not name this column.
    #[error("its #Fields: line lacks {0}: have the server log that field")]
    LacksColumn(&'static str),
    /// No value of the line has this label.
    #[error("no value is labelled {0}")]
    LacksLabel(&'static str),
    /// The line lacks the header, or the JSON around it, that the other lines have.
    #[error("lacks what stands in front of the other lines")]
    LacksPrefix,
    /// The line does not have the shape of the custom pattern.
    #[error("does not match the pattern")]
    NoMatch,
    /// The record is shorter than the format's records.
    #[error("truncated record")]
    Truncated,
}

/// One log format.
///
/// Records are handed over in the order of the input: some formats keep what an earlier line said (the
/// columns of W3C logs, the month of times without one).
pub trait Format: Send {
    /// How the input is cut into records.
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    /// Whether a record that was read bears on how later ones are read. If so the rest of the log is parsed in its
    /// order by this one parser; if not, several parsers may share it. What only saves time, such as scratch space or
    /// the text of the last time, does not count. By default no record does.
    fn carries_state(&self) -> bool {
        false
    }

    /// A parser in the state of this one, which carries state, where no record in `block` bears on how later records are
    /// read: it may parse the block while others parse what follows. By default none, so that all is parsed in order.
    fn beside(&self, _block: &[u8]) -> Option<Box<dyn Format>> {
        None
    }

    /// Reads times that name no zone on the clocks of `zone`, before anything is read; without that, they are UTC. By
    /// default nothing happens, as suits formats whose times all say what they are.
    fn set_zone(&mut self, _zone: &Zone) {}

    /// Reads one record: a line without its end that is not blank, or a record of fixed length. `Ok(None)`: it carries no
    /// request (`#Fields:` directive, CSV header).
    ///
    /// # Errors
    /// The reason why the record is not a request; the next record can be parsed all the same.
    fn parse_record<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject>;

    /// As [`Self::parse_record`], of lines that may have their ends, or be blank: those carry no request.
    ///
    /// # Errors
    /// As [`Self::parse_record`].
    #[inline]
    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let record = match self.framing() {
            Framing::Lines => trim_line_end(record),
            Framing::Fixed(_) => return self.parse_record(record),
        };
        match record.trim_ascii_start() {
            [] => Ok(None),
            _ => self.parse_record(record),
        }
    }
}
