//! A client that asks for one file at a time gets each answer's times, or an error that names what was asked for.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use crate::support::{PATIENCE, Server, ok, response};
use hotset_replay::{Client, RequestError};

fn client(server: &Server) -> Client {
    Client::connect(server.address, "shop", PATIENCE).unwrap()
}

/// The error of asking for `/file` of 10 bytes, which has to name it.
fn error(server: &Server, timeout: Duration) -> RequestError {
    let mut client = Client::connect(server.address, "shop", timeout).unwrap();
    let error = client.get("/file", 10).unwrap_err();
    assert_eq!(error.url, format!("http://{}/file", server.address));
    error
}

#[test]
fn answers_have_their_lengths_and_their_order() {
    let server = Server::answering(|target| ok(target[1..].parse().unwrap()));
    let mut client = client(&server);
    for bytes in [0, 1, 4000, 5_000_000, 3] {
        let answer = client.get(&format!("/{bytes}"), bytes).unwrap();
        assert_eq!(answer.body_bytes, bytes);
        assert!(answer.first_byte <= answer.total);
    }
    assert_eq!(
        server.connections.load(std::sync::atomic::Ordering::SeqCst),
        1
    );
}

#[test]
fn times_begin_with_the_request() {
    // A client that is kept from the processor for longer reads both parts at once.
    const DELAY: Duration = Duration::from_millis(400);
    let server = Server::start(|mut connection, _| {
        while connection.request().is_some() {
            let answer = ok(10);
            let (first, rest) = answer.split_at(1);
            thread::sleep(DELAY);
            connection.send(first).unwrap();
            thread::sleep(DELAY);
            connection.send(rest).unwrap();
        }
    });
    let mut client = client(&server);
    thread::sleep(2 * DELAY);
    let answer = client.get("/", 10).unwrap();
    assert!(answer.first_byte >= DELAY, "{answer:?}");
    assert!(answer.total >= answer.first_byte + DELAY, "{answer:?}");
}

#[test]
fn servers_are_asked_in_turn() {
    let servers = [1, 2].map(|bytes| Server::answering(move |_| ok(bytes)));
    let mut clients = servers.each_ref().map(client);
    for _ in 0..10 {
        for (client, bytes) in clients.iter_mut().zip([1, 2]) {
            assert_eq!(client.get("/", bytes).unwrap().body_bytes, bytes);
        }
    }
}

#[test]
fn the_host_is_the_one_asked_for() {
    use std::io::{Read, Write};
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        let length = stream.read(&mut request).unwrap();
        stream.write_all(&ok(0)).unwrap();
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    let mut client = Client::connect(address, "shop", PATIENCE).unwrap();
    client.get("/a%20file", 0).unwrap();
    let request = server.join().unwrap();
    assert!(
        request.starts_with("GET /a%20file HTTP/1.1\r\nHost: shop\r\n"),
        "{request}"
    );
}

#[test]
fn a_connection_that_ends_with_an_answer_is_opened_again() {
    let server = Server::start(|mut connection, _| {
        if connection.request().is_some() {
            let _ = connection.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n0123456789");
        }
    });
    let mut client = client(&server);
    for _ in 0..3 {
        assert_eq!(client.get("/", 10).unwrap().body_bytes, 10);
    }
}

#[test]
fn a_status_other_than_200_is_an_error() {
    for status in [
        "404 Not Found",
        "206 Partial Content",
        "304 Not Modified",
        "503 Full",
    ] {
        let server = Server::answering(move |_| response(status, 10));
        let error = error(&server, PATIENCE).to_string();
        assert!(error.contains(&status[..3]), "{error}");
    }
}

#[test]
fn a_body_of_another_length_is_an_error() {
    let server = Server::answering(|_| ok(11));
    let error = error(&server, PATIENCE).to_string();
    assert!(error.contains("11 bytes instead of 10"), "{error}");
}

#[test]
fn a_connection_that_is_lost_is_an_error_and_the_next_request_has_a_new_one() {
    let server = Server::start(|mut connection, number| {
        while connection.request().is_some() {
            if number == 0 {
                let _ = connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
                return;
            }
            let _ = connection.send(&ok(10));
        }
    });
    let mut client = client(&server);
    let error = client.get("/file", 10).unwrap_err();
    assert!(
        error.to_string().contains("closed the connection"),
        "{error}"
    );
    assert!(client.get("/file", 10).is_ok());
}

#[test]
fn a_connection_that_is_reset_is_an_error() {
    let server = Server::start(|mut connection, _| {
        if connection.request().is_some() {
            connection.reset();
        }
    });
    let error = error(&server, PATIENCE).to_string();
    assert!(error.contains("reset"), "{error}");
}

#[test]
fn an_answer_that_does_not_come_is_an_error_after_the_timeout() {
    let server = Server::start(|mut connection, _| {
        while connection.request().is_some() {}
        thread::sleep(PATIENCE);
    });
    let error = error(&server, Duration::from_millis(200)).to_string();
    assert!(error.contains("200ms"), "{error}");
}

#[test]
fn nonsense_is_an_error() {
    let server = Server::answering(|_| b"SSH-2.0-OpenSSH_9.2\r\n".to_vec());
    let error = error(&server, PATIENCE).to_string();
    assert!(error.contains("not an HTTP/1 response"), "{error}");
}

#[test]
fn a_path_that_would_break_the_request_is_refused() {
    let server = Server::answering(|_| ok(10));
    for path in ["", "file", "/a b", "/a\r\nHost: x"] {
        assert!(client(&server).get(path, 10).is_err(), "{path:?}");
    }
}

#[test]
fn a_server_that_is_not_there_is_an_error_that_names_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = Client::connect(address, "shop", PATIENCE).err().unwrap();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}
