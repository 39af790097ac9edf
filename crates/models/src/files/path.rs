//! Paths of works: below the folder that is mounted.

/// Longest name, bytes (`NAME_MAX`).
const LONGEST_NAME: usize = 255;
/// Most names of a path.
const MOST_NAMES: usize = 256;

/// A path as its names with `/` between them; `/` alone is the folder that is mounted.
///
/// # Errors
/// A path that leads out of it, or has a name that is too long.
pub(super) fn path(text: &str) -> Result<String, String> {
    let names: Vec<&str> = text.split('/').filter(|name| !name.is_empty()).collect();
    if let Some(name) = names.iter().find(|name| matches!(**name, "." | "..")) {
        return Err(format!(
            "`{text}`: has `{name}`; write names alone, as in data/0"
        ));
    }
    if names.iter().any(|name| name.len() > LONGEST_NAME) {
        return Err(format!("`{text}`: a name has at most {LONGEST_NAME} bytes"));
    }
    if names.len() > MOST_NAMES {
        return Err(format!("`{text}`: a path has at most {MOST_NAMES} names"));
    }
    Ok(names.join("/"))
}

/// The path of a file: it has a name.
///
/// # Errors
/// As [`path`], and the folder that is mounted.
pub(super) fn file_path(text: &str) -> Result<String, String> {
    match path(text)? {
        path if path.is_empty() => Err(format!(
            "`{text}`: is the folder that is mounted; name a file in it"
        )),
        path => Ok(path),
    }
}
