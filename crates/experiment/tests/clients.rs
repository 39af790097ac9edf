//! Clients that ask and wait: what ends them, and what is said of wrong answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use hotset_experiment::{Clients, Watch};
use hotset_lab::Control;
use hotset_replay::{HostHeader, Schedule};

use crate::place::Calm;

/// Longer than any test waits.
const ENDLESS: Duration = Duration::from_secs(600);
const SOON: Duration = Duration::from_secs(30);

struct Impatient(Instant);

impl Control for Impatient {
    fn step(&self, _: &str) {}

    fn interrupted(&self) -> bool {
        Instant::now() > self.0
    }
}

/// Answers everything with `response`.
fn server(response: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream, response));
        }
    });
    address
}

fn answer(mut stream: TcpStream, response: &str) {
    let mut request = [0; 4096];
    while stream.read(&mut request).is_ok_and(|read| read > 0) {
        if stream.write_all(response.as_bytes()).is_err() {
            return;
        }
    }
}

fn schedule() -> Schedule {
    Schedule {
        posts_to: None,
        sites: vec!["shop".to_owned()],
        targets: vec![b"/a"[..].into()],
        site: vec![0],
        target: vec![0],
        connection: vec![0],
        start_us: vec![0],
        offset_us: vec![0],
        expected_bytes: vec![2],
    }
}

fn endless(server: SocketAddr, schedule: &Schedule) -> Clients<'_> {
    Clients {
        name: "shop",
        server,
        host: HostHeader::Site,
        schedule,
        clients: 2,
        duration: Some(ENDLESS),
    }
}

const RIGHT: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const LONGER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nwhy";
const MISSING: &str = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

#[test]
fn a_failed_request_ends_all_loops_of_the_watch_and_is_named() {
    let (schedule, watch) = (schedule(), Watch::new(&Calm));
    let (right, missing) = (server(RIGHT), server(MISSING));
    let begin = Instant::now();
    thread::scope(|scope| {
        let healthy = scope.spawn(|| endless(right, &schedule).run(&watch));
        let failing = endless(missing, &schedule).run(&watch);
        let message = failing.expect_err("404").to_string();
        assert!(
            message.contains("shop") && message.contains("status_4xx"),
            "{message}"
        );
        let healthy = healthy.join().expect("no panic").expect("right answers");
        assert!(healthy.interrupted);
    });
    assert!(begin.elapsed() < SOON);
}

#[test]
fn a_server_that_is_not_there_ends_the_other_loop() {
    let (schedule, watch) = (schedule(), Watch::new(&Calm));
    let gone = TcpListener::bind("127.0.0.1:0").expect("a port");
    let nobody = gone.local_addr().expect("an address");
    drop(gone);
    let right = server(RIGHT);
    thread::scope(|scope| {
        let healthy = scope.spawn(|| endless(right, &schedule).run(&watch));
        assert!(endless(nobody, &schedule).run(&watch).is_err());
        let healthy = healthy.join().expect("no panic").expect("right answers");
        assert!(healthy.interrupted);
    });
}

#[test]
fn a_response_of_another_length_is_an_error() {
    let schedule = schedule();
    let once = Clients {
        duration: None,
        ..endless(server(LONGER), &schedule)
    };
    let message = once
        .run(&Watch::new(&Calm))
        .expect_err("3 bytes")
        .to_string();
    assert!(message.contains("another length"), "{message}");
}

/// Takes requests and never answers.
fn silent_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || listener.incoming().flatten().collect::<Vec<_>>());
    address
}

#[test]
fn a_loop_that_ends_on_time_does_not_wait_for_answers() {
    let schedule = schedule();
    let watch = Watch::new(&Calm).until(Duration::from_secs(2));
    let begin = Instant::now();
    let replayed = endless(silent_server(), &schedule).run(&watch);
    let replayed = replayed.expect("nothing failed");
    assert!(begin.elapsed() < SOON);
    assert_eq!((replayed.total.answered(), replayed.unfinished), (0, 2));
}

#[test]
fn an_interruption_ends_it_with_what_was_measured() {
    let schedule = schedule();
    let control = Impatient(Instant::now() + Duration::from_secs(2));
    let replayed = endless(server(RIGHT), &schedule).run(&Watch::new(&control));
    let replayed = replayed.expect("right answers");
    assert!(replayed.interrupted);
    assert!(replayed.total.answered() > 1, "rows are not begun again");
}
