//! What it costs to serve a file from a store.

use std::path::Path;

use crate::builtin::{self, BUILTIN};
use crate::document::{self, Document, FileError, Section};

/// A cost that grows linearly with the bytes read.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CostLine {
    /// Microseconds before the first byte.
    pub fixed_us: f64,
    /// Bytes per microsecond (= MB/s, 10^6 bytes) after it.
    pub bytes_per_us: f64,
}

impl CostLine {
    /// Microseconds to read `bytes`.
    pub fn us(&self, bytes: u64) -> f64 {
        self.fixed_us + bytes as f64 / self.bytes_per_us
    }
}

/// A store's costs, measured or published.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Profile {
    /// The name it is asked for by.
    pub name: String,
    /// Microseconds to open and close a file, paid by every request, cached or not.
    pub open_us: f64,
    /// Reading a file that is in the page cache (for a store without a client cache: in its servers').
    pub cached: CostLine,
    /// Reading a file that is not.
    pub uncached: CostLine,
    /// Reading a file of which nothing is in memory, not even its directory and inode; as `uncached` where nothing is
    /// known of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cold: Option<CostLine>,
    /// Where the figures are from.
    pub source: String,
}

impl Profile {
    /// Microseconds to serve `bytes` that are in the page cache.
    pub fn cached_us(&self, bytes: u64) -> f64 {
        self.open_us + self.cached.us(bytes)
    }

    /// Microseconds to serve `bytes` that are not.
    pub fn uncached_us(&self, bytes: u64) -> f64 {
        self.open_us + self.uncached.us(bytes)
    }

    /// Microseconds to serve `bytes` of a file whose directory and inode are not in memory either.
    pub fn cold_us(&self, bytes: u64) -> f64 {
        self.open_us + self.cold.unwrap_or(self.uncached).us(bytes)
    }
}

/// A profile that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// Neither a built-in profile nor a file.
    #[error(
        "profile `{name}` is neither built in ({}) nor a TOML file; did you mean `{nearest}`?",
        BUILTIN.join(", ")
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The built-in profile that looks most like it.
        nearest: &'static str,
    },
    /// The profile's file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

const PROFILE_KEYS: [&str; 6] = ["name", "open_us", "cached", "uncached", "cold", "source"];
const LINE_KEYS: [&str; 2] = ["fixed_us", "bytes_per_us"];

impl Profile {
    /// The built-in profile called `name`, one of [`BUILTIN`].
    pub fn builtin(name: &str) -> Option<Self> {
        builtin::builtin(name)
    }

    /// The profile in the TOML file at `path`: `open_us`, tables `cached` and `uncached` with
    /// `fixed_us` and `bytes_per_us`, and if wanted a table `cold`, `name` (else the file's) and `source`.
    ///
    /// # Errors
    /// A file that cannot be read or used, with the line.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::parse(&document::read_text(path)?, path)
    }

    /// As [`Profile::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// Text that is no profile, with the line.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        let document = Document { path, text };
        let table = document.parse()?;
        let root = Section::new(document, "a profile", 0..0, table.get_ref(), &PROFILE_KEYS)?;
        let stem = path
            .file_stem()
            .map_or_else(|| "profile".into(), |stem| stem.to_string_lossy());
        let open_us = root.number("open_us")?;
        if open_us < 0.0 {
            return Err(root.error("open_us", "must not be negative"));
        }
        Ok(Self {
            name: root
                .optional_text("name")?
                .unwrap_or_else(|| stem.into_owned()),
            open_us,
            cached: cost_line(&root.section("cached", "[cached]", &LINE_KEYS)?, open_us)?,
            uncached: cost_line(
                &root.section("uncached", "[uncached]", &LINE_KEYS)?,
                open_us,
            )?,
            cold: root
                .optional_section("cold", "[cold]", &LINE_KEYS)?
                .map(|line| cost_line(&line, open_us))
                .transpose()?,
            source: root
                .optional_text("source")?
                .unwrap_or_else(|| path.display().to_string()),
        })
    }

    /// The built-in profile of that name, else the TOML file there.
    ///
    /// # Errors
    /// Neither, or a file that cannot be used.
    pub fn named_or_file(name_or_path: &str) -> Result<Self, ProfileError> {
        if let Some(profile) = Self::builtin(name_or_path) {
            return Ok(profile);
        }
        let path = Path::new(name_or_path);
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
            || path.is_file()
        {
            return Ok(Self::load(path)?);
        }
        Err(ProfileError::Unknown {
            name: name_or_path.to_owned(),
            nearest: nearest_builtin(name_or_path),
        })
    }
}

fn nearest_builtin(name: &str) -> &'static str {
    let likeness = |known: &&str| strsim::jaro_winkler(name, known);
    BUILTIN
        .into_iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .unwrap_or(BUILTIN[0])
}

/// A line that costs something positive for every file of a byte or more.
fn cost_line(section: &Section, open_us: f64) -> Result<CostLine, FileError> {
    let line = CostLine {
        fixed_us: section.number("fixed_us")?,
        bytes_per_us: section.number("bytes_per_us")?,
    };
    if line.bytes_per_us <= 0.0 {
        return Err(section.error(
            "bytes_per_us",
            "must be positive: bytes read in a microsecond, which is MB/s",
        ));
    }
    if open_us + line.fixed_us < 0.0 {
        return Err(section.error(
            "fixed_us",
            "must not be below minus `open_us`: no read takes less than no time",
        ));
    }
    Ok(line)
}
