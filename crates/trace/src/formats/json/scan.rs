//! Walking through a JSON document once, keeping where the values of some paths stand.
//!
//! A log's record has some ten values that say something about a request among a hundred others. Building a tree of
//! all of them takes several times as long as reading a combined line. The walk checks the grammar of RFC 8259 and
//! copies nothing.

use super::string::{decode, escape_length, plain_length};

/// Objects and lists that may lie in each other, as in `serde_json`: more would need an unbounded stack.
const MAX_DEPTH: u8 = 127;

/// Why a document was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScanError {
    /// Not one JSON object, or more than 127 objects and lists in each other.
    #[error("not JSON")]
    NotJson,
    /// A key on a path that stands twice, or a list of several where a path wants one value.
    #[error("several values where one is wanted")]
    SeveralValues,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string without escapes.
    Plain,
    /// A string with escapes: [`decode`] undoes them.
    Escaped,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `null`, or an empty list.
    Null,
    /// An object.
    Object,
}

/// A value that a path leads to: what it is, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub kind: Kind,
    start: u32,
    end: u32,
}

impl Value {
    /// Its bytes in the document it was found in: of a string what stands between its quotes.
    #[inline]
    pub fn bytes<'t>(&self, document: &'t [u8]) -> &'t [u8] {
        document
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// Paths into documents. A dot in a path leads into an object, or stands in the key itself: `a.b` is found in
/// `{"a":{"b":1}}` and in `{"a.b":1}`. A list of one element is that element.
#[derive(Clone, Debug)]
pub struct Paths {
    nodes: Vec<Node>,
    /// The node of each path.
    ends: Vec<usize>,
}

/// A place on paths: the keys that lead on from it.
#[derive(Clone, Debug, Default)]
struct Node {
    index: usize,
    edges: Vec<Edge>,
    /// A bit for the length of each key: most keys of a document are on no path, and this tells it of most of them.
    lengths: u64,
}

/// A key, and the node that it leads to.
#[derive(Clone, Debug)]
struct Edge {
    mark: u32,
    key: Box<[u8]>,
    to: usize,
}

impl Paths {
    /// Compiles `paths`.
    pub fn new<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Paths {
        let mut compiled = Paths {
            nodes: vec![Node::default()],
            ends: Vec::new(),
        };
        for path in paths {
            let end = compiled.add(path.as_ref());
            compiled.ends.push(end);
        }
        compiled
    }

    /// Adds the nodes of a path, and edges between any two of them; its last.
    fn add(&mut self, path: &str) -> usize {
        let dots = path.match_indices('.').map(|(at, _)| at);
        let mut passed = vec![(0, 0)];
        for end in dots.chain([path.len()]) {
            let (start, from) = passed[passed.len() - 1];
            let to = self.step(from, &path.as_bytes()[start..end]);
            for &(start, from) in &passed[..passed.len() - 1] {
                self.link(from, &path.as_bytes()[start..end], to);
            }
            passed.push((end + 1, to));
        }
        passed[passed.len() - 1].1
    }

    /// The node that `key` leads to, made where there is none.
    fn step(&mut self, from: usize, key: &[u8]) -> usize {
        if let Some(known) = self.nodes[from].next(key) {
            return known;
        }
        let index = self.nodes.len();
        self.nodes.push(Node {
            index,
            ..Node::default()
        });
        self.link(from, key, index);
        index
    }

    fn link(&mut self, from: usize, key: &[u8], to: usize) {
        let node = &mut self.nodes[from];
        if node.next(key).is_none() {
            node.lengths |= length_bit(key);
            node.edges.push(Edge {
                mark: mark(key),
                key: key.into(),
                to,
            });
        }
    }

    /// Walks through `document` and notes in `found` what its paths lead to; [`Paths::value`] looks there.
    ///
    /// # Errors
    /// The document is not one JSON object, or a path leads to several values.
    pub fn scan(&self, document: &[u8], found: &mut Vec<Option<Value>>) -> Result<(), ScanError> {
        found.clear();
        found.resize(self.nodes.len(), None);
        let mut walk = Walk {
            paths: self,
            text: document,
            at: 0,
            found,
            several: false,
        };
        walk.document()
    }

    /// What the path at place `path` led to in the scan that filled `found`.
    #[inline]
    pub fn value(&self, path: usize, found: &[Option<Value>]) -> Option<Value> {
        found[self.ends[path]]
    }
}

impl Node {
    #[inline]
    fn next(&self, key: &[u8]) -> Option<usize> {
        if self.lengths & length_bit(key) == 0 {
            return None;
        }
        let mark = mark(key);
        let mut edges = self.edges.iter();
        let edge = edges.find(|edge| edge.mark == mark && *edge.key == *key);
        edge.map(|edge| edge.to)
    }
}

/// The bit that stands for a key's length.
#[inline]
fn length_bit(key: &[u8]) -> u64 {
    1 << (key.len() % 64)
}

/// A number in which most keys differ: length, first and last byte.
#[inline]
fn mark(key: &[u8]) -> u32 {
    let [first, last] = [key.first(), key.last()].map(|byte| u32::from(byte.copied().unwrap_or(0)));
    (key.len() as u32) << 16 | first << 8 | last
}

/// A walk through one document.
struct Walk<'p, 't> {
    paths: &'p Paths,
    text: &'t [u8],
    at: usize,
    found: &'t mut [Option<Value>],
    several: bool,
}

/// A string's inside, and whether it has escapes.
#[derive(Clone, Copy)]
struct QuotedText {
    start: usize,
    end: usize,
    is_escaped: bool,
}

type ScanResult = Result<(), ScanError>;

