//! The parts of a URL, and the path that it names.

use percent_encoding::percent_decode;
use std::borrow::Cow;

/// A URL, cut up.
#[derive(Clone, Copy)]
pub(super) struct Url<'a> {
    pub path: &'a [u8],
    /// With the query, without the fragment.
    pub whole: &'a [u8],
}

impl<'a> Url<'a> {
    #[inline]
    pub fn of(target: &'a [u8]) -> Url<'a> {
        match memchr::memchr2(b'?', b'#', target) {
            None => Url {
                path: target,
                whole: target,
            },
            Some(end) => Url::cut(target, end),
        }
    }

    fn cut(target: &'a [u8], path_end: usize) -> Url<'a> {
        let fragment = memchr::memchr(b'#', &target[path_end..]);
        let whole = &target[..fragment.map_or(target.len(), |at| path_end + at)];
        Url {
            path: &target[..path_end],
            whole,
        }
    }

    #[inline]
    pub fn has_query(&self) -> bool {
        self.path.len() < self.whole.len()
    }
}

/// The path that a URL names: without scheme and host (RFC 9112 §3.2.2), percent-decoded.
pub(super) fn decoded(url: &[u8]) -> Cow<'_, [u8]> {
    percent_decode(without_origin(url)).into()
}

fn without_origin(url: &[u8]) -> &[u8] {
    let has = |scheme: &str| {
        url.get(..scheme.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    };
    let mut schemes = ["http://", "https://"].into_iter();
    let Some(scheme) = schemes.find(|scheme| has(scheme)) else {
        return url;
    };
    let rest = &url[scheme.len()..];
    memchr::memchr(b'/', rest).map_or(b"/", |slash| &rest[slash..])
}

/// `//host/path`, a network-path reference (RFC 3986 §4.2), where the site does not tell hosts apart.
pub(super) fn with_host<'a>(host: &[u8], path: &'a [u8]) -> Cow<'a, [u8]> {
    match host.is_empty() {
        true => Cow::Borrowed(path),
        false => Cow::Owned([b"//", host, path].concat()),
    }
}
