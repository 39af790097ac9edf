//! HTTPS: verified unless told otherwise; what is no TLS is said so.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::support::{PATIENCE, Server, assert_failed, ok, schedule};
use hotset_replay::{Endpoint, ErrorKind, NoObserver, Options, ReplayError, replay};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

type Stream = StreamOwned<ServerConnection, TcpStream>;

/// A server with a certificate of its own making; `serve` gets each connection that was opened.
fn https(serve: impl Fn(Stream) + Send + Sync + 'static) -> Options {
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![certified.cert.der().clone()],
            PrivateKeyDer::Pkcs8(key),
        )
        .unwrap();
    let (config, serve) = (Arc::new(config), Arc::new(serve));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (config, serve) = (config.clone(), serve.clone());
            thread::spawn(move || {
                serve(StreamOwned::new(
                    ServerConnection::new(config).unwrap(),
                    stream,
                ));
            });
        }
    });
    let endpoint = Endpoint::resolve(&format!("https://localhost:{port}")).unwrap();
    Options {
        insecure: true,
        connect_timeout: PATIENCE,
        response_timeout: PATIENCE,
        ..Options::new(endpoint)
    }
}

/// Reads one request; `false`: there is none.
fn request(stream: &mut Stream) -> bool {
    let mut read = Vec::new();
    let mut byte = [0];
    while !read.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => read.push(byte[0]),
            _ => return false,
        }
    }
    true
}

#[test]
fn requests_go_through_tls_and_keep_their_connection() {
    let options = https(|mut stream| {
        while request(&mut stream) {
            if stream.write_all(&ok(300_000)).is_err() {
                return;
            }
        }
    });
    let mut large = schedule(4, 5, 1000);
    large.expected_bytes.fill(300_000);
    let replayed = replay(&large, &options, &NoObserver).unwrap();
    let total = &replayed.total;
    assert_eq!(
        (total.answered(), total.wrong_length),
        (20, 0),
        "{:?}",
        total.errors
    );
    assert_eq!((replayed.connections, total.bytes), (4, 6_000_000));
}

#[test]
fn a_body_until_close_ends_with_the_connection() {
    let options = https(|mut stream| {
        if request(&mut stream) {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n0123456789");
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    let replayed = replay(&schedule(1, 3, 0), &options, &NoObserver).unwrap();
    assert_eq!(
        (replayed.total.answered(), replayed.total.wrong_length),
        (3, 0)
    );
    assert_eq!(replayed.connections, 3);
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let options = Options {
        insecure: false,
        ..https(|mut stream| {
            request(&mut stream);
        })
    };
    // Without any roots on the machine, the message says so instead.
    let error = replay(&schedule(1, 1, 0), &options, &NoObserver).unwrap_err();
    let refused = matches!(
        error,
        ReplayError::Certificate { .. } | ReplayError::Tls { .. }
    );
    assert!(refused, "{error}");
    assert!(error.to_string().contains("certificate"), "{error}");
}

#[test]
fn a_server_without_tls_is_said_so() {
    let server = Server::answering(|_| ok(10));
    let url = format!("https://127.0.0.1:{}", server.address.port());
    let options = Options {
        connect_timeout: Duration::from_millis(500),
        insecure: true,
        ..Options::new(Endpoint::resolve(&url).unwrap())
    };
    let error = replay(&schedule(1, 1, 0), &options, &NoObserver).unwrap_err();
    assert!(matches!(error, ReplayError::Tls { .. }), "{error}");
}

#[test]
fn a_connection_that_ends_within_the_response_is_counted() {
    let options = https(|mut stream| {
        if request(&mut stream) {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        }
    });
    let replayed = replay(&schedule(1, 2, 0), &options, &NoObserver).unwrap();
    assert_failed(&replayed.total, ErrorKind::ClosedEarly, 2);
}
