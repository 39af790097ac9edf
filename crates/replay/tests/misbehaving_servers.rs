//! Servers that refuse, reset, dawdle or talk nonsense are counted by what they did; nothing hangs.

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Connection, Server, asking, assert_failed, ok, response, schedule};
use hotset_replay::{Endpoint, ErrorKind, NoObserver, Options, ReplayError, replay};

/// Replays three requests on one connection to a server that treats each connection so.
fn three_requests(
    serve: impl Fn(Connection, usize) + Send + Sync + 'static,
) -> hotset_replay::ReplayResult {
    Server::start(serve).replay(&schedule(1, 3, 0))
}

/// Replays one request that the server answers with `bytes`, then closing.
fn one_answer(bytes: &'static [u8]) -> hotset_replay::ReplayResult {
    let server = Server::start(move |mut connection, _| {
        if connection.request().is_some() {
            let _ = connection.send(bytes);
        }
    });
    server.replay(&asking(&["/"]))
}

#[test]
fn a_server_that_is_not_there_is_one_error() {
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let endpoint = Endpoint::resolve(&format!("http://{address}")).unwrap();
    let error = replay(&schedule(1, 1, 0), &Options::new(endpoint), &NoObserver).unwrap_err();
    assert!(matches!(error, ReplayError::Connect { .. }), "{error}");
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}

#[test]
fn a_server_that_goes_away_is_refused_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint =
        Endpoint::resolve(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let server = thread::spawn(move || drop(listener.accept()));
    let mut late = schedule(20, 1, 1000);
    late.start_us
        .iter_mut()
        .for_each(|start| *start += 1_500_000);
    let replayed = replay(&late, &Options::new(endpoint), &NoObserver).unwrap();
    server.join().unwrap();
    assert_failed(&replayed.total, ErrorKind::Refused, 20);
    assert_eq!(replayed.achieved_rate, 0.0);
}

#[test]
fn a_connection_reset_within_the_response_is_counted() {
    let replayed = three_requests(|mut connection, _| {
        if connection.request().is_some() {
            let _ = connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
            // What has not been read yet is lost with a reset.
            thread::sleep(Duration::from_secs(1));
            connection.reset();
        }
    });
    assert_failed(&replayed.total, ErrorKind::Reset, 3);
    assert_eq!(replayed.total.bytes, 12, "what came of the bodies");
}

#[test]
fn a_slow_server_is_waited_for() {
    let replayed = three_requests(|mut connection, _| {
        while connection.request().is_some() {
            for byte in ok(10) {
                thread::sleep(Duration::from_millis(10));
                let _ = connection.send(&[byte]);
            }
        }
    });
    assert_eq!(
        (replayed.total.answered(), replayed.total.errors.total()),
        (3, 0)
    );
    let (first, last) = (&replayed.total.first_byte, &replayed.total.total);
    let body = last.mean_us().unwrap() - first.mean_us().unwrap();
    assert!(
        body > 200_000.0,
        "47 bytes, 10 ms each, took {body} µs after the first"
    );
}

