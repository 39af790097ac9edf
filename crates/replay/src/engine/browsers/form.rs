//! A request as bytes of a URL or a form.

use percent_encoding::{NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// A request for a page of a mix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Number of the page's type.
    pub page: usize,
    /// Path and query below the server's prefix.
    pub target: Vec<u8>,
    /// What a form sends by POST.
    pub body: Option<Vec<u8>>,
}

impl PageRequest {
    /// One by GET, with `fields` in its query.
    pub fn get(page: usize, path: &str, fields: &[(String, String)]) -> Self {
        let target = match fields {
            [] => path.to_owned(),
            fields => format!("{path}?{}", encoded(fields)),
        };
        Self {
            page,
            target: target.into_bytes(),
            body: None,
        }
    }

    /// One by POST, with `fields` in its body.
    pub fn post(page: usize, path: &str, fields: &[(String, String)]) -> Self {
        Self {
            page,
            target: path.as_bytes().to_vec(),
            body: Some(encoded(fields).into_bytes()),
        }
    }
}

/// Fields as a browser encodes those of a form.
fn encoded(fields: &[(String, String)]) -> String {
    let field = |(name, value): &(String, String)| format!("{}={}", code(name), code(value));
    fields.iter().map(field).collect::<Vec<_>>().join("&")
}

fn code(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}
