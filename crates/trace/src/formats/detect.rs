//! Choosing a log's format from its first bytes.

use super::field::trim_line_end;
use super::keys::KeyLayout;
use super::oracle_general::Row;
use super::{BYTE_ORDER_MARK, FormatKind, Record, Target, oracle_general, worldcup98};

/// The format of a log, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The format.
    pub kind: FormatKind,
    /// The evidence, as a clause: "998 of the first 1000 lines read as combined".
    pub why: String,
}

/// Why no format was chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// No bytes, or blank lines alone.
    #[error("{input}: nothing in it to tell a log format from")]
    Empty {
        /// The input's name.
        input: String,
    },
    /// No format reads enough of the lines.
    #[error(
        "{input}: no log format reads it: the best, {best}, reads {read} of its first {lines} lines; \
         if that is what it is, say so with --format {best}, or give its nginx log_format or Apache LogFormat string"
    )]
    Unclear {
        /// The input's name.
        input: String,
        /// The format that reads most lines.
        best: FormatKind,
        /// Lines that it reads.
        read: usize,
        /// Lines that were looked at.
        lines: usize,
    },
    /// Text that is not in UTF-8 or any other encoding whose line ends are LF bytes.
    #[error("{input}: {encoding}, so its lines cannot be told apart: convert it with `{fix}`")]
    Encoding {
        /// The input's name.
        input: String,
        /// What it is.
        encoding: &'static str,
        /// A command that converts it.
        fix: &'static str,
    },
    /// No format reads a single line or record.
    #[error(
        "{input}: not a log in any known format; give --format with a name ({}), or with its nginx log_format \
         or Apache LogFormat string", FormatKind::ALL.map(FormatKind::name).join(", ")
    )]
    Unknown {
        /// The input's name.
        input: String,
    },
}

/// Lines looked at. Formats differ in every line, so a thousand leave no doubt.
const SAMPLE_LINES: usize = 1000;
/// A format is chosen when it reads at least this share of the sample, in percent: logs hold some noise,
/// while a log of two formats should not be taken for either.
const ENOUGH_PERCENT: usize = 80;

/// Chooses the format of the log `input`, whose decompressed bytes begin with `head` (up to 1 MiB is
/// plenty). `length` is the log's whole decompressed length where known: formats of fixed records must
/// divide it.
///
/// # Errors
/// [`DetectError`] when nothing fits well enough; its message says what to do.
pub fn detect(head: &[u8], input: &str, length: Option<u64>) -> Result<Detection, DetectError> {
    let whole = length.is_some_and(|length| length == head.len() as u64);
    let lines = sample(head, whole);
    if lines.is_empty() && head.trim_ascii().is_empty() {
        return Err(DetectError::Empty {
            input: input.to_owned(),
        });
    }
    if let Some((encoding, fix)) = foreign_encoding(head) {
        let input = input.to_owned();
        return Err(DetectError::Encoding {
            input,
            encoding,
            fix,
        });
    }
    let scores = Scores::of(&lines);
    if let Some(text) = scores.choose(input) {
        return Ok(text);
    }
    if let Some(binary) = binary(head, length) {
        return Ok(binary);
    }
    Err(scores.error(input))
}

/// The first lines that are not blank, without a last one that `head` cuts off.
fn sample(head: &[u8], whole: bool) -> Vec<&[u8]> {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let end = if whole {
        head.len()
    } else {
        memchr::memrchr(b'\n', head).map_or(head.len(), |last| last + 1)
    };
    let lines = head[..end].split(|&byte| byte == b'\n').map(trim_line_end);
    lines
        .filter(|line| !line.trim_ascii().is_empty())
        .take(SAMPLE_LINES)
        .collect()
}

/// An encoding in which lines cannot be told apart, and the command that converts it: as the one long
/// line it would be read as, a whole log would pass for a single request.
fn foreign_encoding(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let start = &head[..head.len().min(ENCODING_BYTES)];
    let ascii_pair = |pair: &[u8], zero: usize| pair[zero] == 0 && is_text(pair[1 - zero]);
    let pairs = |zero| start.len() >= 4 && start.chunks_exact(2).all(|pair| ascii_pair(pair, zero));
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") || pairs(0) || pairs(1) {
        return Some(("is text in UTF-16", "iconv -f UTF-16 -t UTF-8"));
    }
    let first = memchr::memchr(b'\r', head)?;
    let is_old_mac = memchr::memchr(b'\n', head).is_none()
        && head[first + 1..].iter().any(|&byte| byte != b'\r')
        && head.iter().copied().all(is_text);
    is_old_mac.then_some(("has lines that end in CR alone", "tr '\\r' '\\n'"))
}

/// Bytes looked at to tell UTF-16 that has no byte order mark.
const ENCODING_BYTES: usize = 256;

/// A byte of ASCII text.
fn is_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
}

