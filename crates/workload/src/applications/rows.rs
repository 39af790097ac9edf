//! The rows of a table, as they are written.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use sha2::{Digest as _, Sha256};

/// Bytes that are collected before they are written.
const BLOCK_BYTES: usize = 1 << 16;
/// Letters of each of the two texts that others are cut from.
const TEXT_BYTES: usize = 1 << 20;
/// Longest text that is cut.
const LONGEST_TEXT: usize = 1 << 14;
/// Letters of a word.
const WORD: RangeInclusive<usize> = 2..=9;

/// Random texts to cut others from: cutting is far faster than drawing each letter.
pub struct Texts {
    letters: String,
    words: String,
}

impl Texts {
    /// Those of a seed.
    pub fn new(seed: u64) -> Texts {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut texts = Texts {
            letters: String::with_capacity(TEXT_BYTES + 1),
            words: String::with_capacity(TEXT_BYTES + 16),
        };
        while texts.letters.len() < TEXT_BYTES {
            texts.letters.push(letter(&mut random));
        }
        while texts.words.len() < TEXT_BYTES {
            for _ in 0..random.random_range(WORD) {
                texts.words.push(letter(&mut random));
            }
            texts.words.push(' ');
        }
        texts
    }
}

fn letter(random: &mut Pcg64Mcg) -> char {
    char::from(random.random_range(b'a'..=b'z'))
}

/// Writes the rows of one table: a line each, with tabs between columns, as `LOAD DATA` of MariaDB reads them.
pub struct Rows<'a> {
    random: Pcg64Mcg,
    texts: &'a Texts,
    out: &'a mut dyn Write,
    go_on: &'a dyn Fn() -> bool,
    buffer: Vec<u8>,
    hash: Sha256,
    rows: u64,
    bytes: u64,
}

/// What was written of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRows {
    /// Rows.
    pub rows: u64,
    /// Bytes of the lines.
    pub bytes: u64,
    /// SHA-256 of the lines, in hexadecimal digits.
    pub checksum: String,
}

impl<'a> Rows<'a> {
    /// Rows that are written to `out`, by the draws of `seed`, for as long as `go_on` says so.
    pub fn new(
        seed: u64,
        texts: &'a Texts,
        out: &'a mut dyn Write,
        go_on: &'a dyn Fn() -> bool,
    ) -> Rows<'a> {
        Rows {
            random: Pcg64Mcg::seed_from_u64(seed),
            texts,
            out,
            go_on,
            buffer: Vec::with_capacity(2 * BLOCK_BYTES),
            hash: Sha256::new(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Writes a row, whose columns have tabs between them.
    ///
    /// # Errors
    /// Those of writing; [`io::ErrorKind::Interrupted`] when it is asked to stop.
    pub fn write(&mut self, row: Arguments<'_>) -> io::Result<()> {
        self.buffer.write_fmt(row)?;
        self.buffer.push(b'\n');
        self.rows += 1;
        if self.buffer.len() < BLOCK_BYTES {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        if !(self.go_on)() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.hash.update(&self.buffer);
        self.out.write_all(&self.buffer)?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes what is left; what was written in all.
    ///
    /// # Errors
    /// As [`Rows::write`].
    pub fn finish(mut self) -> io::Result<WrittenRows> {
        self.flush()?;
        let digits = self.hash.finalize();
        Ok(WrittenRows {
            rows: self.rows,
            bytes: self.bytes,
            checksum: digits.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// A whole number, each as likely.
    pub fn number(&mut self, range: RangeInclusive<u64>) -> u64 {
        self.random.random_range(range)
    }

    /// An amount of so many cents, each as likely.
    pub fn amount(&mut self, cents: RangeInclusive<u64>) -> f64 {
        self.number(cents) as f64 / 100.0
    }

    /// One of these, each as likely.
    pub fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.random_range(0..of.len())]
    }

    /// Whether something happens that happens so often.
    pub fn chance(&mut self, share: f64) -> bool {
        self.random.random::<f64>() < share
    }

    /// Letters, so many, each number as likely.
    pub fn letters(&mut self, count: RangeInclusive<usize>) -> &'a str {
        let texts = self.texts;
        self.cut(&texts.letters, count)
    }

    /// Words that together have so many characters.
    pub fn words(&mut self, count: RangeInclusive<usize>) -> &'a str {
        let texts = self.texts;
        self.cut(&texts.words, count)
    }

    fn cut(&mut self, text: &'a str, count: RangeInclusive<usize>) -> &'a str {
        let count = self.random.random_range(count).min(LONGEST_TEXT);
        let from = self.random.random_range(0..text.len() - count);
        // Letters and blanks have a byte each.
        &text[from..from + count]
    }
}
