//! Contents of files that change all the time, which show by themselves whether they are whole.

/// Its length is that of its first byte, and all its bytes are that.
pub fn content(turn: usize) -> Vec<u8> {
    let byte = b'a' + (turn % 26) as u8;
    vec![byte; length_of(byte)]
}

/// Whether it is one of these, from beginning to end.
pub fn is_whole(body: &[u8]) -> bool {
    body.first().is_some_and(|first| {
        body.len() == length_of(*first) && body.iter().all(|byte| byte == first)
    })
}

/// Whether it is the beginning of one of these, and of no other: all of it, nothing, or what a write has come to so far.
pub fn is_beginning(body: &[u8]) -> bool {
    body.first().is_none_or(|first| {
        body.len() <= length_of(*first) && body.iter().all(|byte| byte == first)
    })
}

fn length_of(byte: u8) -> usize {
    1_000 + 97 * usize::from(byte)
}
