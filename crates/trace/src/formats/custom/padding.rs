//! Spaces that only fill the width of a column.

/// Writes `line` with one space for each run of them outside double quotes into `into`, whose content it replaces.
pub(in crate::formats) fn without_padding(line: &[u8], into: &mut Vec<u8>) {
    into.clear();
    let mut is_quoted = false;
    for &byte in line {
        let before = into.last().copied();
        is_quoted ^= byte == b'"' && before != Some(b'\\');
        if is_quoted || byte != b' ' || before != Some(b' ') {
            into.push(byte);
        }
    }
}
