//! What loggers and collectors put in front of each line of a log: the headers of syslog, the names of containers,
//! the JSON around what a container wrote.
//!
//! A log that no format reads is looked at again without the headers that most of its lines share (`header`), and
//! without the JSON document that they stand in (`wrapper`). What is cut off holds the collector's time and the
//! machine's name; time, client and host of a request are those of the line inside.

mod header;
mod wrapper;

use super::evidence::is_enough;
use super::{Format, Framing, Record, Reject};
use header::Header;
use std::fmt;
use strum::VariantArray as _;
use wrapper::{Opener, WRAPPERS, Wrapper};

/// Headers that may stand in front of each other, as those of docker compose and a container's time do.
const MOST_HEADERS: usize = 3;

/// What stands in front of each line of a log, from the outside to the inside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    wrapper: Option<Wrapper>,
    headers: Vec<Header>,
}

impl Prefix {
    /// A parser of lines behind the prefix, whose insides `inner` reads.
    pub fn before(&self, inner: Box<dyn Format>) -> Box<dyn Format> {
        Box::new(PrefixedFormat {
            inner,
            opener: self.wrapper.map(Opener::of),
            headers: self.headers.clone(),
        })
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrapper = self.wrapper.iter().map(ToString::to_string);
        let headers = self.headers.iter().map(ToString::to_string);
        let names: Vec<String> = wrapper.chain(headers).collect();
        f.write_str(&names.join(" and "))
    }
}

/// The lines of a log without a prefix.
pub(super) struct InnerLines {
    pub prefix: Prefix,
    /// The lines that lack the prefix stand as they are.
    pub lines: Vec<Vec<u8>>,
}

/// Everything that can be cut off most of `lines`, the least first.
pub(super) fn insides(lines: &[&[u8]]) -> Vec<InnerLines> {
    let whole = InnerLines {
        prefix: Prefix::default(),
        lines: lines.iter().map(|line| line.to_vec()).collect(),
    };
    let mut found = without_headers(&whole);
    for wrapper in WRAPPERS {
        if let Some(opened) = whole.opened(wrapper) {
            let inner = without_headers(&opened);
            found.push(opened);
            found.extend(inner);
        }
    }
    found
}

/// What is left as one header after the other is cut off.
fn without_headers(from: &InnerLines) -> Vec<InnerLines> {
    let mut found: Vec<InnerLines> = Vec::new();
    for _ in 0..MOST_HEADERS {
        let last = found.last().unwrap_or(from);
        match Header::VARIANTS.iter().find_map(|header| last.cut(*header)) {
            Some(inside) => found.push(inside),
            None => break,
        }
    }
    found
}

impl InnerLines {
    /// The lines without `header`, where most have it.
    fn cut(&self, header: Header) -> Option<InnerLines> {
        if !header.is_likely(&self.lines) {
            return None;
        }
        let mut prefix = self.prefix.clone();
        prefix.headers.push(header);
        self.each(prefix, |line| header.cut(line).map(<[u8]>::to_vec))
    }

    /// The lines inside of `wrapper`, where most have it.
    fn opened(&self, wrapper: Wrapper) -> Option<InnerLines> {
        let prefix = Prefix {
            wrapper: Some(wrapper),
            ..Prefix::default()
        };
        let mut opener = Opener::of(wrapper);
        self.each(prefix, |line| opener.open(line).map(<[u8]>::to_vec))
    }

    fn each(
        &self,
        prefix: Prefix,
        mut cut: impl FnMut(&[u8]) -> Option<Vec<u8>>,
    ) -> Option<InnerLines> {
        let cut: Vec<Option<Vec<u8>>> = self.lines.iter().map(|line| cut(line)).collect();
        let count = cut.iter().flatten().count();
        let or_whole =
            |(cut, line): (Option<Vec<u8>>, &Vec<u8>)| cut.unwrap_or_else(|| line.clone());
        is_enough(count, self.lines.len()).then(|| InnerLines {
            prefix,
            lines: cut.into_iter().zip(&self.lines).map(or_whole).collect(),
        })
    }
}

/// Reads what another format reads, behind a prefix.
struct PrefixedFormat {
    inner: Box<dyn Format>,
    opener: Option<Opener>,
    headers: Vec<Header>,
}

impl Format for PrefixedFormat {
    fn framing(&self) -> Framing {
        self.inner.framing()
    }

    fn carries_state(&self) -> bool {
        self.inner.carries_state()
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let opened = match &mut self.opener {
            Some(opener) => opener.open(line).ok_or(Reject::LacksPrefix)?,
            None => line,
        };
        let mut headers = self.headers.iter();
        let inside = headers.try_fold(opened, |line, header| header.cut(line));
        self.inner.parse(inside.ok_or(Reject::LacksPrefix)?)
    }
}
