//! Header fields of one's own.

use std::str::FromStr;

/// Names that a request's framing and its host decide; another value would be another request than was measured.
const OWN: [&str; 9] = [
    "connection",
    "content-length",
    "expect",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A header field that every request has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    name: String,
    value: String,
}

impl Header {
    /// Its name as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its value.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Whether it is called `name`; case does not matter (RFC 9110, section 5.1).
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

impl FromStr for Header {
    type Err = String;

    /// Reads `Name: value` (RFC 9110, sections 5.1 and 5.5). Nothing that would end the line is taken.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once(':')
            .ok_or("write a header as `Name: value`")?;
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(format!(
                "`{}` is not the name of a header; write `Name: value`",
                name.escape_debug()
            ));
        }
        if value.chars().any(|c| c.is_control() && c != '\t') {
            return Err(format!(
                "the value of `{name}` has a line break or another control character; write it on one line"
            ));
        }
        let lower = name.to_ascii_lowercase();
        if lower == "host" {
            return Err("the Host header is an option of its own: --host NAME".to_owned());
        }
        if OWN.contains(&lower.as_str()) {
            return Err(format!(
                "`{name}` belongs to the connection, which hotset handles; leave it out"
            ));
        }
        Ok(Self {
            name: name.to_owned(),
            value: value.trim_matches([' ', '\t']).to_owned(),
        })
    }
}

/// Whether a name may have it (`tchar`, RFC 9110, section 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