/// How many lines a text format reads, of those that it does not pass over (headers, directives).
#[derive(Clone, Copy, Debug)]
struct Score {
    kind: FormatKind,
    read: usize,
    lines: usize,
}

impl Score {
    fn of(kind: FormatKind, lines: &[&[u8]]) -> Score {
        Score::counting(kind, lines, |_| true)
    }

    /// Counts only the requests that `counts` accepts as read.
    fn counting(kind: FormatKind, lines: &[&[u8]], counts: impl Fn(&Record<'_>) -> bool) -> Score {
        let mut format = kind.build();
        let mut score = Score {
            kind,
            read: 0,
            lines: 0,
        };
        for line in lines {
            match format.parse(line) {
                Ok(Some(record)) => {
                    score.read += usize::from(counts(&record));
                    score.lines += 1;
                }
                Ok(None) => {}
                Err(_) => score.lines += 1,
            }
        }
        score
    }

    fn is_enough(&self) -> bool {
        self.read > 0 && self.read * 100 >= self.lines * ENOUGH_PERCENT
    }
}

/// The scores of all text formats.
struct Scores {
    /// Most particular first: a reader of the combined format reads vhost-combined lines too.
    scores: Vec<Score>,
    /// Lines whose size is followed by a quoted field, which the common format does not have.
    combined: usize,
    /// Rows that read as CSV.
    csv: Score,
    /// Those among them whose key is a number, which tell a trace in a file of any name.
    numeric: Score,
}

impl Scores {
    const CANDIDATES: [FormatKind; 6] = [
        FormatKind::VhostCombined,
        FormatKind::Combined,
        FormatKind::Squid,
        FormatKind::W3c,
        FormatKind::Caddy,
        FormatKind::Traefik,
    ];

    fn of(lines: &[&[u8]]) -> Scores {
        Scores {
            scores: Self::CANDIDATES.map(|kind| Score::of(kind, lines)).to_vec(),
            combined: lines.iter().filter(|line| has_quoted_tail(line)).count(),
            csv: Score::of(FormatKind::Csv, lines),
            numeric: Score::counting(FormatKind::Csv, lines, |record| {
                matches!(record.target, Target::Key(_))
            }),
        }
    }

    fn choose(&self, input: &str) -> Option<Detection> {
        let chosen = self.scores.iter().find(|score| score.is_enough());
        match chosen {
            Some(score) => Some(self.named(score)),
            None => self.csv(input),
        }
    }

    /// Tells the common format from the combined one, which read the same lines.
    fn named(&self, score: &Score) -> Detection {
        let is_common = score.kind == FormatKind::Combined && self.combined * 2 < score.read;
        let kind = if is_common {
            FormatKind::Common
        } else {
            score.kind
        };
        let mut why = format!(
            "{} of the first {} lines read as {kind}",
            score.read, score.lines
        );
        if score.kind == FormatKind::Combined {
            let vhost = self
                .scores
                .iter()
                .find(|score| score.kind == FormatKind::VhostCombined);
            why.push_str(&format!(
                "; vhost-combined {}",
                vhost.map_or(0, |score| score.read)
            ));
        }
        Detection { kind, why }
    }

    /// Rows with numbers for keys, or rows of a file that is called `.csv`.
    fn csv(&self, input: &str) -> Option<Detection> {
        let name = input.to_ascii_lowercase();
        let called = name.ends_with(".csv") || name.contains(".csv.");
        let why = if self.numeric.is_enough() {
            format!(
                "{} of the first {} lines are rows with a number for a key",
                self.numeric.read, self.numeric.lines
            )
        } else if called && self.csv.is_enough() {
            format!(
                "{} of the first {} lines read as csv, as the file is called",
                self.csv.read, self.csv.lines
            )
        } else {
            return None;
        };
        Some(Detection {
            kind: FormatKind::Csv,
            why,
        })
    }

