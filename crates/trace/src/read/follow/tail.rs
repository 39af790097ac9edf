//! The lines of one log, as they are written.

use super::super::framing::MAX_LINE_BYTES;
use super::file::FollowedFile;
use super::place::Place;
use super::siblings::{LogName, Sibling};
use crate::formats::trim_line_end;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes that one look at a log reads at most, so that a large one does not keep the others waiting.
const MOST_BYTES: usize = 16 << 20;

const READ_BYTES: usize = 256 * 1024;

/// What happened to a log besides new lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TailEvent {
    /// Another file is read from here on.
    Began(PathBuf),
    /// What was written behind the last line read is gone: no file and no copy holds it.
    LostLines,
    /// There is no such file, or none any more.
    Missing,
}

/// Where to begin with a log.
pub(super) enum StartingPoint<'p> {
    /// With what is written from now on.
    Now,
    /// With all that the file holds.
    Start,
    /// Where another process has stopped.
    At(&'p Place),
}

/// A log that is read as it grows.
pub(super) struct Tail {
    name: LogName,
    file: Option<FollowedFile>,
    /// The beginning of a line that is not written to its end yet.
    line: Vec<u8>,
    /// Whether the rest of the line is skipped, since it is too long.
    is_skipping: bool,
    /// Whether the file was seen at its end when the server already wrote the next one.
    is_drained: bool,
    is_missing: bool,
    /// Whether the place to begin at was found nowhere, which is told first.
    has_lost: bool,
    buffer: Vec<u8>,
}

impl Tail {
    pub fn begin(name: LogName, begin: StartingPoint<'_>) -> io::Result<Tail> {
        let file = match begin {
            StartingPoint::At(place) if place.is_sound() => found(&name, place)?,
            _ => None,
        };
        let has_lost =
            file.is_none() && matches!(begin, StartingPoint::At(place) if place.is_sound());
        let file = match (file, name.current()) {
            (None, Some(current)) => {
                let mut file = FollowedFile::open(current)?;
                // Where the place was lost, what is there was written after it.
                if !has_lost && !matches!(begin, StartingPoint::Start) {
                    file.skip_to_end()?;
                }
                Some(file)
            }
            (file, _) => file,
        };
        Ok(Tail {
            name,
            file,
            line: Vec::new(),
            is_skipping: false,
            is_drained: false,
            is_missing: false,
            has_lost,
            buffer: vec![0; READ_BYTES],
        })
    }

    /// The file that is being read.
    pub fn path(&self) -> &Path {
        match &self.file {
            Some(file) => &file.sibling.path,
            None => Path::new(self.name.as_str()),
        }
    }

    /// The first bytes of the file that is being read, at most so many; none of a pipe.
    pub fn head(&self, most: usize) -> io::Result<Vec<u8>> {
        self.file
            .as_ref()
            .map_or(Ok(Vec::new()), |file| file.head(most))
    }

    /// The end of the last line handed over.
    pub fn place(&self) -> Option<&Place> {
        self.file.as_ref().map(|file| &file.place)
    }

