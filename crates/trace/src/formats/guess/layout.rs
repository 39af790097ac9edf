//! Which column of an unknown log is which field.

use super::column;
use super::cut::values;
use super::missing::Missing;
use crate::formats::custom::{Field, TimeFormat};
use crate::formats::words_before_time::is_address;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The share of the lines that must have the same text before a column for the column to count, in percent.
const COMMON_PERCENT: usize = 80;

/// Lines of one shape, cut into columns.
pub(super) struct Columns<'a> {
    lines: Vec<(&'a [u8], Vec<Range<usize>>)>,
    count: usize,
    /// The names of the columns, where the first line holds them.
    names: Vec<&'a [u8]>,
}

/// A field and the columns that hold it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub field: Field,
    pub columns: Range<usize>,
}

impl<'a> Columns<'a> {
    /// The columns that most of `lines` share: those with the same text before every one of them.
    pub(super) fn of(lines: &[&'a [u8]], separator: u8) -> Columns<'a> {
        let cut = |line: &&'a [u8]| (*line, values(line, separator));
        let mut columns = Columns {
            lines: lines.iter().map(cut).collect(),
            count: 0,
            names: Vec::new(),
        };
        columns.take_names();
        while let Some(lead) = columns.next_lead(lines.len()) {
            let (at, kept) = (columns.count, std::mem::take(&mut columns.lines));
            let has_lead = |(line, cut): &(&'a [u8], Vec<Range<usize>>)| {
                cut.len() > at && lead_of(line, cut, at) == lead
            };
            columns.lines = kept.into_iter().filter(has_lead).collect();
            columns.count += 1;
        }
        columns
    }

    /// Takes the first line for the names of the columns, if that is what it holds.
    fn take_names(&mut self) {
        const FEWEST: usize = 3;
        let Some((line, cut)) = self.lines.first() else {
            return;
        };
        let names: Vec<&[u8]> = cut.iter().map(|range| &line[range.clone()]).collect();
        let has_names = names.len() >= FEWEST && names.iter().all(|name| column::is_name(name));
        if has_names && self.lines.len() > 1 {
            self.names = names;
            self.lines.remove(0);
        }
    }

    /// The text before the next column in most lines, of `all` at the beginning.
    fn next_lead(&self, all: usize) -> Option<&'a [u8]> {
        let mut leads: HashMap<&[u8], usize> = HashMap::new();
        for (line, cut) in self.lines.iter().filter(|(_, cut)| cut.len() > self.count) {
            *leads.entry(lead_of(line, cut, self.count)).or_default() += 1;
        }
        let (lead, count) = leads
            .into_iter()
            .max_by_key(|&(lead, count)| (count, lead))?;
        (count * 100 >= all * COMMON_PERCENT).then_some(lead)
    }

    /// The text in front of the column `at`.
    pub(super) fn lead(&self, at: usize) -> &'a [u8] {
        let (line, cut) = &self.lines[0];
        lead_of(line, cut, at)
    }

