//! The keys of a JSON log whose names are nobody's, told by their values and by what their names hint at.

use super::column;
use super::missing::Missing;
use crate::formats::address::{before_port, is_address};
use crate::formats::clock::ClfClock;
use crate::formats::evidence::is_enough;
use crate::formats::json::{JsonField, JsonKeys, each_leaf, instant_us, object_in};
use crate::formats::words_before_time::names_host;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// The times that a log's can be, in microseconds since 1970: from 1990 to 2100. A number outside is none.
const TIMES_US: std::ops::Range<i64> = 631_152_000_000_000..4_102_444_800_000_000;

/// Texts and numbers of a document, by the path of their keys.
pub(super) type Document = BTreeMap<String, String>;

/// The lines that are JSON objects, where most lines are.
pub(super) fn documents(lines: &[&[u8]]) -> Option<Vec<Document>> {
    let document = |line: &&[u8]| serde_json::from_slice(object_in(line)?).ok();
    let objects: Vec<Value> = lines.iter().filter_map(document).collect();
    is_enough(objects.len(), lines.len()).then(|| objects.iter().map(flat).collect())
}

/// Texts and numbers by their paths.
fn flat(object: &Value) -> Document {
    let mut flat = Document::new();
    each_leaf(object, "", &mut |path, value| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return,
        };
        flat.insert(path.to_owned(), text);
    });
    flat
}

/// The keys of time, request, status and what else is found.
///
/// # Errors
/// The first of time, request and status that is not found.
pub(super) fn json_keys(documents: &[Document]) -> Result<JsonKeys, Missing> {
    let mut table = Table::of(documents);
    let mut found = Vec::new();
    let mut take = |field: JsonField, key: Option<String>| {
        found.extend(key.map(|key| (field, key)));
    };
    match table.take(&["start", "time", "ts", "date"], &[], is_time) {
        Some(time) => take(JsonField::Time, Some(time)),
        None => {
            let date = table.take(&["date", "day"], &[], is_date);
            take(JsonField::Date, Some(date.ok_or(Missing::Time)?));
            let time = table.take(&["time", "hour"], &[], is_time_of_day);
            take(JsonField::Time, Some(time.ok_or(Missing::Time)?));
        }
    }
    let request = table.take(&["request"], &[], column::is_request);
    let mut of_request: Vec<String> = request.iter().cloned().collect();
    if request.is_none() {
        let uri = table.take(
            &["uri", "url", "path", "target"],
            &["refer"],
            column::is_target,
        );
        let uri = uri.ok_or(Missing::Request)?;
        let method = table.take(&["method", "verb"], &[], column::is_method);
        of_request = method.iter().cloned().chain([uri.clone()]).collect();
        take(JsonField::Uri, Some(uri));
        take(JsonField::Query, table.take_query());
        take(JsonField::Method, method);
        take(
            JsonField::Protocol,
            table.take(&["proto"], &[], column::is_protocol),
        );
    }
    // A program's own messages may hold a path and a code; a request has a method or a size too.
    let names_method = request.is_some() || of_request.len() > 1;
    take(JsonField::Request, request);
    let status = table.take(
        &["status", "code"],
        &["upstream", "origin"],
        column::is_status,
    );
    let status = status.ok_or(Missing::Status)?;
    of_request.push(status.clone());
    take(JsonField::Status, Some(status));
    let bytes = table.take_bytes(&of_request);
    if !names_method && bytes.is_none() {
        return Err(Missing::Request);
    }
    take(JsonField::Bytes, bytes);
    take(JsonField::Client, table.take_client());
    const HOSTS: [&str; 5] = ["host", "domain", "site", "authority", "server_name"];
    const MACHINES: [&str; 4] = ["hostname", "node", "upstream", "refer"];
    take(
        JsonField::Host,
        table.take_named(&HOSTS, &MACHINES, names_host),
    );
    let keys = JsonKeys::new(found).map_err(|_| Missing::Layout)?;
    Ok(keys)
}

/// The values of one path in all documents; `-` where a document lacks it.
struct Column<'a> {
    path: &'a str,
    values: Vec<&'a [u8]>,
    is_taken: bool,
}

/// All paths, in the order of the alphabet.
struct Table<'a> {
    columns: Vec<Column<'a>>,
}

