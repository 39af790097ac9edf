//! Tables of counts that are built in.

/// Rows of a table without its remarks and headers.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split(',').collect())
}

/// A whole number of a row; 0 where there is none.
pub(super) fn number(row: &[&str], column: usize) -> u64 {
    let value = row.get(column).and_then(|value| value.parse().ok());
    value.unwrap_or_default()
}
