//! Choosing a log's format from its head: every format says what speaks for it, the best evidence wins.

use super::Reject;
use super::encoding;
use super::evidence::Evidence;
use super::guess::{Guess, Missing, shortened};
use super::head::Head;
use super::kind::FormatKind;
use super::own_file::OwnFile;
use super::prefix::{InnerLines, Prefix, insides};
use super::w3c;

/// The format of a log, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The format.
    pub kind: FormatKind,
    /// The evidence, as a clause: "998 of the first 1000 lines read as combined".
    pub why: String,
    /// What else the same lines may say, and how to choose it, where the evidence leaves that open.
    pub doubt: Option<String>,
    /// What is cut off each line before the format reads it.
    pub prefix: Option<Prefix>,
}

/// A line that a format does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedLine {
    /// Why.
    pub reason: Reject,
    /// How it begins, in printable characters.
    pub text: String,
}

/// Why no format was chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// No bytes, or blank lines alone.
    #[error("{0}: holds nothing to tell a log format from: name a log that holds requests")]
    Empty(String),
    /// No format reads enough of the lines.
    #[error(
        "{input}: {}; no log format reads it: the best, {best}, reads {read} of its first {lines} lines{}{}",
        remedy(guess), first_rejected(rejected.as_deref()), or_guess(guess)
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
        /// The first of them that it does not read.
        rejected: Option<Box<RejectedLine>>,
        /// How the lines could be read.
        guess: Result<Box<Guess>, Missing>,
    },
    /// A file of hotset's own.
    #[error("{input}: is {what}, and no log: give it to `{reader}`")]
    OwnFile {
        /// The input's name.
        input: String,
        /// What it is.
        what: &'static str,
        /// The command that reads it.
        reader: &'static str,
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
    /// A W3C log without a column that its requests need.
    #[error("{input}: its #Fields: line lacks {column}: have the server log that field")]
    LacksColumn {
        /// The input's name.
        input: String,
        /// The column's name.
        column: &'static str,
    },
    /// No format reads a single line or record.
    #[error(
        "{input}: {}; it is in no log format that hotset knows{}",
        remedy(guess),
        or_guess(guess)
    )]
    Unknown {
        /// The input's name.
        input: String,
        /// How its lines could be read.
        guess: Result<Box<Guess>, Missing>,
    },
}

/// The beginning of a message: what to do.
fn remedy(guess: &Result<Box<Guess>, Missing>) -> &'static str {
    match guess {
        Ok(_) => {
            "accept the guess below, or name its format, or give its nginx log_format or Apache LogFormat string"
        }
        Err(_) => "name its format, or give its nginx log_format or Apache LogFormat string",
    }
}

/// The end of a message: a guess, or why there is none.
fn or_guess(guess: &Result<Box<Guess>, Missing>) -> String {
    match guess {
        Ok(guess) => format!("; the guess: {guess}"),
        Err(missing) => format!("; there is no guess, for {missing}"),
    }
}

/// Chooses the format of the log `input`, whose decompressed bytes begin with `head` (up to 1 MiB is
/// plenty). `length` is the log's whole decompressed length where known: formats of fixed records must
/// divide it.
///
/// # Errors
/// [`DetectError`] when nothing fits well enough; its message says what to do.
pub fn detect(head: &[u8], input: &str, length: Option<u64>) -> Result<Detection, DetectError> {
    detect_among(head, input, length, 0.0)
}

/// As [`detect`]; where no format reads enough of the lines, the one that reads most of them is chosen if it leaves out no
/// more than the share `max_rejected`. A guess may leave out as many.
///
/// # Errors
/// As there.
pub fn detect_among(
    head: &[u8],
    input: &str,
    length: Option<u64>,
    max_rejected: f64,
) -> Result<Detection, DetectError> {
    let sample = Head::new(head, input, length);
    let input = input.to_owned();
    if sample.is_blank() {
        return Err(DetectError::Empty(input));
    }
    if let Some(OwnFile { what, reader }) = OwnFile::of(head) {
        return Err(DetectError::OwnFile {
            input,
            what,
            reader,
        });
    }
    if let Some((encoding, fix)) = encoding::unreadable(head) {
        return Err(DetectError::Encoding {
            input,
            encoding,
            fix,
        });
    }
    if let Some(column) = w3c::missing_column(&sample) {
        return Err(DetectError::LacksColumn { input, column });
    }
    let candidates = evidence(&sample);
    if let Some(found) = choose(&candidates) {
        return Ok(found);
    }
    let insides = insides(sample.lines());
    let mut behind = insides
        .iter()
        .filter_map(|inside| detect_behind(inside, &sample, choose));
    if let Some(found) = behind.next() {
        return Ok(found);
    }
    let most = |candidates: &[_]| choose_most(candidates, max_rejected);
    let behind = insides.iter().rev();
    let mut behind = behind.filter_map(|inside| detect_behind(inside, &sample, most));
    most(&candidates)
        .or_else(|| behind.next())
        .ok_or_else(|| refuse(&candidates, input).with_lines_of(&sample, &insides, max_rejected))
}

/// The format of the lines inside of a prefix. Bare keys show nothing that another log could not hold.
fn detect_behind(
    inside: &InnerLines,
    whole: &Head<'_>,
    choose: impl Fn(&[(FormatKind, Evidence)]) -> Option<Detection>,
) -> Option<Detection> {
    let head = whole.with_lines(&inside.lines);
    let mut candidates = evidence(&head);
    candidates.retain(|(kind, _)| !kind.is_key_only());
    let found = choose(&candidates)?;
    Some(Detection {
        why: format!("{} behind {}, which is cut off", found.why, inside.prefix),
        prefix: Some(inside.prefix.clone()),
        ..found
    })
}

