//! From the tokens of a format string to those that a line is read by.

use super::error::PatternError;
use super::field::{Field, TimeFormat};
use super::time::strptime_prefix;
use super::token::{Dialect, Token, WrittenToken};
use crate::formats::clock::ClfClock;

/// The tokens to read lines by, and those behind them that may say how long a request took, of a format string in `dialect`.
pub(super) fn tokens(
    format: &str,
    dialect: &Dialect,
    time_format: Option<&str>,
) -> Result<(Vec<Token>, Vec<Token>), PatternError> {
    let mut tokens = merge(dialect.tokens(format)?)?;
    skip_lesser(&mut tokens);
    if let Some(time_format) = time_format {
        set_time_format(&mut tokens, time_format);
    }
    check(format, &tokens, dialect)?;
    if time_format.is_some() && !fields(&tokens).any(is_time) {
        return Err(PatternError::NoTime(dialect.time));
    }
    let rest = cut_unneeded_end(&mut tokens);
    Ok((tokens, rest))
}

/// Joins neighbouring literals and skipped fields, and a path with the query behind it (`%U%q`); refuses
/// any other neighbouring fields, except a path behind anything (`$host$request_uri`): it starts at the `/`.
fn merge(written: Vec<WrittenToken>) -> Result<Vec<Token>, PatternError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut before = String::new();
    for WrittenToken {
        token,
        text,
        column,
    } in written
    {
        match (tokens.last_mut(), token) {
            (Some(Token::Literal(left)), Token::Literal(right)) => left.extend(right),
            (
                Some(Token::Field(left @ (Field::Skip | Field::Took(_)))),
                Token::Field(Field::Skip | Field::Took(_)),
            ) => *left = Field::Skip,
            (Some(Token::Field(path @ Field::Path)), Token::Field(Field::Query)) => {
                *path = Field::Target
            }
            (Some(Token::Field(Field::Target | Field::Query)), Token::Field(Field::Query)) => {}
            (Some(Token::Field(left)), Token::Field(right)) if !starts_at_slash(left, &right) => {
                return Err(PatternError::Unseparated {
                    first: before,
                    second: text,
                    column,
                });
            }
            (_, token) => tokens.push(token),
        }
        before = text;
    }
    Ok(tokens)
}

fn starts_at_slash(left: &Field, right: &Field) -> bool {
    let is_path = |field: &Field| matches!(field, Field::Target | Field::Path);
    is_path(right) && !is_path(left)
}

/// Skips fields that a better one makes superfluous, and repeated ones.
fn skip_lesser(tokens: &mut [Token]) {
    let all: Vec<Field> = fields(tokens).cloned().collect();
    let mut seen: Vec<Field> = Vec::new();
    for token in tokens {
        let Token::Field(field) = token else { continue };
        let superfluous =
            field.better().iter().any(|better| all.contains(better)) || is_repeated(field, &seen);
        if superfluous {
            *field = Field::Skip;
        }
        seen.push(field.clone());
    }
}

fn is_repeated(field: &Field, seen: &[Field]) -> bool {
    match field {
        Field::Time(_) => seen.iter().any(is_time),
        _ => seen.contains(field),
    }
}

fn is_time(field: &Field) -> bool {
    matches!(field, Field::Time(_))
}

fn fields(tokens: &[Token]) -> impl Iterator<Item = &Field> {
    tokens.iter().filter_map(|token| match token {
        Token::Field(field) => Some(field),
        Token::Literal(_) => None,
    })
}

fn set_time_format(tokens: &mut [Token], time_format: &str) {
    for token in tokens {
        if let Token::Field(Field::Time(format)) = token {
            *format = TimeFormat::Strptime(time_format.to_owned());
        }
    }
}

fn check(format: &str, tokens: &[Token], dialect: &Dialect) -> Result<(), PatternError> {
    if fields(tokens).next().is_none() {
        return Err(PatternError::NoFields(format.to_owned()));
    }
    let has = |wanted: &[Field]| fields(tokens).any(|field| wanted.contains(field));
    if !has(&[Field::Request, Field::Target, Field::Path]) {
        return Err(PatternError::NoTarget(dialect.target));
    }
    if !has(&[Field::Status]) {
        return Err(PatternError::NoStatus(dialect.status));
    }
    fields(tokens).try_for_each(check_time)
}

/// A strptime format is usable when what it writes can be read back to an instant.
fn check_time(field: &Field) -> Result<(), PatternError> {
    let Field::Time(TimeFormat::Strptime(format)) = field else {
        return Ok(());
    };
    let refuse = |reason: String| PatternError::TimeFormat {
        format: format.clone(),
        reason,
    };
    let example = jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
    let text =
        jiff::fmt::strtime::format(format, &example).map_err(|error| refuse(error.to_string()))?;
    match strptime_prefix(format, text.as_bytes(), &mut ClfClock::default()) {
        Some((_, used)) if used == text.len() => Ok(()),
        _ => Err(refuse("it does not determine a date and a time".to_owned())),
    }
}

/// Cuts off what follows the last field that is needed, so that lines cut short or with more fields are read. The literal right
/// behind it stays: it ends the field. Of what is cut off comes back what ends with a duration, which may be missing.
fn cut_unneeded_end(tokens: &mut Vec<Token>) -> Vec<Token> {
    let is_took = |token: &Token| matches!(token, Token::Field(Field::Took(_)));
    let is_needed = |token: &Token| {
        matches!(token, Token::Field(field) if *field != Field::Skip) && !is_took(token)
    };
    let last = tokens.iter().rposition(is_needed).unwrap_or(0);
    let mut rest = tokens.split_off(tokens.len().min(last + 2));
    let end = rest.iter().rposition(is_took).map_or(0, |took| took + 2);
    rest.truncate(end);
    rest
}
