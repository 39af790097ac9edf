//! What the pages of a web application with a database ask of its servers, as it was measured.

use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{cost_us, within};
use crate::toml_file::{Bytes, FileError, TomlFile};

/// Nanoseconds a byte, and reads of a table as against others: more is taken for a typing error.
const MOST_COUNT: f64 = 1e6;
/// Reads, syncs and images that a page may have, and its bytes.
const MOST_OF_A_PAGE: f64 = 10_000.0;
const MOST_PAGE_BYTES: u64 = 1 << 40;
/// Images of which each may be read on its own.
const MOST_IMAGES: u64 = 1_000_000;
const MOST_IMAGE_BYTES: u64 = 1 << 20;
/// The page of InnoDB (`innodb_page_size`), bytes.
const INNODB_PAGE_BYTES: u64 = 16 << 10;
/// Pages of tables: from the smallest block of MyISAM to the largest page of InnoDB, bytes.
const TABLE_PAGE_BYTES: std::ops::RangeInclusive<u64> = 1024..=65536;

/// What each type of page takes of the web server, of the application and of the database, and which tables it reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct ApplicationProfile {
    /// Where the figures are from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// What the database reads of a table at a time, bytes.
    #[serde(
        default = "innodb_page",
        deserialize_with = "table_page",
        rename = "table_page"
    )]
    pub table_page_bytes: u64,
    /// Files that pages have with them; none where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<ImageProfile>,
    /// Types of pages.
    #[serde(default, rename = "page")]
    pub pages: Vec<PageProfile>,
    /// Tables that pages read; where there are none, those that were measured of the database server.
    #[serde(default, rename = "table", skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableProfile>,
}

/// What a page of a type takes, on average.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct PageProfile {
    /// Its name, as that of the mix.
    pub name: String,
    /// Processor time of the web server, microseconds.
    #[serde(default, deserialize_with = "cost_us")]
    pub web_us: f64,
    /// Processor time of the application, microseconds.
    #[serde(default, deserialize_with = "cost_us")]
    pub application_us: f64,
    /// Processor time of the application for each byte of the page, nanoseconds, beside that.
    #[serde(
        default,
        deserialize_with = "count",
        skip_serializing_if = "is_nothing"
    )]
    pub application_ns_per_byte: f64,
    /// Processor time of the database, microseconds.
    #[serde(default, deserialize_with = "cost_us")]
    pub database_us: f64,
    /// Pages of tables that it looks for, each of which is in the buffer pool or has to be read.
    #[serde(default, deserialize_with = "few")]
    pub page_reads: f64,
    /// How often it waits until the database's log is on the disk.
    #[serde(default, deserialize_with = "few")]
    pub log_flushes: f64,
    /// Bytes of the page.
    #[serde(
        default,
        deserialize_with = "page_size",
        skip_serializing_if = "is_no_bytes"
    )]
    pub bytes: u64,
    /// Images that a browser asks for with it.
    #[serde(default, deserialize_with = "few", skip_serializing_if = "is_nothing")]
    pub images: f64,
}

/// Images that browsers ask for with pages: static files of the web server. All are as likely as each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct ImageProfile {
    /// How many there are.
    #[serde(deserialize_with = "image_files")]
    pub files: u64,
    /// Bytes of each.
    #[serde(deserialize_with = "image_size")]
    pub bytes: u64,
}

/// A table, as far as reads of it go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct TableProfile {
    /// Its name.
    pub name: String,
    /// Its rows and indexes, bytes.
    #[serde(deserialize_with = "size")]
    pub bytes: u64,
    /// Bytes of it that are read over and over; all of it where not given.
    #[serde(
        default,
        deserialize_with = "some_size",
        skip_serializing_if = "Option::is_none"
    )]
    pub hot_bytes: Option<u64>,
    /// The share of its reads that are of those.
    #[serde(default = "one", deserialize_with = "share")]
    pub hot_share: f64,
    /// How often it is read, as against the other tables.
    #[serde(deserialize_with = "count")]
    pub reads: f64,
}

