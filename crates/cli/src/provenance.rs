//! Which program made a result, when and on which machine.

/// Name and version of this program.
pub fn tool() -> String {
    format!("hotset {}", env!("CARGO_PKG_VERSION"))
}

/// Now, as ISO 8601 in UTC with whole seconds.
pub fn now() -> String {
    jiff::Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
}

/// How a result came about, as its page says it: the program, the date, then what is its own.
pub fn of_result<const N: usize>(own: [(&str, String); N]) -> Vec<(String, String)> {
    let common = [("Made by", tool()), ("On", now())];
    let pairs = common.into_iter().chain(own);
    pairs
        .map(|(what, value)| (what.to_owned(), value))
        .collect()
}