    fn error(&self, input: &str) -> DetectError {
        let input = input.to_owned();
        match self.scores.iter().max_by_key(|score| score.read) {
            Some(best) if best.read > 0 => DetectError::Unclear {
                input,
                best: best.kind,
                read: best.read,
                lines: best.lines,
            },
            _ => DetectError::Unknown { input },
        }
    }
}

/// Whether a quoted field follows a status and a size somewhere in the line.
fn has_quoted_tail(line: &[u8]) -> bool {
    memchr::memchr_iter(b'"', line).any(|quote| {
        let mut words = line[quote + 1..].split(|&byte| byte == b' ');
        let before = words.next() == Some(b"");
        let status = words
            .next()
            .is_some_and(|word| super::field::status(word).is_some());
        let size = words
            .next()
            .is_some_and(|word| super::field::size(word).is_some());
        before && status && size && words.next().is_some_and(|word| word.starts_with(b"\""))
    })
}

/// Formats of fixed records, most particular first.
fn binary(head: &[u8], length: Option<u64>) -> Option<Detection> {
    let divides = |width: usize| {
        length.is_none_or(|length| length > 0 && length.is_multiple_of(width as u64))
    };
    let fits = |width: usize| divides(width) && head.len() >= width;
    if fits(worldcup98::RECORD_BYTES)
        && let Some(why) = worldcup_evidence(head)
    {
        return Some(Detection {
            kind: FormatKind::WorldCup98,
            why,
        });
    }
    if fits(oracle_general::RECORD_BYTES)
        && let Some(why) = oracle_evidence(head)
    {
        return Some(Detection {
            kind: FormatKind::OracleGeneral,
            why,
        });
    }
    keys(head, fits)
}

/// The World Cup logs run from 30 April to 26 July 1998; a month is left on either side.
const WORLD_CUP_US: std::ops::Range<i64> = 891_388_800_000_000..904_608_000_000_000;

fn worldcup_evidence(head: &[u8]) -> Option<String> {
    let mut format = FormatKind::WorldCup98.build();
    let records = head.chunks_exact(worldcup98::RECORD_BYTES);
    let count = records.len();
    for record in records {
        let time_us = format.parse(record).ok()??.time_us?;
        if !WORLD_CUP_US.contains(&time_us) {
            return None;
        }
    }
    Some(format!(
        "all of the first {count} records of {} bytes are of mid-1998",
        worldcup98::RECORD_BYTES
    ))
}

/// Each record names the row of its object's next request: later than its own, and of the same object.
fn oracle_evidence(head: &[u8]) -> Option<String> {
    let rows: Vec<Row> = head
        .chunks_exact(oracle_general::RECORD_BYTES)
        .filter_map(Row::read)
        .collect();
    let is_later = |(index, row): (usize, &Row)| row.is_last() || row.next > index as i64;
    if !rows.iter().enumerate().all(is_later) {
        return None;
    }
    // Writers count rows from 0 or from 1.
    let (links, kept) = [links(&rows, 0), links(&rows, 1)]
        .into_iter()
        .max_by_key(|&(_, kept)| kept)?;
    let linked = links > 0 || rows.iter().all(Row::is_last);
    let enough = linked && kept * 100 >= links * ENOUGH_PERCENT;
    let count = rows.len();
    enough.then(|| {
        format!("of the first {count} records of 24 bytes {links} name a next one of the same object, {kept} rightly")
    })
}

/// How many rows name a next row that is at hand, counting from `first`, and how many of those rightly.
fn links(rows: &[Row], first: i64) -> (usize, usize) {
    let next = |row: &Row| rows.get(usize::try_from(row.next - first).ok()?);
    let named = rows.iter().filter(|row| !row.is_last());
    let named = named.filter_map(|row| Some((row, next(row)?)));
    named.fold((0, 0), |(links, kept), (row, next)| {
        (links + 1, kept + usize::from(next.id == row.id))
    })
}

/// A key of a dense or nearly dense numbering leaves the upper quarter (4 bytes) or half (8 bytes) of its
/// bytes zero; in a wrong layout other bytes come out on top. The smallest largest key wins.
fn keys(head: &[u8], fits: impl Fn(usize) -> bool) -> Option<Detection> {
    let candidates = KeyLayout::ALL
        .into_iter()
        .filter(|layout| fits(layout.width()));
    let plausible = candidates
        .filter_map(|layout| largest_small_key(head, layout).map(|largest| (largest, layout)));
    let (largest, layout) =
        plausible.min_by_key(|&(largest, layout)| (largest, usize::MAX - layout.width()))?;
    let kind = match layout {
        KeyLayout::U32Le => FormatKind::KeysU32Le,
        KeyLayout::U32Be => FormatKind::KeysU32Be,
        KeyLayout::U64Le => FormatKind::KeysU64Le,
        KeyLayout::U64Be => FormatKind::KeysU64Be,
    };
    let count = head.len() / layout.width();
    Some(Detection {
        kind,
        why: format!(
            "the first {count} integers of {} bytes are at most {largest}",
            layout.width()
        ),
    })
}

/// The largest key in this layout when all are small and not all are equal, and, for 4 bytes, when the
/// words do not alternate with zeros as keys of 8 bytes would.
fn largest_small_key(head: &[u8], layout: KeyLayout) -> Option<u64> {
    const SMALL_U32: u64 = 1 << 24;
    const SMALL_U64: u64 = 1 << 32;
    let limit = if layout.width() == 4 {
        SMALL_U32
    } else {
        SMALL_U64
    };
    let keys = || {
        head.chunks_exact(layout.width())
            .filter_map(|record| layout.read(record))
    };
    let (smallest, largest) = (keys().min()?, keys().max()?);
    let small = smallest < largest && largest < limit;
    let halves = |parity: usize| keys().skip(parity).step_by(2).all(|key| key == 0);
    let alternates = layout.width() == 4 && (halves(0) || halves(1));
    (small && !alternates).then_some(largest)
}
