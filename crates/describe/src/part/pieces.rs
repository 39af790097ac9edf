//! Ranges of one large log, read apart, as the part of the log.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::Path;

use hotset_trace::read::{
    OnProgress, RangeSource, ReadError, ReadOptions, SourceSummary, joined_source, read_range,
};
use serde::{Deserialize, Serialize};

use super::bytes::damaged;
use super::of_log::{refuse_unmergeable, refuse_unordered};
use super::whole::read_elsewhere;
use super::{Part, PartError, PartOptions, Place, Site};

/// How the bytes of every piece begin; those of its part follow.
const MAGIC: &[u8] = b"hotset piece\n";

/// What a range of a log contributes. Rows are counted from its first, and running maxima are those of its own times.
#[derive(Clone, Debug)]
pub struct Piece {
    times: Option<Times>,
    part: Part,
}

/// Microseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Times {
    first_us: i64,
    last_us: i64,
    highest_us: i64,
}

impl Piece {
    /// Reads a range of `log`.
    ///
    /// # Errors
    /// [`PartError`]; the log is to be read whole then, which may succeed or say better what is wrong.
    pub fn read(
        log: &Path,
        range: Range<u64>,
        options: &PartOptions<'_>,
        progress: OnProgress<'_>,
    ) -> Result<Piece, PartError> {
        refuse_unmergeable(options.reading)?;
        let log = read_range(log, range, options.reading, progress)?;
        // A request without a time has that of the one before it, which is in another range.
        refuse_unordered(&log)?;
        let times = &log.trace.requests.time_us;
        let ends = times.first().zip(times.last()).zip(times.iter().max());
        Ok(Piece {
            times: ends.map(|((&first_us, &last_us), &highest_us)| Times {
                first_us,
                last_us,
                highest_us,
            }),
            part: Part::of_log(&log, options),
        })
    }

    /// The part of the log whose ranges these are, in their order: the bytes are those of [`Part::read`].
    ///
    /// # Errors
    /// [`PartError`]: the log is to be read whole, as it depends on the order of its lines what they say.
    pub fn join(pieces: Vec<Piece>, options: &ReadOptions) -> Result<Part, PartError> {
        let file = refuse_other_logs(&pieces)?;
        let source = joined_source(pieces.iter().map(Piece::source), options)?;
        let (mut rows, mut high_us, mut parts) = (0, i64::MIN, Vec::new());
        for Piece { times, mut part } in pieces {
            let requests = part.requests();
            part.move_rows(rows, high_us);
            rows = requests.saturating_add(rows);
            high_us = times.map_or(high_us, |times| high_us.max(times.highest_us));
            parts.push(part);
        }
        let mut part = Part::joined(parts, None)?.ok_or(PartError::Nothing)?;
        if rows == 0 {
            return Err(ReadError::NotInRanges(file).into());
        }
        if let Some(log) = part.logs.first_mut() {
            log.requests = rows;
            // A summary is made of texts and numbers, which always are JSON.
            log.sources = vec![serde_json::to_string(&source).unwrap_or_default()];
        }
        part.settle_reads();
        part.check_hosts(&file)?;
        Ok(part)
    }

    fn source(&self) -> RangeSource {
        let logs = self.part.logs.iter();
        let mut sources = logs.flat_map(|log| &log.sources);
        let source: Option<SourceSummary> = sources
            .next()
            .and_then(|text| serde_json::from_str(text).ok());
        RangeSource {
            // Refused before.
            source: source.unwrap_or_default(),
            times_us: self.times.map(|times| (times.first_us, times.last_us)),
        }
    }

    /// The piece as bytes.
    ///
    /// # Errors
    /// As [`Part::to_bytes`].
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(postcard::to_stdvec(&self.times).map_err(io::Error::other)?);
        bytes.extend(self.part.to_bytes()?);
        Ok(bytes)
    }

    /// Reads the bytes of a piece from `file`, which is for messages.
    ///
    /// # Errors
    /// As [`Part::of_bytes`].
    pub fn of_bytes(file: &str, bytes: &[u8]) -> Result<Piece, PartError> {
        let body = bytes.strip_prefix(MAGIC);
        let body = body.ok_or_else(|| PartError::NotAPart(file.to_owned()))?;
        let (times, rest) =
            postcard::take_from_bytes(body).map_err(|error| damaged(file, error))?;
        Ok(Piece {
            times,
            part: Part::of_bytes(file, rest)?,
        })
    }
}

/// Refuses pieces that are not of one file; its name.
fn refuse_other_logs(pieces: &[Piece]) -> Result<String, PartError> {
    let mut logs = pieces.iter().map(|piece| piece.part.logs.as_slice());
    let first = logs.next().unwrap_or_default();
    let file = first
        .first()
        .map_or_else(String::new, |log| log.first.clone());
    let is_one_file = matches!(first, [log] if log.sources.len() == 1);
    let is_same = |other: &[super::Log]| match (first, other) {
        ([log], [other]) => {
            (log.order(), &log.heads, other.sources.len()) == (other.order(), &other.heads, 1)
        }
        _ => false,
    };
    match is_one_file && logs.all(is_same) {
        true => Ok(file),
        false => Err(ReadError::NotInRanges(file).into()),
    }
}

impl Part {
    /// Puts its rows behind so many others of its log, whose times reach up to `high_us`.
    fn move_rows(&mut self, rows: u64, high_us: i64) {
        let moved = |place: &mut Place| {
            place.row = place.row.saturating_add(rows);
            place.high_us = place.high_us.max(high_us);
        };
        for site in &mut self.sites {
            site.places().for_each(moved);
        }
        self.unread
            .iter_mut()
            .for_each(|unread| moved(&mut unread.at));
    }

    /// Requests for files that an earlier range of the same log has read are for files.
    fn settle_reads(&mut self) {
        let read = read_elsewhere(self).into_iter();
        let read: HashSet<Place> = read.map(|(unread, ..)| unread.at).collect();
        for unread in self
            .unread
            .extract_if(.., |unread| read.contains(&unread.at))
        {
            let site = &mut self.sites[unread.site as usize];
            site.not_file_requests -= 1;
            site.not_modified_without_file -= u64::from(unread.is_not_modified);
            self.not_files.not_read_before -= 1;
        }
    }
}

impl Site {
    /// Where its first requests stand.
    fn places(&mut self) -> impl Iterator<Item = &mut Place> {
        let objects = self.objects.iter_mut();
        let spellings = objects.flat_map(|object| &mut object.spellings);
        let clients = self.clients.iter_mut().map(|client| &mut client.first);
        let firsts = self.first.iter_mut().chain(clients);
        firsts.chain(spellings.map(|spelling| &mut spelling.first))
    }
}
