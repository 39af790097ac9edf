//! Opening a file and choosing its format.

use super::decompress::{Compression, content};
use super::error::ReadError;
use super::framing::{Blocks, Frames};
use super::inputs::{Input, Meter};
use super::options::{FormatChoice, ReadOptions};
use super::summary::SourceSummary;
use crate::Zone;
use crate::formats::{
    Detection, Format, FormatKind, Framing, Guess, GuessedFormat, Prefix, UrlHosts, detect_among,
    lack_zone, second_opinion, urls_name_hosts,
};
use foldhash::fast::FixedState;
use std::hash::BuildHasher;
use std::ops::Range;

/// Bytes of a file by which its format is chosen.
pub(super) const HEAD_BYTES: usize = 256 * 1024;

/// The same where the format is known, so that many logs can be open at a time.
const HEAD_BYTES_AGAIN: usize = 4 * 1024;

/// A file that waits for its turn.
pub(super) struct LogFile {
    pub(super) input: Input,
    /// The rule for logs that takes it ([`super::sites::Sites::log_rule`]).
    pub(super) log_rule: usize,
    /// Time of its first request; the smallest number where it has none.
    pub(super) first_us: i64,
    pub(super) parsers: Parsers,
    /// Whether its first records bear on how later ones are read ([`Format::carries_state`]).
    pub(super) is_in_order: bool,
    /// Why this format.
    why: String,
    /// What else its lines may say.
    doubt: Option<String>,
    /// Whether times in it name no zone.
    times_lack_zone: bool,
    /// Whether nothing is in it.
    pub(super) is_empty: bool,
    /// How it is compressed.
    pub(super) compression: Compression,
    /// Hash of its head after decompression: other files with this one may hold the same.
    pub(super) head_hash: u64,
    /// The opened file, kept where it cannot be opened again.
    frames: Option<Frames>,
    /// The bytes that are read, where they are not all: from line to line.
    pub(super) range: Option<Range<u64>>,
}

impl LogFile {
    /// Opens `input`, chooses its format and finds its first time. Files that can be opened again are
    /// closed unless `keep_open`, so that any number of them can wait.
    pub(super) fn open(
        input: Input,
        log_rule: usize,
        options: &ReadOptions,
        meter: &Meter,
        keep_open: bool,
    ) -> Result<LogFile, ReadError> {
        let keep_open = keep_open || input.length.is_none();
        let unused = Meter::default();
        let mut opened = open(&input, if keep_open { meter } else { &unused }, HEAD_BYTES)?;
        let chosen = choose(&input.name(), opened.frames.head(), opened.length, options);
        let chosen = chosen.map_err(|error| opened.damage(&input).unwrap_or(error))?;
        let (why, doubt) = (chosen.why.clone(), chosen.doubt.clone());
        let frames = opened.frames;
        let is_empty = frames.head().is_empty();
        let parsers = Parsers::of_chosen(chosen, frames.head(), options);
        let times_lack_zone = lack_zone(frames.head(), |zone| parsers.parser_in(zone));
        let mut format = parsers.parser();
        let first_us = first_time(&frames, format.as_mut()).unwrap_or(i64::MIN);
        let head_hash = FixedState::default().hash_one(frames.head());
        let frames = keep_open.then_some(frames);
        Ok(LogFile {
            input,
            log_rule,
            first_us,
            parsers,
            is_in_order: format.carries_state(),
            why,
            doubt,
            times_lack_zone,
            is_empty,
            compression: opened.compression,
            head_hash,
            frames,
            range: None,
        })
    }

    /// Its name, its format and why that was chosen.
    pub(super) fn summary(&self, site: Option<String>) -> SourceSummary {
        let name = match self.is_empty {
            true => "",
            false => self.parsers.choice.name(),
        };
        SourceSummary {
            format: name.into(),
            why: self.why.clone(),
            doubt: self.doubt.clone(),
            assumed_zone: self.times_lack_zone.then(|| self.parsers.zone.to_string()),
            site,
            file: self.input.name(),
            ..SourceSummary::default()
        }
    }

    /// Its records, from the first, in blocks of about `block_bytes` bytes.
    pub(super) fn blocks(self, meter: &Meter, block_bytes: usize) -> Result<Blocks, ReadError> {
        let framing = self.parsers.parser().framing();
        if let Some(range) = self.range {
            let failed = |error| ReadError::of_open(self.input.name(), error);
            let begins = range.start == 0;
            let bytes = Box::new(self.input.open_range(meter, range).map_err(failed)?);
            return Ok(match begins {
                true => Frames::new(bytes, HEAD_BYTES_AGAIN)
                    .map_err(failed)?
                    .blocks(framing, block_bytes),
                false => Blocks::new(bytes, framing, block_bytes),
            });
        }
        let frames = match self.frames {
            Some(frames) => frames,
            None => open(&self.input, meter, HEAD_BYTES_AGAIN)?.frames,
        };
        Ok(frames.blocks(framing, block_bytes))
    }
}

/// Makes parsers of a file's records.
#[derive(Clone)]
pub(super) struct Parsers {
    choice: FormatChoice,
    /// What stands in front of its lines.
    prefix: Option<Prefix>,
    /// The zone of times that name none.
    zone: Zone,
    /// Whether its requests name their hosts in their URLs.
    urls_name_hosts: bool,
}

impl Parsers {
    /// Of a log that begins with `head`, which is not all of it.
    pub(super) fn of_head(
        head: &[u8],
        name: &str,
        options: &ReadOptions,
    ) -> Result<Parsers, ReadError> {
        let chosen = choose(name, head, None, options)?;
        Ok(Parsers::of_chosen(chosen, head, options))
    }