#[test]
fn a_server_that_never_answers_ends_by_timeout() {
    let server = Server::start(|mut connection, _| {
        connection.request();
        thread::sleep(Duration::from_secs(60));
    });
    let options = Options {
        response_timeout: Duration::from_millis(200),
        ..server.options()
    };
    let began = Instant::now();
    let replayed = replay(&schedule(5, 2, 1000), &options, &NoObserver).unwrap();
    assert_failed(&replayed.total, ErrorKind::ResponseTimeout, 10);
    // The server itself would take a minute for the first.
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_server_that_drips_forever_ends_by_timeout() {
    let server = Server::start(|mut connection, _| {
        connection.request();
        let _ = connection.send(b"HTTP/1.1 200 OK\r\n\r\n");
        while connection.send(b"x").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    });
    let options = Options {
        response_timeout: Duration::from_millis(200),
        ..server.options()
    };
    let replayed = replay(&asking(&["/"]), &options, &NoObserver).unwrap();
    assert_failed(&replayed.total, ErrorKind::ResponseTimeout, 1);
}

#[test]
fn a_body_shorter_than_its_own_length_is_closed_early() {
    let replayed = one_answer(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    assert_failed(&replayed.total, ErrorKind::ClosedEarly, 1);
}

#[test]
fn a_body_of_another_length_than_the_trace_is_an_answer_of_wrong_length() {
    let replayed = three_requests(|mut connection, _| {
        for bytes in [9, 10, 11] {
            connection.request();
            let _ = connection.send(&ok(bytes));
        }
    });
    assert_eq!(
        (replayed.total.answered(), replayed.total.wrong_length),
        (3, 2)
    );
}

#[test]
fn redirects_and_failing_statuses_are_errors_by_kind_and_not_followed() {
    let server = Server::answering(|target| {
        response(&format!("{} Whatever", target.trim_start_matches('/')), 0)
    });
    let replayed = server.replay(&asking(&["/301", "/302", "/304", "/404", "/503", "/206"]));
    let errors: Vec<_> = replayed.total.errors.iter().collect();
    assert_eq!(
        errors,
        [
            (ErrorKind::Redirect, 2),
            (ErrorKind::ClientError, 1),
            (ErrorKind::ServerError, 1)
        ]
    );
    assert_eq!(replayed.total.answered(), 2);
    assert_eq!(
        replayed.total.wrong_length, 1,
        "of the 206; a 304 has no body"
    );
}

#[test]
fn garbage_is_malformed() {
    for bytes in [
        b"SSH-2.0-OpenSSH_9.2p1\r\n".as_slice(),
        b"\0\0\0\0",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nlots\r\n",
    ] {
        assert_failed(&one_answer(bytes).total, ErrorKind::Malformed, 1);
    }
}

#[test]
fn a_head_without_end_is_malformed_before_it_fills_memory() {
    let replayed = three_requests(|mut connection, _| {
        connection.request();
        let _ = connection.send(b"HTTP/1.1 200 OK\r\n");
        while connection
            .send(&[b"X-Long: ", [b'a'; 1000].as_slice(), b"\r\n"].concat())
            .is_ok()
        {}
    });
    assert_failed(&replayed.total, ErrorKind::Malformed, 3);
}

#[test]
fn nothing_at_all_is_closed_early() {
    let replayed = three_requests(|mut connection, _| drop(connection.request()));
    assert_failed(&replayed.total, ErrorKind::ClosedEarly, 3);
}

#[test]
fn connections_that_the_server_closes_between_requests_are_opened_again() {
    let server = Server::start(|mut connection, number| {
        // The first one only tries whether there is a server.
        for _ in 0..2 {
            if number > 0 && connection.request().is_some() {
                let _ = connection.send(&ok(10));
            }
        }
    });
    let replayed = server.replay(&schedule(1, 10, 100_000));
    assert_eq!(
        (replayed.total.answered(), replayed.total.errors.total()),
        (10, 0)
    );
    assert_eq!(
        (replayed.connections, replayed.reopened_connections),
        (5, 4)
    );
    assert_eq!(replayed.total.connect.count(), 5);
}

#[test]
fn a_server_that_announces_the_end_of_each_connection_is_believed() {
    let server = Server::start(|mut connection, _| {
        connection.request();
        let _ = connection.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n0123456789");
    });
    let replayed = server.replay(&schedule(1, 5, 0));
    assert_eq!(
        (replayed.total.answered(), replayed.total.wrong_length),
        (5, 0)
    );
    assert_eq!(
        (replayed.connections, replayed.reopened_connections),
        (5, 4)
    );
}

#[test]
fn bytes_that_nobody_asked_for_end_the_connection() {
    let server = Server::start(|mut connection, _| {
        while connection.request().is_some() {
            let _ = connection.send(&[ok(10), ok(10)].concat());
        }
    });
    let replayed = server.replay(&schedule(1, 3, 100_000));
    assert_eq!(
        (replayed.total.answered(), replayed.total.errors.total()),
        (3, 0)
    );
    assert_eq!(replayed.connections, 3);
}