    /// The text that ends the column `at`: all up to the next column where lines share it, else its first byte.
    pub(super) fn tail(&self, at: usize) -> &'a [u8] {
        let (line, cut) = &self.lines[0];
        let rest = &line[cut[at].end..];
        match cut.get(at + 1) {
            Some(_) if at + 1 < self.count => self.lead(at + 1),
            Some(_) => &rest[..rest.len().min(1)],
            None => rest,
        }
    }

    fn values(&self, columns: Range<usize>) -> Vec<&'a [u8]> {
        let value = |(line, cut): &(&'a [u8], Vec<Range<usize>>)| {
            &line[cut[columns.start].start..cut[columns.end - 1].end]
        };
        self.lines.iter().map(value).collect()
    }

    fn value(&self, at: usize) -> Vec<&'a [u8]> {
        self.values(at..at + 1)
    }

    /// Whether most values of the column `at` are accepted; there may be no such column.
    fn is_most(&self, at: usize, accepts: impl Fn(&[u8]) -> bool) -> bool {
        at < self.count && column::most(&self.value(at), accepts)
    }

    /// The columns outside `taken` whose values most accept, in their order.
    fn find(&self, taken: &[Place], accepts: impl Fn(&[u8]) -> bool) -> Vec<usize> {
        let free = |at: &usize| !taken.iter().any(|place| place.columns.contains(at));
        let columns = (0..self.count).filter(free);
        columns
            .filter(|&at| column::most(&self.value(at), &accepts))
            .collect()
    }

    /// The fields found, in their order.
    ///
    /// # Errors
    /// The first of time, request and status that is not found.
    pub(super) fn fields(&self) -> Result<Vec<Place>, Missing> {
        let mut places = vec![self.time().ok_or(Missing::Time)?];
        self.request(&mut places).ok_or(Missing::Request)?;
        let behind = places
            .iter()
            .map(|place| place.columns.end)
            .max()
            .unwrap_or(0);
        let usual = self.find(&places, column::is_usual_status);
        let statuses = self.find(&places, column::is_status);
        let status = nearest(&usual, behind).or_else(|| nearest(&statuses, behind));
        let status = status.ok_or(Missing::Status)?;
        places.push(of_column(Field::Status, status));
        let bytes = self.sizes(&places, status).first().copied();
        if let (Some(bytes), Some(own)) = (bytes, places.last_mut()) {
            *own = of_column(Field::Status, self.own_status(&usual, status, bytes));
        }
        let names_method = |place: &Place| matches!(place.field, Field::Request | Field::Method);
        // A program's own messages may hold a path and a code; a request has a method or a size too.
        if bytes.is_none() && !places.iter().any(names_method) {
            return Err(Missing::Request);
        }
        places.extend(bytes.map(|at| of_column(Field::BodyBytes, at)));
        self.client(&mut places);
        self.host(&mut places);
        places.sort_by_key(|place| place.columns.start);
        Ok(places)
    }

    /// The first columns that are a time: as many as there can be, for a date, a time of day and a zone.
    fn time(&self) -> Option<Place> {
        const MOST_WORDS: usize = 6;
        let widths = |at: usize| (1..=MOST_WORDS.min(self.count - at)).rev();
        let ranges = (0..self.count).flat_map(|at| widths(at).map(move |width| at..at + width));
        let mut joined =
            ranges.filter(|range| (range.start + 1..range.end).all(|at| is_gap(self.lead(at))));
        joined.find_map(|columns| {
            let format = column::time_format(&self.values(columns.clone()))?;
            // Without the half of the day that follows, half of the times would be wrong.
            if self.is_most(columns.end, column::is_half_of_day) {
                return None;
            }
            Some(Place {
                field: Field::Time(format),
                columns,
            })
        })
    }

    /// The request line, or the columns of its parts.
    fn request(&self, places: &mut Vec<Place>) -> Option<()> {
        if let Some(&request) = self.find(places, column::is_request).first() {
            places.push(of_column(Field::Request, request));
            return Some(());
        }
        let method = self.find(places, column::is_method).first().copied();
        let targets = self.find(places, column::is_target);
        let is_path = |at: &&usize| {
            let absolute = self
                .value(**at)
                .iter()
                .filter(|value| column::is_absolute(value))
                .count();
            absolute * 2 < self.lines.len()
        };
        let behind = method.map(|method| method + 1);
        let target = targets.iter().find(|&&at| Some(at) == behind);
        let target = target
            .or_else(|| targets.iter().find(is_path))
            .or(targets.first())?;
        places.push(of_column(Field::Target, *target));
        if let Some(method) = method {
            places.push(of_column(Field::Method, method));
        }
        if let Some(&protocol) = self.find(places, column::is_protocol).first() {
            places.push(of_column(Field::Protocol, protocol));
        }
        Some(())
    }

    /// The status that the server sent itself, of `status` and the columns of statuses right behind it: the first whose
    /// answers without a body are those without a size.
    fn own_status(&self, usual: &[usize], status: usize, bytes: usize) -> usize {
        let sizes = self.value(bytes);
        let contradictions = |at: &usize| {
            let statuses = self.value(*at);
            let differs = |(status, size): &(&[u8], &&[u8])| {
                column::has_no_body(status) != matches!(**size, b"0" | b"-")
            };
            let pairs = statuses.into_iter().zip(&sizes);
            pairs.filter(differs).count()
        };
        let adjacent = (status..).take_while(|at| usual.contains(at));
        adjacent.min_by_key(contradictions).unwrap_or(status)
    }

    /// The columns that may hold sizes, the likeliest first: by their names where they have any, then the next behind the
    /// status where several are as likely.
    fn sizes(&self, places: &[Place], status: usize) -> Vec<usize> {
        let of_request = |place: &&Place| {
            matches!(
                place.field,
                Field::Request | Field::Target | Field::Method | Field::Status
            )
        };
        let of_request = places.iter().filter(of_request);
        let requests: Vec<Vec<&[u8]>> = of_request
            .map(|place| self.values(place.columns.clone()))
            .collect();
        let statuses = self.find(places, column::is_usual_status);
        let numbers = self.find(places, column::is_size).into_iter();
        let numbers = numbers.filter(|at| !statuses.contains(at));
        let likely = numbers.filter_map(|at| {
            let rank = column::size_rank(self.names.get(at).copied().unwrap_or_default())?;
            let changes = column::size_changes(&requests, &self.value(at));
            // A name says more than what the numbers look like.
            let changes = changes.or((rank == column::NAMED_SIZE).then_some(usize::MAX))?;
            Some(((rank, changes, at < status, at.abs_diff(status)), at))
        });
        let mut likely: Vec<_> = likely.collect();
        likely.sort_unstable();
        likely.into_iter().map(|(_, at)| at).collect()
    }

    /// Whether another column than that of the sizes may hold them, and no names tell.
    pub(super) fn has_rival_size(&self, places: &[Place]) -> bool {
        let status = places.iter().find(|place| place.field == Field::Status);
        let before_size: Vec<Place> = places
            .iter()
            .filter(|place| place.field != Field::BodyBytes)
            .cloned()
            .collect();
        let sizes = status.map(|status| self.sizes(&before_size, status.columns.start));
        self.names.is_empty() && sizes.is_some_and(|sizes| sizes.len() > 1)
    }

    /// The client: a list of forwarded addresses, else the first address that takes the most values.
    fn client(&self, places: &mut Vec<Place>) {
        let lists = self.find(places, column::is_forwarded);
        let mut listed = lists
            .into_iter()
            .filter(|&at| self.value(at).iter().any(|value| column::is_list(value)));
        if let Some(list) = listed.next() {
            places.push(of_column(Field::ForwardedFor, list));
        }
        let mut addresses = self.find(places, is_address);
        if addresses.is_empty() {
            addresses = self.find(places, column::is_peer);
        }
        let addresses = addresses.into_iter();
        let distinct = |at: usize| self.value(at).into_iter().collect::<HashSet<_>>().len();
        if let Some(client) = addresses.max_by_key(|&at| (distinct(at), std::cmp::Reverse(at))) {
            places.push(of_column(Field::Client, client));
        }
    }

    /// The first column of host names.
    fn host(&self, places: &mut Vec<Place>) {
        let hosts = self.find(places, column::is_host).into_iter();
        let named = |at: usize| {
            let values = self.value(at);
            let names = values
                .iter()
                .filter(|value| column::is_certain_host(value))
                .count();
            names * 2 > values.len()
        };
        if let Some(host) = hosts.into_iter().find(|&at| named(at)) {
            places.push(of_column(Field::Host, host));
        }
    }

    /// How the time is written, by the fields found.
    pub(super) fn time_format(places: &[Place]) -> Option<&TimeFormat> {
        places.iter().find_map(|place| match &place.field {
            Field::Time(format) => Some(format),
            _ => None,
        })
    }
}

/// What may stand between the columns of a time.
fn is_gap(lead: &[u8]) -> bool {
    matches!(lead, b" " | b", ")
}

fn of_column(field: Field, at: usize) -> Place {
    Place {
        field,
        columns: at..at + 1,
    }
}

fn lead_of<'a>(line: &'a [u8], cut: &[Range<usize>], at: usize) -> &'a [u8] {
    let from = at.checked_sub(1).map_or(0, |before| cut[before].end);
    &line[from..cut[at].start]
}

/// The first of `columns` at or behind `at`, else the last before it.
fn nearest(columns: &[usize], at: usize) -> Option<usize> {
    let behind = columns.iter().find(|&&column| column >= at);
    behind.or(columns.last()).copied()
}
