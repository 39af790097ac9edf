//! What a plan says: which file lives where, in which order it is moved there, and why.

use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use std::collections::BTreeSet;

/// A path of a file within its site: bytes, which need not be UTF-8. Written as text where they are,
/// else as a list of byte values, so that nothing is lost either way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(from = "TextOrBytes", into = "TextOrBytes")]
pub struct FilePath(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum TextOrBytes {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<FilePath> for TextOrBytes {
    fn from(FilePath(bytes): FilePath) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes(error.into_bytes()),
        }
    }
}

impl From<TextOrBytes> for FilePath {
    fn from(path: TextOrBytes) -> Self {
        Self(match path {
            TextOrBytes::Text(text) => text.into_bytes(),
            TextOrBytes::Bytes(bytes) => bytes,
        })
    }
}

impl From<&str> for FilePath {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

/// Why a file is worth its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Accesses an hour over the training part; null without times.
    pub requests_per_hour: Option<f64>,
    /// Accesses in the training part.
    pub requests: u64,
    /// Its size, bytes.
    pub size_bytes: u64,
    /// Microseconds that each byte held saved over the training part, against reading the file from its store every
    /// time.
    pub saved_us_per_byte: f64,
}

/// One file held in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlacedFile {
    /// Name of its site.
    pub site: String,
    /// Path within the site: text, or byte values where it is not UTF-8.
    pub path: FilePath,
    /// Its size, bytes.
    pub size_bytes: u64,
    /// When it last changed, nanoseconds since 1970-01-01 UTC; null where not known.
    pub mtime_ns: Option<i64>,
    /// Name of the store that holds it.
    pub store: String,
    /// Node that holds it.
    pub node: String,
    /// Order of moving on its node, from 0.
    pub order: u32,
    /// Why it is held.
    pub reason: Reason,
}

/// The files of a plan, for placing them; the content of a plan file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Version of this format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub version: u32,
    /// Memory of all nodes together for file data, bytes.
    pub memory_bytes: u64,
    /// What each of them has of it, where there are several; left out where there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<PlacedNode>,
    /// Whole 4096-byte pages that the held files take.
    pub held_pages: u64,
    /// What all files that were read take in whole pages, bytes; left out where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_files_bytes: Option<u64>,
    /// Memory groups of sites, node by node; left out where the plan has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<PlacedGroup>,
    /// Where the files of sites lie; left out where the plan was not told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<SiteRoot>,
    /// Memory of database servers; left out where the plan has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub databases: Vec<PlacedDatabase>,
    /// Held files, node by node in the order of moving.
    pub files: Vec<PlacedFile>,
}

/// A node that files are held on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlacedNode {
    /// Its name.
    pub name: String,
    /// Its memory for file data, bytes.
    pub memory_bytes: u64,
}

/// A folder of a site's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SiteRoot {
    /// Name of the site.
    pub site: String,
    /// The part of the URL path that the folder stands for, with its final slash: `/` for a document root.
    pub prefix: String,
    /// The folder, from the root of the file system: text, or byte values where it is not UTF-8.
    pub folder: FilePath,
}

/// The memory group of a site on a node: its held files and its page cache. What its server needs comes on top.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlacedGroup {
    /// Name of the node.
    pub node: String,
    /// Name of the site.
    pub site: String,
    /// Bytes of the group at most, for files in memory; what the server needs comes on top.
    pub memory_bytes: u64,
    /// Bytes that nothing else may take from it.
    pub floor_bytes: u64,
}

/// What a database server gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlacedDatabase {
    /// Name of the node that it is on.
    pub node: String,
    /// Its name.
    pub database: String,
    /// The socket that it listens on: text, or byte values where it is not UTF-8.
    pub socket: FilePath,
    /// The folder that it reads further configuration from; left out where the plan was not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<FilePath>,
    /// The buffer pool that it gets, bytes; left out where it keeps the one that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_bytes: Option<u64>,
    /// Tables whose files are pinned, each with its database and a point before it.
    pub pinned: Vec<String>,
}

/// Why a plan file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// It is of a version that this program does not read.
    #[error(
        "is of version {version}, this hotset reads version {}: write it again with `hotset plan -o`, or update hotset",
        Placement::VERSION
    )]
    Version {
        /// Its version.
        version: u64,
    },
    /// It is no plan file, or a damaged one.
    #[error(
        "not a plan file as `hotset plan -o` writes it: {what} (line {line}, column {column}); plan anew with -o"
    )]
    Damaged {
        /// What is wrong, in words.
        what: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
}

impl From<serde_json::Error> for PlacementError {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged {
            what: in_words(&error),
            line: error.line(),
            column: error.column(),
        }
    }
}

/// What serde finds wrong with a plan file, without the types that it names.
fn in_words(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let key = || message.split('`').nth(1).unwrap_or_default();
    match error.classify() {
        Category::Eof => "it ends too early".to_owned(),
        Category::Syntax | Category::Io => "this is not JSON".to_owned(),
        Category::Data if message.starts_with("missing field") => format!("`{}` is missing", key()),
        Category::Data if message.starts_with("unknown field") => {
            format!("plans have no key `{}`", key())
        }
        Category::Data if message.starts_with("duplicate field") => {
            format!("`{}` stands there twice", key())
        }
        Category::Data => "another kind of value belongs there".to_owned(),
    }
}

/// As much of a plan file as tells its version.
#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

impl Placement {
    /// The version written, and the only one read.
    pub const VERSION: u32 = 1;

    /// Memory of a node for file data, bytes.
    #[must_use]
    pub fn memory_of(&self, node: &str) -> u64 {
        let found = self.nodes.iter().find(|it| it.name == node);
        found.map_or(self.memory_bytes, |it| it.memory_bytes)
    }

    /// Names of the sites that have files or groups.
    pub fn sites(&self) -> BTreeSet<&str> {
        let of_files = self.files.iter().map(|file| file.site.as_str());
        let of_groups = self.groups.iter().map(|group| group.site.as_str());
        of_files.chain(of_groups).collect()
    }

    /// The placement that the JSON of a plan file says.
    ///
    /// # Errors
    /// JSON of another version, whatever else its keys are; and what is no plan file, with line and column.
    pub fn from_json(json: &[u8]) -> Result<Self, PlacementError> {
        let Versioned { version } = serde_json::from_slice(json)?;
        if version != u64::from(Self::VERSION) {
            return Err(PlacementError::Version { version });
        }
        Ok(serde_json::from_slice(json)?)
    }
}
