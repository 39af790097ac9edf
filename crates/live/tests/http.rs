//! Questions over HTTP: what is read of them, who may ask, and what is answered.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use hotset_live::{Answer, Door, Token, answer_at};
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Says which path was asked for.
fn answer(path: &str) -> Answer {
    match path {
        "/absent" => Answer::problem(404, "there is no such page"),
        path => Answer::of("text/plain", path.to_owned()),
    }
}

/// Nobody but its owner may read it.
fn close(file: &Path) {
    fs::set_permissions(file, Permissions::from_mode(0o600)).unwrap();
}

/// All that is answered before the connection is closed.
fn heard(mut stream: impl Read) -> String {
    let mut answer = Vec::new();
    // What was not read of a question makes its end a reset.
    let _end = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

#[test]
fn a_question_is_read_without_its_query_and_nonsense_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    answer_at(Door::socket(&socket).unwrap(), answer).unwrap();
    let ask = |question: &[u8]| {
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(question).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        heard(stream)
    };
    let said = ask(b"GET /a?b HTTP/1.1\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{said}");
    assert!(said.ends_with("\r\n\r\n/a"), "{said}");
    assert!(ask(b"PUT /a HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
    for nonsense in [&b"GET /a HTT"[..], b"\0\0\0", b"", &[b'a'; 20_000]] {
        let said = ask(nonsense);
        assert!(said.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{said}");
    }
    // A head has the length of the body that it leaves out.
    let said = ask(b"HEAD /absent HTTP/1.1\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 404 Not Found\r\n"), "{said}");
    assert!(said.contains("Content-Length: 22\r\n"), "{said}");
    assert!(said.ends_with("\r\n\r\n"), "{said}");
}

#[test]
fn a_token_that_everybody_may_read_or_write_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "0123456789abcdef\n").unwrap();
    for (mode, is_closed) in [(0o600, true), (0o640, true), (0o644, false), (0o602, false)] {
        fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        let token = Token::in_file(&file);
        assert_eq!(token.is_ok(), is_closed, "{mode:o}");
        let said = token.map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(said.contains("`chmod 600 "), !is_closed, "{said}");
    }
}

#[test]
fn a_token_is_known_as_bearer_and_as_password_and_not_in_part() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "0123456789abcdef\n").unwrap();
    close(&file);
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let door = Door::port(address, Token::in_file(&file).unwrap()).unwrap();
    answer_at(door, answer).unwrap();
    let status = |authorization: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("GET / HTTP/1.1\r\nAUTHORIZATION: {authorization}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        heard(stream).split(' ').nth(1).unwrap().to_owned()
    };
    let password = BASE64_STANDARD.encode("anybody:0123456789abcdef");
    assert_eq!(status("Bearer 0123456789abcdef"), "200");
    assert_eq!(status(&format!("Basic {password}")), "200");
    for wrong in [
        "Bearer 0123456789abcde",
        "Bearer",
        "Basic x",
        "0123456789abcdef",
        "",
    ] {
        assert_eq!(status(wrong), "401", "{wrong}");
    }
}

#[test]
fn whoever_asks_by_single_bytes_is_given_up_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    answer_at(Door::socket(&socket).unwrap(), answer).unwrap();
    let mut stream = UnixStream::connect(&socket).unwrap();
    // Each comes long before a connection without any would be given up, and all of them last a minute.
    let question = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(200));
    let written = question.bytes().take_while(|byte| {
        thread::sleep(Duration::from_millis(300));
        stream.write_all(&[*byte]).is_ok()
    });
    let written = written.count();
    assert!(written < question.len() / 2, "{written} bytes");
}