impl<'a> Table<'a> {
    fn of(documents: &'a [Document]) -> Table<'a> {
        let paths: HashSet<&str> = documents
            .iter()
            .flat_map(|it| it.keys())
            .map(String::as_str)
            .collect();
        let mut paths: Vec<&str> = paths.into_iter().collect();
        paths.sort_unstable();
        let value = |document: &'a Document, path: &str| {
            document.get(path).map_or(&b"-"[..], |text| text.as_bytes())
        };
        let column = |path: &'a str| Column {
            path,
            values: documents.iter().map(|it| value(it, path)).collect(),
            is_taken: false,
        };
        Table {
            columns: paths.into_iter().map(column).collect(),
        }
    }

    /// The columns whose values most accept; those whose key holds one of `hints` first, in the order of the
    /// hints, and none whose key holds one of `not`.
    fn find(
        &self,
        hints: &[&str],
        not: &[&str],
        accepts: impl Fn(&[u8]) -> bool,
    ) -> Vec<(usize, usize)> {
        let rank = |path: &str| {
            let path = path.to_ascii_lowercase();
            let hint = hints.iter().position(|hint| path.contains(hint));
            let is_other = not.iter().any(|not| path.contains(not));
            (!is_other).then(|| hint.unwrap_or(hints.len()))
        };
        let free = self
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| !column.is_taken);
        let fits = free.filter(|(_, column)| column::most(&column.values, &accepts));
        let mut found: Vec<(usize, usize)> = fits
            .filter_map(|(at, column)| Some((rank(column.path)?, at)))
            .collect();
        found.sort_unstable();
        found
    }

    /// Takes the first column that is found.
    fn take(
        &mut self,
        hints: &[&str],
        not: &[&str],
        accepts: impl Fn(&[u8]) -> bool,
    ) -> Option<String> {
        let &(_, at) = self.find(hints, not, accepts).first()?;
        Some(self.mark(at))
    }

    /// Takes the first column that is found by one of the hints.
    fn take_named(
        &mut self,
        hints: &[&str],
        not: &[&str],
        accepts: impl Fn(&[u8]) -> bool,
    ) -> Option<String> {
        let &(rank, at) = self.find(hints, not, accepts).first()?;
        (rank < hints.len()).then(|| self.mark(at))
    }

    /// Takes the column of queries, whose key says so: any text may be one.
    fn take_query(&mut self) -> Option<String> {
        const QUERIES: [&str; 2] = ["query", "args"];
        let is_query = |value: &[u8]| !value.starts_with(b"/") && !value.contains(&b' ');
        self.take_named(&QUERIES, &["time", "dns", "sql"], is_query)
    }

    /// The path of a column, which no other field may have now.
    fn mark(&mut self, at: usize) -> String {
        self.columns[at].is_taken = true;
        self.columns[at].path.to_owned()
    }

    /// Takes the column of sizes, which vary least between equal requests; those called so first.
    fn take_bytes(&mut self, of_request: &[String]) -> Option<String> {
        const SIZES: [&str; 7] = ["byte", "octet", "size", "len", "sent", "written", "content"];
        const OTHERS: [&str; 9] = [
            "request", "req.", "received", "header_", "headers_", "port", "upstream", "origin",
            "backend",
        ];
        let of_request = self
            .columns
            .iter()
            .filter(|it| of_request.iter().any(|path| path == it.path));
        let requests: Vec<Vec<&[u8]>> = of_request.map(|column| column.values.clone()).collect();
        let found = self.find(&SIZES, &OTHERS, column::is_size).into_iter();
        let named = found.filter(|(rank, _)| *rank < SIZES.len());
        let likely = named.filter_map(|(rank, at)| {
            Some((
                column::size_changes(&requests, &self.columns[at].values)?,
                rank,
                at,
            ))
        });
        let (_, _, at) = likely.min()?;
        Some(self.mark(at))
    }

    /// Takes the column of addresses that are forwarded, else of those that vary most.
    fn take_client(&mut self) -> Option<String> {
        const CLIENTS: [&str; 5] = ["forwarded", "client", "remote", "source", "ip"];
        const OTHERS: [&str; 4] = ["upstream", "server", "local", "backend"];
        let is_client = |value: &[u8]| {
            is_address(value) || before_port(value).is_some() || column::is_forwarded(value)
        };
        let found = self.find(&CLIENTS, &OTHERS, is_client).into_iter();
        let distinct = |at: usize| self.columns[at].values.iter().collect::<HashSet<_>>().len();
        let best =
            found.min_by_key(|&(rank, at)| (rank > 0, std::cmp::Reverse(distinct(at)), rank));
        best.map(|(_, at)| self.mark(at))
    }
}

/// `2026-11-24`
fn is_date(value: &[u8]) -> bool {
    value.len() == "2026-11-24".len() && is_time(&[value, b"T00:00:00"].concat())
}

/// `08:00:00`, perhaps with a fraction and a zone.
fn is_time_of_day(value: &[u8]) -> bool {
    is_time(&[b"2026-11-24T", value].concat())
}

fn is_time(value: &[u8]) -> bool {
    let instant = instant_us(value, &mut ClfClock::default());
    instant.is_some_and(|us| TIMES_US.contains(&us))
}
