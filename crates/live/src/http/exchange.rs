//! One question and its answer (RFC 9112). A connection is closed behind its answer.

use std::io::{self, Read, Write};

/// Bytes of the longest head that is read.
const MOST_HEAD: usize = 8 * 1024;

/// Headers of a question, at most.
const MOST_HEADERS: usize = 64;

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// What the body is.
    pub media_type: &'static str,
    /// The body.
    pub body: String,
}

impl Answer {
    /// A body that was asked for.
    #[must_use]
    pub fn of(media_type: &'static str, body: String) -> Self {
        Self {
            status: 200,
            media_type,
            body,
        }
    }

    /// A line of text that says what is wrong.
    #[must_use]
    pub fn problem(status: u16, problem: &str) -> Self {
        Self {
            status,
            media_type: "text/plain; charset=utf-8",
            body: format!("{problem}\n"),
        }
    }

    fn head(&self) -> String {
        let reason = match self.status {
            200 => "OK",
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            500 => "Internal Server Error",
            _ => "Bad Request",
        };
        // Browsers ask for a name and a password then; the password is the token.
        let challenge = match self.status {
            401 => "WWW-Authenticate: Basic realm=\"hotset\"\r\n",
            405 => "Allow: GET, HEAD\r\n",
            _ => "",
        };
        format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{challenge}\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            self.status,
            self.media_type,
            self.body.len()
        )
    }

    /// Sends it; the head alone where that was asked for.
    pub(super) fn send(&self, mut to: impl Write, with_body: bool) -> io::Result<()> {
        to.write_all(self.head().as_bytes())?;
        if with_body {
            to.write_all(self.body.as_bytes())?;
        }
        to.flush()
    }
}

/// What was asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// The path, without a query.
    pub path: String,
    pub method: String,
    /// The header of that name.
    pub authorization: Option<String>,
}

impl Question {
    /// Reads a question; none where what came is none.
    pub fn read(mut from: impl Read) -> io::Result<Option<Self>> {
        let mut head = Vec::new();
        let mut buffer = [0; 1024];
        loop {
            let read = from.read(&mut buffer)?;
            head.extend_from_slice(&buffer[..read]);
            match parsed(&head) {
                Ok(Some(question)) => return Ok(Some(question)),
                Ok(None) if read > 0 && head.len() < MOST_HEAD => {}
                _ => return Ok(None),
            }
        }
    }
}

/// The question at the beginning of `head`, if it is whole.
fn parsed(head: &[u8]) -> Result<Option<Question>, httparse::Error> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    if request.parse(head)?.is_partial() {
        return Ok(None);
    }
    let target = request.path.unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default();
    let is_authorization =
        |header: &&httparse::Header<'_>| header.name.eq_ignore_ascii_case("authorization");
    let authorization = request.headers.iter().find(is_authorization);
    Ok(Some(Question {
        path: path.to_owned(),
        method: request.method.unwrap_or_default().to_owned(),
        authorization: authorization
            .map(|header| String::from_utf8_lossy(header.value).into_owned()),
    }))
}