fn first_rejected(line: Option<&RejectedLine>) -> String {
    line.map_or_else(String::new, |RejectedLine { reason, text }| {
        format!(" (first of the others: {reason}: {text})")
    })
}

impl DetectError {
    /// The same error, with what its lines say: why the best format does not read them, and a guess at
    /// the format.
    fn with_lines_of(
        mut self,
        head: &Head<'_>,
        insides: &[InnerLines],
        max_rejected: f64,
    ) -> DetectError {
        if let DetectError::Unclear { best, rejected, .. } = &mut self {
            *rejected = RejectedLine::first(*best, head).map(Box::new);
        }
        if let DetectError::Unclear { guess, .. } | DetectError::Unknown { guess, .. } = &mut self {
            *guess = best_guess(head, insides, max_rejected).map(Box::new);
        }
        self
    }

    /// How the log's lines could be read, although no known format reads them.
    pub fn guess(&self) -> Option<&Guess> {
        match self {
            DetectError::Unclear { guess, .. } | DetectError::Unknown { guess, .. } => {
                guess.as_deref().ok()
            }
            _ => None,
        }
    }
}

impl RejectedLine {
    /// The first line of `head` that `kind` does not read.
    fn first(kind: FormatKind, head: &Head<'_>) -> Option<RejectedLine> {
        let mut parser = kind.parser();
        let rejected = |line: &&[u8]| {
            let reason = parser.parse(line).err()?;
            let text = shortened(&line.escape_ascii().to_string());
            Some(RejectedLine { reason, text })
        };
        head.lines().iter().find_map(rejected)
    }
}

/// For the format `kind` that a user named for the log `input`, with the arguments of [`detect`]: what is cut off each
/// line before it, and what speaks against it, that detection would choose another, which reads its first lines
/// otherwise.
pub(crate) fn second_opinion(
    kind: FormatKind,
    head: &[u8],
    input: &str,
    length: Option<u64>,
) -> (Option<Prefix>, Option<String>) {
    let Ok(found) = detect(head, input, length) else {
        return (None, None);
    };
    let other = found.kind;
    let sample = Head::new(head, input, length);
    let differs = found.prefix.is_some() && other != kind
        || !other.is_key_only() && differs(kind, other, &sample);
    let doubt = differs.then(|| {
        format!(
            "it is read as {kind}, as asked for; left to itself hotset would choose {other}, which finds \
             other clients, hosts or sizes in its first lines"
        )
    });
    (found.prefix.filter(|_| other == kind), doubt)
}

/// Whether two formats read any line of the head as different requests.
fn differs(one: FormatKind, other: FormatKind, head: &Head<'_>) -> bool {
    let (mut one, mut other) = (one.parser(), other.parser());
    let mut lines = head.lines().iter();
    lines.any(|line| one.parse(line) != other.parse(line))
}

/// The guess at the lines without what stands in front of them, most of it first; else at the whole lines, which may
/// have their times there.
fn best_guess(
    head: &Head<'_>,
    insides: &[InnerLines],
    max_rejected: f64,
) -> Result<Guess, Missing> {
    let behind = |inside: &InnerLines| {
        let guess = Guess::of(&head.with_lines(&inside.lines), max_rejected).ok()?;
        Some(guess.behind(inside.prefix.clone()))
    };
    let found = insides.iter().rev().find_map(behind);
    found.map_or_else(|| Guess::of(head, max_rejected), Ok)
}

/// What speaks for each format, in the order of [`FormatKind::ALL`].
fn evidence(head: &Head<'_>) -> Vec<(FormatKind, Evidence)> {
    let found = |&kind: &FormatKind| Some((kind, kind.evidence(head)?));
    FormatKind::ALL.iter().filter_map(found).collect()
}

/// Of the formats with enough evidence the one with the most fields; of equal ones the one that reads more.
fn choose(candidates: &[(FormatKind, Evidence)]) -> Option<Detection> {
    let enough = candidates.iter().rev().filter(|(_, it)| it.is_enough());
    let best = enough.max_by_key(|(kind, it)| (kind.fields, it.per_mille()))?;
    Some(Detection::of(best))
}

/// The format that reads most lines, of equal ones the one with the most fields, if it leaves out no more than the share
/// `max_rejected`. Bare keys show nothing that another log could not hold.
fn choose_most(candidates: &[(FormatKind, Evidence)], max_rejected: f64) -> Option<Detection> {
    let telling = candidates.iter().rev();
    let telling = telling.filter(|(kind, _)| !kind.is_key_only());
    let best = telling.max_by_key(|(kind, it)| (it.read, kind.fields))?;
    best.1
        .leaves_out_at_most(max_rejected)
        .then(|| Detection::of(best))
}

impl Detection {
    fn of((kind, evidence): &(FormatKind, Evidence)) -> Detection {
        Detection {
            kind: *kind,
            why: evidence.why.clone(),
            doubt: evidence.doubt.clone(),
            prefix: None,
        }
    }
}

/// The error that names the format which reads the most lines, if any reads one.
fn refuse(candidates: &[(FormatKind, Evidence)], input: String) -> DetectError {
    let best = candidates
        .iter()
        .max_by_key(|(kind, it)| (it.read, kind.fields));
    match best {
        None => DetectError::Unknown {
            input,
            guess: Err(Missing::Time),
        },
        Some((best, evidence)) => DetectError::Unclear {
            input,
            best: *best,
            read: evidence.read,
            lines: evidence.of,
            rejected: None,
            guess: Err(Missing::Time),
        },
    }
}
