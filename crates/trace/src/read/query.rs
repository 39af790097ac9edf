//! How a query is treated: whether a URL with one is a file, and which.

use super::url::Url;
use crate::value_names::not_one_of;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

/// What a URL with a query (`?…`) is.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    VariantNames,
)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_a_rule)]
pub enum QueryRule {
    /// The file without the query, where the extension is of a static type (`.css`, `.jpg`, …) or the
    /// site's root holds the file; other URLs with a query are not files.
    #[default]
    Auto,
    /// Never a file.
    Exclude,
    /// The file without the query.
    Strip,
    /// A file of its own for each query.
    Keep,
}

fn not_a_rule(text: &str) -> String {
    not_one_of::<QueryRule>(text, "a query rule")
}

impl QueryRule {
    /// The part of a URL with a query that names a file; none where the URL is not a file.
    /// `is_under_root` tells whether the site's root holds the path.
    pub(super) fn file_part<'a>(
        self,
        url: &Url<'a>,
        is_under_root: impl FnOnce() -> bool,
    ) -> Option<&'a [u8]> {
        match self {
            QueryRule::Exclude => None,
            QueryRule::Strip => Some(url.path),
            QueryRule::Keep => Some(url.whole),
            QueryRule::Auto => (is_static(url.path) || is_under_root()).then_some(url.path),
        }
    }

    /// A decoded path that names a file, as the path of the file on disk and the query that tells it from
    /// other objects of the same file.
    pub(super) fn split(self, path: &[u8]) -> (&[u8], &[u8]) {
        match self {
            QueryRule::Keep => path.split_at(memchr::memchr(b'?', path).unwrap_or(path.len())),
            _ => (path, &[]),
        }
    }
}

/// Extensions of files that servers send as they are: a query behind one is a version mark
/// (`style.css?v=3`), not a parameter. Markup, styles, scripts, images, fonts, sound, video, documents
/// and archives; never `.php`, `.cgi` and the like.
const STATIC_TYPES: [&str; 61] = [
    "7z", "aac", "apk", "atom", "avif", "bin", "bmp", "bz2", "css", "csv", "deb", "doc", "docx",
    "eot", "epub", "exe", "flac", "gif", "gz", "htm", "html", "ico", "iso", "jar", "jpeg", "jpg",
    "js", "json", "m4a", "m4v", "map", "md", "mjs", "mov", "mp3", "mp4", "mpeg", "mpg", "ogg",
    "ogv", "otf", "pdf", "png", "ppt", "ps", "rpm", "rss", "svg", "swf", "tar", "tgz", "ttf",
    "txt", "wasm", "wav", "webm", "webp", "woff", "woff2", "xls", "xml",
];

/// Longest entry of [`STATIC_TYPES`].
const LONGEST_TYPE: usize = 5;

/// Whether the last segment of `path` has an extension of a static type, in any case of letters.
fn is_static(path: &[u8]) -> bool {
    let tail = &path[path.len().saturating_sub(LONGEST_TYPE + 1)..];
    let Some(dot) = memchr::memrchr(b'.', tail) else {
        return false;
    };
    let extension = tail[dot + 1..].to_ascii_lowercase();
    STATIC_TYPES
        .binary_search_by(|known| known.as_bytes().cmp(&extension))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_types_are_sorted_for_the_search_and_no_longer_than_stated() {
        assert!(STATIC_TYPES.is_sorted());
        assert_eq!(
            STATIC_TYPES.iter().map(|t| t.len()).max(),
            Some(LONGEST_TYPE)
        );
    }

    #[test]
    fn extension_of_the_last_segment_decides() {
        assert!(is_static(b"/a/style.CSS"));
        assert!(is_static(b"x.woff2"));
        assert!(!is_static(b"/a.css/list"));
        assert!(!is_static(b"/index.php"));
        assert!(!is_static(b"/"));
        assert!(!is_static(b""));
    }
}
