//! What counts as an access, what as an object.

use crate::Method;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a URL with a query (`?…`) is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueryRule {
    /// The file without the query, where the extension is of a static type ([`STATIC_TYPES`]) or the
    /// site's root holds the file; else not a file.
    #[default]
    Auto,
    /// Never a file.
    Exclude,
    /// The file without the query.
    Strip,
    /// A file of its own for each query.
    Keep,
}

impl FromStr for QueryRule {
    type Err = String;

    fn from_str(text: &str) -> Result<QueryRule, String> {
        match text {
            "auto" => Ok(QueryRule::Auto),
            "exclude" => Ok(QueryRule::Exclude),
            "strip" => Ok(QueryRule::Strip),
            "keep" => Ok(QueryRule::Keep),
            _ => Err(format!(
                "{text:?} is not a query rule: use auto, exclude, strip or keep"
            )),
        }
    }
}

impl fmt::Display for QueryRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            QueryRule::Auto => "auto",
            QueryRule::Exclude => "exclude",
            QueryRule::Strip => "strip",
            QueryRule::Keep => "keep",
        })
    }
}

/// Which requests are accesses, and to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountingRule {
    /// GET answered 200 or 206 is an access to the file.
    #[default]
    Default,
    /// Every request without a query is an access to the file (path, bytes logged); requests with one
    /// are dropped ("A Performance Study of Diskless Web Servers", §3.3).
    C1,
}

impl FromStr for CountingRule {
    type Err = String;

    fn from_str(text: &str) -> Result<CountingRule, String> {
        match text {
            "default" => Ok(CountingRule::Default),
            "c1" => Ok(CountingRule::C1),
            _ => Err(format!(
                "{text:?} is not a counting rule: use default or c1"
            )),
        }
    }
}

/// Extensions of files that servers send as they are: a query behind one is a version mark
/// (`style.css?v=3`), not a parameter. Markup, styles, scripts, images, fonts, sound, video, documents
/// and archives; never `.php`, `.cgi` and the like.
pub const STATIC_TYPES: [&str; 61] = [
    "7z", "aac", "apk", "atom", "avif", "bin", "bmp", "bz2", "css", "csv", "deb", "doc", "docx",
    "eot", "epub", "exe", "flac", "gif", "gz", "htm", "html", "ico", "iso", "jar", "jpeg", "jpg",
    "js", "json", "m4a", "m4v", "map", "md", "mjs", "mov", "mp3", "mp4", "mpeg", "mpg", "ogg",
    "ogv", "otf", "pdf", "png", "ppt", "ps", "rpm", "rss", "svg", "swf", "tar", "tgz", "ttf",
    "txt", "wasm", "wav", "webm", "webp", "woff", "woff2", "xls", "xml",
];

/// Longest entry of [`STATIC_TYPES`].
const LONGEST_TYPE: usize = 5;

/// Whether the last segment of `path` has an extension of a static type, in any case of letters.
pub(super) fn is_static(path: &[u8]) -> bool {
    let tail = &path[path.len().saturating_sub(LONGEST_TYPE + 1)..];
    let Some(dot) = memchr::memrchr(b'.', tail) else {
        return false;
    };
    let extension = tail[dot + 1..].to_ascii_lowercase();
    STATIC_TYPES
        .binary_search_by(|known| known.as_bytes().cmp(&extension))
        .is_ok()
}

/// How a response relates to its object's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// All or part of the file was read.
    Data { full: bool },
    /// The file exists and nothing was read: HEAD, or 304 Not Modified.
    Nothing,
    /// Not a file: another method.
    OtherMethod,
    /// Not a file: another status.
    OtherStatus,
}

impl Reads {
    pub(super) fn of(method: Method, status: u16) -> Reads {
        match (method, status) {
            (Method::Get, 200) => Reads::Data { full: true },
            (Method::Get, 206) => Reads::Data { full: false },
            (Method::Get, 304) | (Method::Head, 200 | 206 | 304) => Reads::Nothing,
            (Method::Get | Method::Head, _) => Reads::OtherStatus,
            _ => Reads::OtherMethod,
        }
    }
}

/// The rules of traces that hold keys and nothing of HTTP, for the output.
pub(super) fn of_keys_in_words() -> Vec<String> {
    vec![
        "access: every record".into(),
        "object: its key".into(),
        "size: as the trace says, else one page of 4096 bytes".into(),
    ]
}

/// What stands for the rule of sizes, the last one, where there were none to apply it to: many servers
/// log sizes only when told to, and a plan for files of 1 byte is worth nothing.
pub(super) const UNKNOWN_SIZES: &str = "size: the log tells none, so every file counts as 1 byte; name the document roots (--root) or make the server log sizes";

/// The rules in words, for the output; that of sizes is the last.
pub(super) fn in_words(rule: CountingRule, query: QueryRule, roots: bool) -> Vec<String> {
    if rule == CountingRule::C1 {
        return vec![
            "access: every request whose URL has no query; requests with one are dropped".into(),
            "object: percent-decoded path and bytes logged".into(),
            "size: the bytes logged, at least 1".into(),
        ];
    }
    let query = match query {
        QueryRule::Auto if roots => {
            "a query is stripped for static types and where the root has the file, else it is no file"
        }
        QueryRule::Auto => "a query is stripped for static types, else it is no file",
        QueryRule::Exclude => "a URL with a query is no file",
        QueryRule::Strip => "a query is stripped",
        QueryRule::Keep => "each query is a file of its own",
    };
    let object = if roots {
        "file under the site's root"
    } else {
        "percent-decoded path"
    };
    let size = if roots {
        "of the file"
    } else {
        "largest 200 response, else largest 206"
    };
    vec![
        format!("access: GET answered 200 or 206 for a file; {query}"),
        format!("object: {object}"),
        format!("size: {size}, at least 1 byte"),
    ]
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
