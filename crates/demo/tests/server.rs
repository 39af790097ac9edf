//! The server that looks into memory first.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use hotset_demo::{Answers, Server, Site, workplace};
use hotset_test_support::skip;

/// A server of one site with these files in `files`, and these in `hot`; nothing where files cannot be read directly.
fn server(folder: &Path, files: &[&str], hot: &[&str]) -> Option<Server> {
    if let Err(error) = workplace(&[folder.to_owned()]) {
        skip(error);
        return None;
    }
    for (place, names) in [("files", files), ("hot", hot)] {
        for name in names {
            let path = folder.join(place).join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it takes folders");
            fs::write(path, format!("{name} of {place}")).expect("it takes files");
        }
    }
    let site = Site {
        name: "shop".to_owned(),
        hot: folder.join("hot"),
        files: folder.join("files"),
    };
    Some(Server::start(vec![site]).expect("a port is free"))
}

/// What is answered to these requests on one connection.
fn answered(server: &Server, requests: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let patience = Some(Duration::from_secs(60));
    stream.set_read_timeout(patience).expect("a timeout");
    stream.write_all(requests.as_bytes()).expect("it reads");
    stream
        .shutdown(std::net::Shutdown::Write)
        .expect("a connection");
    let mut answer = String::new();
    // A connection may be reset after what cannot be answered.
    let _read = stream.read_to_string(&mut answer);
    answer
}

fn get(target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: shop\r\n\r\n")
}

#[test]
fn a_file_comes_from_memory_if_it_is_there_and_else_from_disk() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(server) = server(folder.path(), &["a", "b"], &["a"]) else {
        return;
    };
    let answer = answered(&server, &(get("/a") + &get("/b") + &get("/a")));
    assert_eq!(answer.matches("200 OK").count(), 3, "{answer}");
    assert_eq!(answer.matches("a of hot").count(), 2, "{answer}");
    assert!(answer.contains("b of files"), "{answer}");
    let answers = Answers {
        from_memory: 2,
        from_disk: 1,
    };
    assert_eq!(server.answers(), [answers]);
}

#[test]
fn paths_are_decoded_and_never_lead_out_of_the_site() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("secret"), "secret").expect("it takes files");
    let Some(server) = server(folder.path(), &["my files/a b"], &[]) else {
        return;
    };
    let answer = answered(&server, &get("/my%20files/a%20b"));
    assert!(answer.contains("my files/a b of files"), "{answer}");
    for target in ["/../secret", "/%2e%2e/secret", "//secret", "secret"] {
        let answer = answered(&server, &get(target));
        assert!(!answer.contains("200 OK"), "{target}: {answer}");
        assert!(!answer.contains("\r\n\r\nsecret"), "{target}: {answer}");
    }
}

#[test]
fn another_host_is_not_served_and_another_method_ends_the_connection() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(server) = server(folder.path(), &["a"], &[]) else {
        return;
    };
    let other = get("/a").replace("shop", "other");
    assert!(answered(&server, &other).starts_with("HTTP/1.1 404 Not Found"));
    let post = get("/a").replace("GET", "POST");
    assert_eq!(answered(&server, &(post + &get("/a"))), "");
    assert_eq!(server.answers(), [Answers::default()]);
}