impl<'p> Walk<'p, '_> {
    fn document(&mut self) -> ScanResult {
        if self.peek()? != b'{' {
            return Err(ScanError::NotJson);
        }
        self.object(Some(&self.paths.nodes[0]), MAX_DEPTH)?;
        self.skip_space();
        match (self.at == self.text.len(), self.several) {
            (false, _) => Err(ScanError::NotJson),
            (true, true) => Err(ScanError::SeveralValues),
            (true, false) => Ok(()),
        }
    }

    /// The next byte that is not white space; it stays where it is.
    #[inline]
    fn peek(&mut self) -> Result<u8, ScanError> {
        self.skip_space();
        self.text.get(self.at).copied().ok_or(ScanError::NotJson)
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    /// The object that begins here. `depth` more may lie in it, itself counted.
    fn object(&mut self, node: Option<&'p Node>, depth: u8) -> ScanResult {
        let inside = depth.checked_sub(1).ok_or(ScanError::NotJson)?;
        self.at += 1;
        if self.peek()? == b'}' {
            self.at += 1;
            return Ok(());
        }
        loop {
            let next = self.key(node)?;
            self.value(next, inside)?;
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return Err(ScanError::NotJson),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// A key and its colon; the node that it leads to.
    #[inline]
    fn key(&mut self, node: Option<&'p Node>) -> Result<Option<&'p Node>, ScanError> {
        if self.peek()? != b'"' {
            return Err(ScanError::NotJson);
        }
        let key = self.string()?;
        if self.peek()? != b':' {
            return Err(ScanError::NotJson);
        }
        self.at += 1;
        Ok(node.and_then(|node| self.next(node, key)))
    }

    #[inline]
    fn next(&self, node: &'p Node, key: QuotedText) -> Option<&'p Node> {
        let name = &self.text[key.start..key.end];
        let next = match key.is_escaped {
            false => node.next(name),
            true => {
                let mut decoded = Vec::new();
                decode(name, &mut decoded)?;
                node.next(&decoded)
            }
        };
        next.map(|next| &self.paths.nodes[next])
    }

    fn list(&mut self, node: Option<&'p Node>, depth: u8) -> ScanResult {
        let inside = depth.checked_sub(1).ok_or(ScanError::NotJson)?;
        self.at += 1;
        if self.peek()? == b']' {
            self.at += 1;
            self.keep(node, Kind::Null, self.at, self.at);
            return Ok(());
        }
        self.value(node, inside)?;
        while self.peek()? == b',' {
            self.at += 1;
            self.several |= node.is_some();
            self.value(None, inside)?;
        }
        if self.peek()? != b']' {
            return Err(ScanError::NotJson);
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn value(&mut self, node: Option<&'p Node>, depth: u8) -> ScanResult {
        match self.peek()? {
            b'"' => {
                let text = self.string()?;
                let kind = if text.is_escaped {
                    Kind::Escaped
                } else {
                    Kind::Plain
                };
                self.keep(node, kind, text.start, text.end);
                Ok(())
            }
            b'{' => {
                self.keep(node, Kind::Object, self.at, self.at);
                self.object(node, depth)
            }
            b'[' => self.list(node, depth),
            b't' => self.word(node, b"true", Kind::Boolean),
            b'f' => self.word(node, b"false", Kind::Boolean),
            b'n' => self.word(node, b"null", Kind::Null),
            _ => self.number(node),
        }
    }

    #[inline]
    fn keep(&mut self, node: Option<&Node>, kind: Kind, start: usize, end: usize) {
        let Some(node) = node else { return };
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else {
            return;
        };
        let place = &mut self.found[node.index];
        self.several |= place.is_some();
        *place = Some(Value { kind, start, end });
    }

    /// The string whose opening quote stands here.
    #[inline]
    fn string(&mut self) -> Result<QuotedText, ScanError> {
        let start = self.at + 1;
        self.at = start;
        let mut is_escaped = false;
        loop {
            self.at += plain_length(&self.text[self.at..]);
            match self.text.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    is_escaped = true;
                    let length = escape_length(&self.text[self.at..]);
                    self.at += length.ok_or(ScanError::NotJson)?;
                }
                _ => return Err(ScanError::NotJson),
            }
        }
        self.at += 1;
        Ok(QuotedText {
            start,
            end: self.at - 1,
            is_escaped,
        })
    }

    fn word(&mut self, node: Option<&Node>, word: &[u8], kind: Kind) -> ScanResult {
        if !self.text[self.at..].starts_with(word) {
            return Err(ScanError::NotJson);
        }
        let start = self.at;
        self.at += word.len();
        self.keep(node, kind, start, self.at);
        Ok(())
    }

    /// `-`, digits without a leading zero, a fraction, an exponent (RFC 8259, section 6).
    #[inline]
    fn number(&mut self, node: Option<&Node>) -> ScanResult {
        let start = self.at;
        self.skip_one_of(b"-");
        let first = self.text.get(self.at).copied();
        let digits = self.skip_digits()?;
        if first == Some(b'0') && digits > 1 {
            return Err(ScanError::NotJson);
        }
        if self.skip_one_of(b".") {
            self.skip_digits()?;
        }
        if self.skip_one_of(b"eE") {
            self.skip_one_of(b"+-");
            self.skip_digits()?;
        }
        self.keep(node, Kind::Number, start, self.at);
        Ok(())
    }

    #[inline]
    fn skip_one_of(&mut self, bytes: &[u8]) -> bool {
        let is_there = self
            .text
            .get(self.at)
            .is_some_and(|byte| bytes.contains(byte));
        self.at += usize::from(is_there);
        is_there
    }

    /// At least one digit; how many.
    #[inline]
    fn skip_digits(&mut self) -> Result<usize, ScanError> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        match self.at - start {
            0 => Err(ScanError::NotJson),
            digits => Ok(digits),
        }
    }
}