    /// Hands over the lines written since the last look, without their ends; then what else happened.
    pub fn poll(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<Option<TailEvent>> {
        if std::mem::take(&mut self.has_lost) {
            return Ok(Some(TailEvent::LostLines));
        }
        if self.file.is_none() {
            return self.look_for_file();
        }
        if let Some(event) = self.look_for_truncation()? {
            return Ok(event.into());
        }
        let is_at_end = self.read(take)?;
        match is_at_end {
            true => self.look_for_next(take),
            false => Ok(None),
        }
    }

    fn look_for_file(&mut self) -> io::Result<Option<TailEvent>> {
        match self.name.current() {
            Some(current) => self.go_to(current).map(Some),
            None if self.is_missing => Ok(None),
            None => {
                self.is_missing = true;
                Ok(Some(TailEvent::Missing))
            }
        }
    }

    /// Goes on in another file, from its beginning.
    fn go_to(&mut self, sibling: Sibling) -> io::Result<TailEvent> {
        let path = sibling.path.clone();
        self.file = Some(FollowedFile::open(sibling)?);
        self.line.clear();
        self.is_skipping = false;
        self.is_drained = false;
        self.is_missing = false;
        Ok(TailEvent::Began(path))
    }

    /// Where the file was copied and truncated, goes on in the copy.
    fn look_for_truncation(&mut self) -> io::Result<Option<TailEvent>> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        if file.is_intact()? {
            return Ok(None);
        }
        let place = file.place.in_file(None);
        match found(&self.name, &place)? {
            Some(copy) => {
                let path = copy.sibling.path.clone();
                self.file = Some(copy);
                self.line.clear();
                Ok(Some(TailEvent::Began(path)))
            }
            None => {
                let sibling = file.sibling.clone();
                self.go_to(sibling)?;
                Ok(Some(TailEvent::LostLines))
            }
        }
    }

    /// Reads on; whether the end was reached.
    fn read(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<bool> {
        let Some(file) = &mut self.file else {
            return Ok(true);
        };
        let mut left = MOST_BYTES;
        while left > 0 {
            let read = match file.read(&mut self.buffer) {
                Ok(0) => return Ok(true),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            left = left.saturating_sub(read);
            self.is_drained = false;
            cut(
                &self.buffer[..read],
                &mut self.line,
                &mut self.is_skipping,
                &mut file.place,
                take,
            );
        }
        Ok(false)
    }

    /// Goes on in the next file when the server does.
    fn look_for_next(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<Option<TailEvent>> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let Some(current) = self.name.current() else {
            let was_missing = std::mem::replace(&mut self.is_missing, true);
            return Ok((!was_missing).then_some(TailEvent::Missing));
        };
        self.is_missing = false;
        if current.identity == file.sibling.identity {
            return Ok(None);
        }
        // A server that has yet to be told of the rotation writes on in the old file.
        if file.can_grow() && !self.is_drained {
            self.is_drained = true;
            return Ok(None);
        }
        let next = self.next_after(file.modified()?, current);
        if !self.line.is_empty() && !self.is_skipping {
            take(&self.line);
        }
        self.go_to(next).map(Some)
    }

    /// The file that was written after one that was last written at `modified`; `current` is the last.
    fn next_after(&self, modified: SystemTime, current: Sibling) -> Sibling {
        let all = self.name.files().into_iter();
        let mut later = all.filter(|sibling| sibling.is_after(modified));
        later.next().unwrap_or(current)
    }
}

/// The file of a log that holds a place: the one it was read in, else a copy.
fn found(name: &LogName, place: &Place) -> io::Result<Option<FollowedFile>> {
    let all = name.files();
    let (same, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .rev()
        .partition(|sibling| Some(sibling.identity) == place.identity);
    for sibling in same.into_iter().chain(others) {
        // A file that cannot be read, or is damaged, holds it no more.
        if let Ok(Some(file)) = FollowedFile::open_at(sibling, place) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Cuts what was read into lines.
fn cut(
    mut bytes: &[u8],
    line: &mut Vec<u8>,
    is_skipping: &mut bool,
    place: &mut Place,
    take: &mut dyn FnMut(&[u8]),
) {
    while let Some(end) = memchr::memchr(b'\n', bytes) {
        let (head, rest) = bytes.split_at(end + 1);
        match (std::mem::take(is_skipping), line.is_empty()) {
            (true, _) => place.advance(head),
            (false, true) => {
                place.advance(head);
                take(trim_line_end(head));
            }
            (false, false) => {
                line.extend_from_slice(head);
                place.advance(line);
                take(trim_line_end(line));
                line.clear();
            }
        }
        bytes = rest;
    }
    if *is_skipping {
        place.advance(bytes);
        return;
    }
    line.extend_from_slice(bytes);
    if line.len() > MAX_LINE_BYTES {
        place.advance(line);
        line.clear();
        *is_skipping = true;
    }
}
