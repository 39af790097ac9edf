//! Format strings as they stand in a server's configuration: the whole directive, or its quoted pieces.

use super::error::PatternError;
use std::borrow::Cow;

/// The format string in `text`, which may be it, an nginx `log_format NAME 'piece' 'piece';`, an Apache
/// `LogFormat "string" NAME`, or the quoted pieces of either.
///
/// # Errors
/// A directive whose quotes do not close or that holds no string.
pub(super) fn format_string(text: &str) -> Result<Cow<'_, str>, PatternError> {
    let trimmed = text.trim();
    if let Some(rest) = after_keyword(trimmed, "log_format") {
        return nginx(rest).map(Cow::Owned);
    }
    if let Some(rest) = after_keyword(trimmed, "LogFormat") {
        return apache(rest).map(Cow::Owned);
    }
    let whole = match trimmed.chars().next() {
        Some('\'') => pieces(trimmed).ok(),
        // A format may well begin and end with a quoted field; one with escaped quotes inside is a string.
        Some('"') if trimmed.contains("\\\"") => pieces(trimmed).ok().filter(|all| all.len() == 1),
        _ => None,
    };
    Ok(whole.map_or(Cow::Borrowed(text), |pieces| Cow::Owned(pieces.concat())))
}

/// Whether `text` may be a format that puts each field into single quotes, and no pieces of a configuration: it is one line.
pub(super) fn may_quote_its_fields(text: &str) -> bool {
    let trimmed = text.trim();
    trimmed.starts_with('\'') && !trimmed.contains('\n')
}

/// What follows `keyword`, in whatever case.
fn after_keyword<'a>(text: &'a str, keyword: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(keyword.len())?;
    (head.eq_ignore_ascii_case(keyword) && rest.starts_with(char::is_whitespace))
        .then(|| rest.trim_start())
}

/// `NAME [escape=default|json|none] piece…;` (ngx_http_log_module, "log_format").
fn nginx(rest: &str) -> Result<String, PatternError> {
    let words = pieces(rest)?;
    let is_escape = |word: &&String| word.starts_with("escape=");
    let strings: Vec<&String> = words.iter().skip(1).skip_while(is_escape).collect();
    if strings.is_empty() {
        return Err(PatternError::Directive(
            "log_format needs a name and a string",
        ));
    }
    Ok(strings.into_iter().map(String::as_str).collect())
}

/// `"string" [NAME]` (mod_log_config, "LogFormat Directive").
fn apache(rest: &str) -> Result<String, PatternError> {
    let words = pieces(rest)?;
    let first = words.into_iter().next();
    first.ok_or(PatternError::Directive("LogFormat needs a string"))
}

/// Words up to a `;`, with their quotes and escapes undone.
fn pieces(text: &str) -> Result<Vec<String>, PatternError> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() && !rest.starts_with(';') {
        let (word, used) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => quoted(rest, quote)?,
            _ => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || c == ';')
                    .unwrap_or(rest.len());
                (rest[..end].to_owned(), end)
            }
        };
        words.push(word);
        rest = rest[used..].trim_start();
    }
    Ok(words)
}

/// The quoted string at the start of `text` and its length. A backslash keeps a quote or a backslash
/// from its meaning; before anything else it is left for the format string.
fn quoted(text: &str, quote: char) -> Result<(String, usize), PatternError> {
    let mut word = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next_if(|&(_, next)| next == '\\' || next == '"' || next == '\'') {
                Some((_, escaped)) => word.push(escaped),
                None => word.push('\\'),
            },
            _ if c == quote => return Ok((word, at + 1)),
            _ => word.push(c),
        }
    }
    Err(PatternError::Directive("a quote is opened and not closed"))
}