    fn of_chosen(chosen: ChosenFormat, head: &[u8], options: &ReadOptions) -> Parsers {
        let mut parsers = Parsers {
            choice: chosen.choice,
            prefix: chosen.prefix,
            zone: options.log_zone.clone().unwrap_or_default(),
            urls_name_hosts: false,
        };
        parsers.urls_name_hosts = urls_name_hosts(head, parsers.parser().as_mut());
        parsers
    }

    /// The name of the format.
    pub(super) fn name(&self) -> &'static str {
        self.choice.name()
    }

    /// A parser in its initial state.
    pub(super) fn parser(&self) -> Box<dyn Format> {
        self.parser_in(&self.zone)
    }

    /// The same, which reads times that name no zone on the clocks of `zone`.
    fn parser_in(&self, zone: &Zone) -> Box<dyn Format> {
        let mut parser = self.choice.parser();
        parser.set_zone(zone);
        let parser = match &self.prefix {
            Some(prefix) => prefix.before(parser),
            None => parser,
        };
        match self.urls_name_hosts {
            true => Box::new(UrlHosts(parser)),
            false => parser,
        }
    }
}

/// An opened file.
struct OpenLog {
    frames: Frames,
    /// Bytes after decompression, where known.
    length: Option<u64>,
    compression: Compression,
}

impl OpenLog {
    /// Why no format reads the file, where its compressed data are damaged: bzip2 gives out the bytes of
    /// a block of 900 kB before it can check them.
    fn damage(&mut self, input: &Input) -> Option<ReadError> {
        const LOOK_AHEAD_BLOCKS: usize = 8;
        let error = (0..LOOK_AHEAD_BLOCKS).find_map(|_| self.frames.look_on().err())?;
        Some(ReadError::of_io(&input.name(), error))
    }
}

fn open(input: &Input, meter: &Meter, head_bytes: usize) -> Result<OpenLog, ReadError> {
    let file = input
        .open(meter)
        .map_err(|source| ReadError::of_open(input.name(), source))?;
    let failed = |error| ReadError::of_io(&input.name(), error);
    let content = content(file).map_err(failed)?;
    let frames = Frames::new(content.bytes, head_bytes).map_err(failed)?;
    let compression = content.compression;
    let is_plain = compression == Compression::None;
    let length = frames.whole_length().or(input.length.filter(|_| is_plain));
    Ok(OpenLog {
        frames,
        length,
        compression,
    })
}

/// The format of a file: how it is read, and why.
struct ChosenFormat {
    choice: FormatChoice,
    prefix: Option<Prefix>,
    why: String,
    doubt: Option<String>,
}

impl From<Detection> for ChosenFormat {
    fn from(found: Detection) -> ChosenFormat {
        ChosenFormat {
            choice: FormatChoice::Known(found.kind),
            prefix: found.prefix,
            why: found.why,
            doubt: found.doubt,
        }
    }
}

/// The format of a log by its first bytes, `block`, and why. `length` is that of the whole log, where known.
fn choose(
    name: &str,
    block: &[u8],
    length: Option<u64>,
    options: &ReadOptions,
) -> Result<ChosenFormat, ReadError> {
    if let Some(named) = &options.format {
        check_keys(named, block, name)?;
        let (prefix, doubt) = match named {
            FormatChoice::Known(kind) => second_opinion(*kind, block, name, length),
            FormatChoice::Custom(_) | FormatChoice::Json(_) => (None, None),
        };
        let why = match &prefix {
            Some(prefix) => format!("as asked for, behind {prefix}, which is cut off"),
            None => "as asked for".into(),
        };
        return Ok(ChosenFormat {
            choice: named.clone(),
            prefix,
            why,
            doubt,
        });
    }
    if block.is_empty() {
        return Ok(ChosenFormat {
            choice: FormatChoice::Known(FormatKind::COMBINED),
            prefix: None,
            why: "the file is empty".into(),
            doubt: None,
        });
    }
    let max_rejected = options.max_rejected_share.unwrap_or(0.0);
    detect_among(block, name, length, max_rejected)
        .map(Into::into)
        .or_else(|error| {
            let accepted = error.guess().filter(|_| options.accepts_guess);
            let guessed = accepted.and_then(guessed);
            guessed.ok_or_else(|| error.into())
        })
}

/// The guess at a format, to be looked at by whoever accepted it.
fn guessed(guess: &Guess) -> Option<ChosenFormat> {
    let choice = match guess.format() {
        GuessedFormat::String(string) => FormatChoice::Custom(string.pattern()?),
        GuessedFormat::Keys(keys) => FormatChoice::Json(keys.clone()),
    };
    Some(ChosenFormat {
        choice,
        prefix: guess.prefix().cloned(),
        why: format!("a guess: {}", guess.format()),
        doubt: Some(format!("its format is a guess: {guess}")),
    })
}

/// That the keys which the user names are in the log.
fn check_keys(choice: &FormatChoice, head: &[u8], name: &str) -> Result<(), ReadError> {
    let FormatChoice::Json(keys) = choice else {
        return Ok(());
    };
    match keys.missing_in(head) {
        None => Ok(()),
        Some(missing) => Err(ReadError::MissingKey {
            file: name.to_owned(),
            missing,
        }),
    }
}

/// The time of the first request in the head.
fn first_time(frames: &Frames, format: &mut dyn Format) -> Option<i64> {
    let block = frames.records(format.framing());
    let time = |record: &[u8], format: &mut dyn Format| {
        format
            .parse(record)
            .ok()
            .flatten()
            .and_then(|record| record.time_us)
    };
    match format.framing() {
        Framing::Fixed(length) => block.get(..length).and_then(|record| time(record, format)),
        Framing::Lines => block
            .split(|&byte| byte == b'\n')
            .find_map(|line| time(line, format)),
    }
}