impl ApplicationProfile {
    /// The profile in the TOML file at `path`: a `[[page]]` for each type of page, and a `[[table]]` for each table.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column; one without a page.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::from_file(&TomlFile::read(path)?)
    }

    /// As [`ApplicationProfile::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// As there.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        Self::from_file(&TomlFile::from_text(text, path))
    }

    fn from_file(file: &TomlFile) -> Result<Self, FileError> {
        let profile: Self = file.parse()?;
        match profile.problem() {
            Some(problem) => Err(file.error(0..0, problem)),
            None => Ok(profile),
        }
    }

    /// What contradicts itself.
    fn problem(&self) -> Option<String> {
        if self.pages.is_empty() {
            return Some("there are no pages; add a [[page]] for each type of page".to_owned());
        }
        let pages: Vec<&str> = self.pages.iter().map(|it| it.name.as_str()).collect();
        let tables: Vec<&str> = self.tables.iter().map(|it| it.name.as_str()).collect();
        for (list, names) in [("page", pages), ("table", tables)] {
            if let Some(twice) = first_twice(&names) {
                return Some(format!(
                    "`name` in [[{list}]]: `{twice}` is there twice; give each {list} a name of its own"
                ));
            }
        }
        let mut pages = self.pages.iter();
        if let Some(page) = pages.find(|it| it.images > 0.0 && self.images.is_none()) {
            return Some(format!(
                "`images` of [[page]] `{}`: nothing is said of them; add [images] with `files` and `bytes`",
                page.name
            ));
        }
        let mut tables = self.tables.iter();
        if let Some(table) = tables.find(|it| it.hot_bytes.is_some_and(|hot| hot > it.bytes)) {
            return Some(format!(
                "`hot_bytes` of [[table]] `{}`: more than its `bytes`; give it as many at most",
                table.name
            ));
        }
        let reads: f64 = self.tables.iter().map(|it| it.reads).sum();
        (!self.tables.is_empty() && reads <= 0.0).then(|| {
            "`reads` in [[table]]: nobody reads any; give one of them more than 0".to_owned()
        })
    }

    /// The profile as a TOML file has it; [`ApplicationProfile::parse`] reads it.
    ///
    /// # Errors
    /// A figure that is not finite.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// What was measured of the type of page that is called so.
    #[must_use]
    pub fn page(&self, name: &str) -> Option<&PageProfile> {
        self.pages.iter().find(|page| page.name == name)
    }
}

fn first_twice<'n>(names: &[&'n str]) -> Option<&'n str> {
    let places = names.iter().enumerate();
    let mut twice = places.filter(|(place, name)| names[..*place].contains(name));
    twice.next().map(|(_, name)| *name)
}

fn innodb_page() -> u64 {
    INNODB_PAGE_BYTES
}

fn one() -> f64 {
    1.0
}

fn is_nothing(number: &f64) -> bool {
    *number == 0.0
}

fn is_no_bytes(bytes: &u64) -> bool {
    *bytes == 0
}

fn few<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    within(number, &(0.0..=MOST_OF_A_PAGE), "for a page").map_err(D::Error::custom)
}

fn page_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match size(deserializer)? {
        bytes if bytes <= MOST_PAGE_BYTES => Ok(bytes),
        _ => Err(D::Error::custom("must be at most 1TiB")),
    }
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if (0.0..=MOST_COUNT).contains(&number) => Ok(number),
        _ => Err(D::Error::custom("must be from 0 to 1000000")),
    }
}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err(D::Error::custom("must be from 0 to 1")),
    }
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Bytes::deserialize(deserializer).map(|it| it.0)
}

fn image_files<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        number if (1..=MOST_IMAGES).contains(&number) => Ok(number),
        _ => Err(D::Error::custom("must be from 1 to 1000000")),
    }
}

fn image_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match size(deserializer)? {
        bytes if bytes <= MOST_IMAGE_BYTES => Ok(bytes),
        _ => Err(D::Error::custom("must be at most 1MiB")),
    }
}

fn some_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    size(deserializer).map(Some)
}

fn table_page<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match size(deserializer)? {
        bytes if TABLE_PAGE_BYTES.contains(&bytes) && bytes.is_power_of_two() => Ok(bytes),
        _ => Err(D::Error::custom(
            "must be a power of two from 1KiB to 64KiB",
        )),
    }
}
