//! One file of a log, read from a place on.

use super::super::decompress::{Compression, content, fill};
use super::place::Place;
use super::siblings::Sibling;
use rustix::fs::{Mode, OFlags, open};
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::SystemTime;

/// A file of a log that is being read.
pub(super) struct FollowedFile {
    pub sibling: Sibling,
    bytes: Bytes,
    pub place: Place,
}

enum Bytes {
    /// A file that a server may be writing.
    Plain(File),
    /// A pipe: what was read cannot be looked at again.
    Pipe(File),
    /// A file that was rotated away.
    Compressed(Box<dyn Read + Send>),
}

impl FollowedFile {
    /// Opens a file at its beginning.
    pub fn open(sibling: Sibling) -> io::Result<FollowedFile> {
        let place = Place::start_of(Some(sibling.identity));
        let file = open_file(&sibling.path)?;
        let bytes = match file.metadata()?.is_file() {
            false => Bytes::Pipe(file),
            true => match compressed(&file)? {
                Some(bytes) => Bytes::Compressed(bytes),
                None => Bytes::Plain(file),
            },
        };
        Ok(FollowedFile {
            sibling,
            bytes,
            place,
        })
    }

    /// Opens a file at a place, if it holds that place.
    pub fn open_at(sibling: Sibling, place: &Place) -> io::Result<Option<FollowedFile>> {
        let mut file = FollowedFile::open(sibling)?;
        let is_there = match &mut file.bytes {
            Bytes::Plain(plain) => {
                let is_there = holds(plain, place)?;
                plain.seek(SeekFrom::Start(place.offset))?;
                is_there
            }
            Bytes::Pipe(_) => false,
            Bytes::Compressed(bytes) => skip_to(bytes, place)?,
        };
        file.place = place.in_file(Some(file.sibling.identity));
        Ok(is_there.then_some(file))
    }

    /// Goes to the end of the last whole line: what was written before is not handed over.
    pub fn skip_to_end(&mut self) -> io::Result<()> {
        let Bytes::Plain(file) = &mut self.bytes else {
            return Ok(());
        };
        let mut line_ends = 0;
        let length = file.metadata()?.len();
        let mut buffer = vec![0; SKIP_BYTES];
        let mut at = length;
        while at > 0 && line_ends == 0 {
            let wanted = at.min(SKIP_BYTES as u64) as usize;
            at -= wanted as u64;
            file.read_exact_at(&mut buffer[..wanted], at)?;
            line_ends =
                memchr::memrchr(b'\n', &buffer[..wanted]).map_or(0, |end| at + end as u64 + 1);
        }
        let from = line_ends.saturating_sub(SKIP_BYTES as u64);
        buffer.truncate((line_ends - from) as usize);
        file.read_exact_at(&mut buffer, from)?;
        let mut place = Place::start_of(self.place.identity);
        place.offset = from;
        place.advance(&buffer);
        self.place = place;
        file.seek(SeekFrom::Start(line_ends))?;
        Ok(())
    }

    /// Whether what was read of it is still there. It is not when the file was truncated.
    pub fn is_intact(&self) -> io::Result<bool> {
        match &self.bytes {
            Bytes::Plain(file) => holds(file, &self.place),
            Bytes::Pipe(_) | Bytes::Compressed(_) => Ok(true),
        }
    }

    /// Reads on; no bytes where nothing more has been written.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.bytes {
            Bytes::Plain(file) | Bytes::Pipe(file) => file.read(buffer),
            Bytes::Compressed(bytes) => bytes.read(buffer),
        };
        match read {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            other => other,
        }
    }

    /// Its first bytes, at most so many; none of a pipe.
    pub fn head(&self, most: usize) -> io::Result<Vec<u8>> {
        let mut head = vec![0; most];
        let length = match &self.bytes {
            Bytes::Plain(file) => fill(&mut At { file, offset: 0 }, &mut head)?,
            Bytes::Pipe(_) => 0,
            Bytes::Compressed(_) => {
                let file = open_file(&self.sibling.path)?;
                fill(&mut content(file)?.bytes, &mut head)?
            }
        };
        head.truncate(length);
        Ok(head)
    }

    /// When it was last written, also if it was renamed or removed since.
    pub fn modified(&self) -> io::Result<SystemTime> {
        match &self.bytes {
            Bytes::Plain(file) | Bytes::Pipe(file) => file.metadata()?.modified(),
            Bytes::Compressed(_) => Ok(self.sibling.modified),
        }
    }

    /// Whether a server may go on writing it.
    pub fn can_grow(&self) -> bool {
        !matches!(self.bytes, Bytes::Compressed(_))
    }
}

/// Reads a file without moving the position that it is read on from.
struct At<'f> {
    file: &'f File,
    offset: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

const SKIP_BYTES: usize = 64 * 1024;

/// Opens without waiting for the writer of a pipe.
fn open_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(open(path, flags, Mode::empty())?.into())
}

/// The bytes of a compressed file, decompressed; none of one that is not compressed.
fn compressed(file: &File) -> io::Result<Option<Box<dyn Read + Send>>> {
    let mut again = file.try_clone()?;
    let content = content(file.try_clone()?)?;
    let is_compressed = content.compression != Compression::None;
    if !is_compressed {
        // Both names of the open file share its position.
        again.rewind()?;
    }
    Ok(is_compressed.then_some(content.bytes))
}

/// Whether the bytes before a place are those that were read there.
fn holds(file: &File, place: &Place) -> io::Result<bool> {
    let mut found = vec![0; place.anchor().len()];
    match file.read_exact_at(&mut found, place.anchor_offset()) {
        Ok(()) => Ok(found == place.anchor()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads up to a place; whether it is there.
fn skip_to(bytes: &mut dyn Read, place: &Place) -> io::Result<bool> {
    let skipped = io::copy(&mut bytes.take(place.anchor_offset()), &mut io::sink())?;
    let mut found = Vec::new();
    let mut anchor = bytes.take(place.anchor().len() as u64);
    anchor.read_to_end(&mut found)?;
    Ok(skipped == place.anchor_offset() && found == place.anchor())
}
