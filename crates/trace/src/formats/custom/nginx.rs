//! nginx `log_format` strings: `$name` or `${name}`, everything else literal.

use super::error::PatternError;
use super::field::{Field, TimeFormat, Unit};
use super::token::{Dialect, Piece, Token};

pub(super) const DIALECT: Dialect = Dialect {
    piece,
    what: "nginx variable",
    escape: "it in another way: nginx cannot log a '$'",
    time: "$time_local",
    target: "$request or $request_uri",
    status: "$status",
};

/// The token that `rest` begins with, and the length of what stands for it.
fn piece(rest: &str, column: usize) -> Result<Piece, PatternError> {
    let (token, length) = match rest.strip_prefix('$') {
        Some(after) => variable(after, column)?,
        None => {
            let length = rest.find('$').unwrap_or(rest.len());
            (Token::Literal(rest.as_bytes()[..length].to_vec()), length)
        }
    };
    Ok((vec![token], length))
}

/// The variable after a `$`, and its length with the `$`.
fn variable(after: &str, column: usize) -> Result<(Token, usize), PatternError> {
    let (name, length) = match after.strip_prefix('{') {
        Some(inner) => {
            let name = inner.split_once('}').map_or("", |(name, _)| name);
            (name, name.len() + 3)
        }
        None => {
            let end = after.find(|c: char| !is_name(c)).unwrap_or(after.len());
            (&after[..end], end + 1)
        }
    };
    if name.is_empty() || !name.chars().all(is_name) {
        let found = format!("${}", after.chars().take(1).collect::<String>());
        return Err(DIALECT.broken(found, column));
    }
    Ok((Token::Field(field(name)), length))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// nginx documentation, "Alphabetical index of variables".
fn field(name: &str) -> Field {
    match name {
        "remote_addr" => Field::Client,
        "realip_remote_addr" => Field::Peer,
        "http_x_forwarded_for" | "proxy_add_x_forwarded_for" => Field::ForwardedFor,
        "host" | "http_host" => Field::Host,
        "server_name" => Field::ServerName,
        "time_local" => Field::Time(TimeFormat::CommonLog),
        "time_iso8601" => Field::Time(TimeFormat::Iso8601),
        "msec" => Field::Time(TimeFormat::Seconds),
        "request" => Field::Request,
        "request_method" => Field::Method,
        "request_uri" => Field::Target,
        "uri" | "document_uri" => Field::Path,
        // `$is_args` is the `?` that belongs to the query, or nothing.
        "args" | "query_string" | "is_args" => Field::Query,
        "server_protocol" => Field::Protocol,
        "status" => Field::Status,
        "body_bytes_sent" => Field::BodyBytes,
        "bytes_sent" => Field::SentBytes,
        "request_time" => Field::Took(Unit::Seconds),
        _ => Field::Skip,
    }
}
