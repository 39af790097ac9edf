//! Apache `LogFormat` strings (`mod_log_config`, "Custom Log Formats"): `%` directives with modifiers,
//! backslash escapes, everything else literal.

use super::error::PatternError;
use super::field::{Field, TimeFormat, Unit};
use super::token::{Dialect, Piece, Token};

pub(super) const DIALECT: Dialect = Dialect {
    piece,
    what: "Apache directive",
    escape: "%%",
    time: "%t",
    target: "%r or %U%q",
    status: "%>s",
};

/// The tokens that the start of `rest` stands for, and the length of what stands for them.
fn piece(rest: &str, column: usize) -> Result<Piece, PatternError> {
    let literal = |text: &str| vec![Token::Literal(text.as_bytes().to_vec())];
    let mut chars = rest.chars();
    match (chars.next(), chars.next()) {
        (Some('%'), Some('%')) => Ok((literal("%"), 2)),
        (Some('%'), _) => directive(rest, column),
        (Some('\\'), Some('t')) => Ok((literal("\t"), 2)),
        (Some('\\'), Some('n')) => Ok((literal("\n"), 2)),
        (Some('\\'), Some(escaped)) => Ok((
            literal(escaped.encode_utf8(&mut [0; 4])),
            1 + escaped.len_utf8(),
        )),
        (Some('\\'), None) => Ok((literal("\\"), 1)),
        _ => {
            let length = rest.find(['%', '\\']).unwrap_or(rest.len());
            Ok((literal(&rest[..length]), length))
        }
    }
}

/// `%[!][status,…][<>][{argument}]letter`
fn directive(rest: &str, column: usize) -> Result<Piece, PatternError> {
    let broken = || DIALECT.broken(rest.chars().take(2).collect(), column);
    let modified = &rest[1..];
    let unmodified = modified
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '!' | ',' | '<' | '>'));
    let modifiers = &modified[..modified.len() - unmodified.len()];
    let (argument, letters) = match unmodified.strip_prefix('{') {
        Some(inner) => inner
            .split_once('}')
            .map(|(argument, letters)| (Some(argument), letters))
            .ok_or_else(broken)?,
        None => (None, unmodified),
    };
    // `%^ti` and `%^to` (trailers) are the only directives of more than one letter.
    let width = if letters.starts_with("^t") { 3 } else { 1 };
    let letter = letters
        .get(..width)
        .filter(|letter| letter.ends_with(|c: char| c.is_ascii_alphabetic()))
        .ok_or_else(broken)?;
    let length = rest.len() - letters.len() + width;
    Ok((meaning(letter, argument, modifiers), length))
}

fn meaning(letter: &str, argument: Option<&str>, modifiers: &str) -> Vec<Token> {
    let field = match (letter, argument) {
        // `%{c}a` and `%{c}h` are of the connection, whatever `mod_remoteip` found.
        ("h" | "a", Some("c")) => Field::Peer,
        ("h" | "a", _) => Field::Client,
        ("t", None) => return bracketed_time(),
        ("t", Some(format)) => time(format),
        ("r", _) => Field::Request,
        ("m", _) => Field::Method,
        ("U", _) => Field::Path,
        ("q", _) => Field::Query,
        ("H", _) => Field::Protocol,
        // Without a modifier the first status of an internally redirected request is logged; `%<s` says the same.
        ("s", _) => Field::Status,
        ("b" | "B", _) => Field::BodyBytes,
        ("O", _) => Field::SentBytes,
        ("v" | "V", _) => Field::ServerName,
        ("i", Some(header)) => header_field(header),
        ("D", _) | ("T", Some("us")) => Field::Took(Unit::Microseconds),
        ("T", Some("ms")) => Field::Took(Unit::Milliseconds),
        ("T", None | Some("s")) => Field::Took(Unit::Seconds),
        _ => Field::Skip,
    };
    // A directive that is limited to some statuses logs `-` for the others, so it is no dependable source.
    let limited = modifiers.contains(|c: char| c.is_ascii_digit());
    vec![Token::Field(if limited { Field::Skip } else { field })]
}

/// `%t` writes its own brackets.
fn bracketed_time() -> Vec<Token> {
    vec![
        Token::Literal(b"[".to_vec()),
        Token::Field(Field::Time(TimeFormat::CommonLog)),
        Token::Literal(b"]".to_vec()),
    ]
}

/// `%{format}t`: seconds and their fractions since 1970, or strftime; `begin:` and `end:` say which moment.
fn time(format: &str) -> Field {
    let format = format
        .strip_prefix("begin:")
        .or_else(|| format.strip_prefix("end:"))
        .unwrap_or(format);
    match format {
        "sec" => Field::Time(TimeFormat::Seconds),
        "msec" => Field::Time(TimeFormat::Milliseconds),
        "usec" => Field::Time(TimeFormat::Microseconds),
        "msec_frac" | "usec_frac" => Field::Skip,
        _ => Field::Time(TimeFormat::Strptime(format.to_owned())),
    }
}

fn header_field(header: &str) -> Field {
    match header.to_ascii_lowercase().as_str() {
        "host" => Field::Host,
        "x-forwarded-for" => Field::ForwardedFor,
        _ => Field::Skip,
    }
}
