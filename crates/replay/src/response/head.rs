//! Status and header fields of a response.

use httparse::{EMPTY_HEADER, Header, Status};

use super::malformed::Malformed;

/// Most header fields: servers send a dozen, few enough to set aside for each response.
const USUAL_FIELDS: usize = 32;
const MAX_FIELDS: usize = 1024;

/// How the end of a body is found (RFC 9112, section 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// After so many bytes.
    Length(u64),
    /// By the chunked transfer coding.
    Chunked,
    /// By the end of the connection.
    UntilClose,
}

/// What of a response's head matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// Whether the server keeps the connection open.
    pub keep_alive: bool,
    /// How the body ends.
    pub framing: Framing,
}

impl Head {
    /// Reads a head at the start of `bytes`; with its length, or `None` where its end has not come.
    ///
    /// # Errors
    /// [`Malformed`]: it is no head, or its fields contradict each other.
    pub fn parse(bytes: &[u8]) -> Result<Option<(Head, usize)>, Malformed> {
        match parse_into(bytes, &mut [EMPTY_HEADER; USUAL_FIELDS]) {
            Err(httparse::Error::TooManyHeaders) => {
                parse_into(bytes, &mut vec![EMPTY_HEADER; MAX_FIELDS])
            }
            other => other,
        }
        .map_err(|error| Malformed(describe(error)))?
        .transpose()
    }

    /// Whether the real response is still to come.
    pub fn is_interim(&self) -> bool {
        (100..200).contains(&self.status)
    }

    fn of(status: u16, version: u8, fields: &[Header<'_>]) -> Result<Head, Malformed> {
        // Nothing was asked that could be answered by another protocol.
        if status == 101 || status < 100 {
            return Err(Malformed("its status has no meaning here"));
        }
        let mut found = Fields::default();
        fields.iter().try_for_each(|field| found.take(field))?;
        let framing = found.framing(status);
        let persistent = if version == 0 {
            found.keep_alive
        } else {
            !found.close
        };
        Ok(Head {
            status,
            keep_alive: persistent && framing != Framing::UntilClose,
            framing,
        })
    }
}

type Parsed = Option<Result<(Head, usize), Malformed>>;

fn parse_into<'b>(bytes: &'b [u8], fields: &mut [Header<'b>]) -> Result<Parsed, httparse::Error> {
    let mut response = httparse::Response::new(fields);
    let Status::Complete(length) = response.parse(bytes)? else {
        return Ok(None);
    };
    let (status, version) = (
        response.code.unwrap_or_default(),
        response.version.unwrap_or_default(),
    );
    Ok(Some(
        Head::of(status, version, response.headers).map(|head| (head, length)),
    ))
}

fn describe(error: httparse::Error) -> &'static str {
    match error {
        httparse::Error::HeaderName | httparse::Error::HeaderValue => "a header field is broken",
        httparse::Error::TooManyHeaders => "it has too many header fields",
        httparse::Error::Version => "it does not begin with HTTP/1",
        httparse::Error::Status => "its status is broken",
        _ => "its head is broken",
    }
}

/// The fields that matter.
#[derive(Default)]
struct Fields {
    length: Option<u64>,
    transfer_coding: bool,
    chunked_last: bool,
    close: bool,
    keep_alive: bool,
}

impl Fields {
    fn take(&mut self, field: &Header<'_>) -> Result<(), Malformed> {
        // By length first: most fields are none of the three.
        match field.name.len() {
            14 if field.name.eq_ignore_ascii_case("content-length") => {
                self.take_length(field.value)
            }
            17 if field.name.eq_ignore_ascii_case("transfer-encoding") => {
                self.take_coding(field.value);
                Ok(())
            }
            10 if field.name.eq_ignore_ascii_case("connection") => {
                self.close |= has_token(field.value, b"close");
                self.keep_alive |= has_token(field.value, b"keep-alive");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A list of equal numbers is what some proxies make of repeated fields, and allowed.
    fn take_length(&mut self, value: &[u8]) -> Result<(), Malformed> {
        for item in value.split(|&byte| byte == b',') {
            let length =
                number(item.trim_ascii()).ok_or(Malformed("its Content-Length is not a number"))?;
            if self.length.is_some_and(|known| known != length) {
                return Err(Malformed("it has two different Content-Lengths"));
            }
            self.length = Some(length);
        }
        Ok(())
    }

    fn take_coding(&mut self, value: &[u8]) {
        self.transfer_coding = true;
        let last = value.rsplit(|&byte| byte == b',').next();
        self.chunked_last =
            last.is_some_and(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"chunked"));
    }

    fn framing(&self, status: u16) -> Framing {
        match (status, self.length) {
            (100..200 | 204 | 304, _) => Framing::Length(0),
            _ if self.transfer_coding && self.chunked_last => Framing::Chunked,
            _ if self.transfer_coding => Framing::UntilClose,
            (_, Some(length)) => Framing::Length(length),
            (_, None) => Framing::UntilClose,
        }
    }
}

/// A decimal number without sign.
fn number(digits: &[u8]) -> Option<u64> {
    let all_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| all_digits)?;
    text.parse().ok()
}

fn has_token(list: &[u8], token: &[u8]) -> bool {
    list.split(|&byte| byte == b',')
        .any(|item| item.trim_ascii().eq_ignore_ascii_case(token))
}
