//! Open and closed loops send what they are told, when they are told.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Server, asking, ok, schedule};
use hotset_replay::{
    ClosedLoad, Endpoint, HostHeader, Load, NoObserver, Observer, Options, Pause, Progress,
    ReplayError, Schedule, WarmUp, replay,
};

/// Stalls are shorter by far; what a busy machine adds to them is not the client's.
const LATE_US: u64 = 20_000_000;

/// A server that answers at once, except from `from` to `to` after its first request.
fn stalling(from: Duration, to: Duration) -> Server {
    let first = Arc::new(Mutex::new(None::<Instant>));
    Server::start(move |mut connection, _| {
        while connection.request().is_some() {
            let since = first
                .lock()
                .unwrap()
                .get_or_insert_with(Instant::now)
                .elapsed();
            if since > from && since < to {
                thread::sleep(to - since);
            }
            if connection.send(&ok(10)).is_err() {
                return;
            }
        }
    })
}

#[test]
fn a_stall_of_one_second_shows_in_the_times_from_intended() {
    let server = stalling(Duration::from_secs(1), Duration::from_secs(2));
    let replayed = server.replay(&schedule(100, 30, 1000));
    let p99_us = replayed
        .total
        .from_intended
        .histogram()
        .value_at_quantile(0.99);
    assert!((900_000..LATE_US).contains(&p99_us), "{p99_us} µs");
    assert_eq!(
        (replayed.total.answered(), replayed.total.errors.total()),
        (3000, 0)
    );
    let requested = replayed.requested_rate.unwrap();
    assert!((requested - 1000.0).abs() < 1.0, "{requested}/s");
}

#[test]
fn each_request_of_its_own_connection_shows_the_stall_too() {
    let server = stalling(Duration::from_millis(300), Duration::from_millis(800));
    let replayed = server.replay(&schedule(1000, 1, 1000));
    let p99_us = replayed
        .total
        .from_intended
        .histogram()
        .value_at_quantile(0.99);
    assert!((450_000..LATE_US).contains(&p99_us), "{p99_us} µs");
    assert_eq!(replayed.connections, 1000);
}

#[test]
fn starts_wait_for_connections_and_their_wait_counts() {
    let server = Server::answering(|_| {
        thread::sleep(Duration::from_millis(20));
        ok(10)
    });
    let options = Options {
        connections_max: Some(2),
        ..server.options()
    };
    let replayed = replay(&schedule(20, 1, 0), &options, &NoObserver).unwrap();
    assert_eq!(
        (replayed.total.answered(), replayed.held_connections),
        (20, 18)
    );
    let longest_us = replayed.total.from_intended.histogram().max();
    assert!(
        longest_us >= 190_000,
        "the last of ten rounds of 20 ms took {longest_us} µs"
    );
    let sent_us = replayed.total.total.histogram().value_at_quantile(0.5);
    assert!(sent_us < longest_us / 2, "from being sent {sent_us} µs");
}

#[test]
fn follow_ups_wait_for_the_connection_and_keep_their_order() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let server = Server::answering(move |target| {
        log.lock().unwrap().push(target.to_owned());
        thread::sleep(Duration::from_millis(10));
        ok(10)
    });
    let replayed = server.replay(&asking(&["/a", "/b", "/c", "/d"]));
    assert_eq!(*seen.lock().unwrap(), ["/a", "/b", "/c", "/d"]);
    assert_eq!(replayed.connections, 1);
    let longest_us = replayed.total.from_intended.histogram().max();
    assert!(longest_us >= 40_000, "{longest_us} µs");
}

fn closed(clients: usize, duration: Option<Duration>) -> Load {
    Load::Closed(ClosedLoad {
        clients,
        pause: Pause::NONE,
        duration,
    })
}

#[test]
fn clients_share_the_rows_in_order() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let server = Server::answering(move |target| {
        log.lock().unwrap().push(target.to_owned());
        ok(10)
    });
    let targets: Vec<String> = (0..500).map(|number| format!("/{number}")).collect();
    let names: Vec<&str> = targets.iter().map(String::as_str).collect();
    for clients in [1, 8] {
        seen.lock().unwrap().clear();
        let options = Options {
            load: closed(clients, None),
            ..server.options()
        };
        let replayed = replay(&asking(&names), &options, &NoObserver).unwrap();
        assert_eq!(
            (replayed.total.answered(), replayed.connections),
            (500, clients as u64)
        );
        assert_eq!(replayed.requested_rate, None);
        let mut seen = seen.lock().unwrap();
        if clients > 1 {
            seen.sort_by_key(|target| targets.iter().position(|one| one == target));
        }
        assert_eq!(*seen, targets);
    }
}

/// Two sites, the second one's answers slow.
fn two_sites() -> (Server, Schedule) {
    let server = Server::answering(|target| {
        if target == "/slow" {
            thread::sleep(Duration::from_millis(20));
        }
        ok(10)
    });
    let schedule = Schedule {
        sites: vec!["fast".to_owned(), "slow".to_owned()],
        site: vec![0, 1, 0, 1],
        ..asking(&["/fast", "/slow", "/fast", "/slow"])
    };
    (server, schedule)
}

#[test]
fn a_slow_site_holds_up_clients_that_sites_share() {
    let (server, schedule) = two_sites();
    let options = Options {
        load: closed(4, Some(Duration::from_millis(500))),
        ..server.options()
    };
    let replayed = replay(&schedule, &options, &NoObserver).unwrap();
    let answered = |site: usize| replayed.sites[site].1.answered();
    assert!(answered(1) > 0 && answered(1) <= 4 * 26, "{}", answered(1));
    assert!(answered(0) <= answered(1) + 4, "{}", answered(0));
}

#[test]
fn waiting_for_the_last_timeout_does_not_lower_the_rate() {
    let server = Server::start(|mut connection, number| {
        while connection.request().is_some() {
            thread::sleep(Duration::from_millis(if number == 2 { 60_000 } else { 5 }));
            let _ = connection.send(&ok(10));
        }
    });
    let timeout = Duration::from_secs(4);
    let options = Options {
        response_timeout: timeout,
        ..server.options()
    };
    let open = replay(&schedule(100, 1, 5000), &options, &NoObserver).unwrap();
    assert_eq!((open.total.answered(), open.total.errors.total()), (99, 1));
    assert!(open.elapsed > timeout, "{:?}", open.elapsed);
    let lowered = 100.0 / open.elapsed.as_secs_f64();
    assert!(
        open.achieved_rate > 1.2 * lowered,
        "of 200: {}, {lowered} with the wait",
        open.achieved_rate
    );
    let options = Options {
        load: closed(3, Some(Duration::from_millis(500))),
        ..options
    };
    let before = server.connections.swap(0, Ordering::SeqCst);
    let closed = replay(&schedule(1, 3, 0), &options, &NoObserver).unwrap();
    assert_eq!((before, closed.total.errors.total()), (101, 1));
    let lowered = closed.total.answered() as f64 / closed.elapsed.as_secs_f64();
    assert!(
        closed.achieved_rate > 1.2 * lowered,
        "{}/s, {lowered}/s with the wait",
        closed.achieved_rate
    );
}

#[test]
fn clients_think_between_requests() {
    let server = Server::answering(|_| ok(10));
    let think = Duration::from_millis(300);
    let options = Options {
        load: Load::Closed(ClosedLoad {
            clients: 1,
            pause: Pause::Think(think),
            duration: None,
        }),
        ..server.options()
    };
    let replayed = replay(&schedule(1, 5, 0), &options, &NoObserver).unwrap();
    assert!(replayed.elapsed >= 4 * think, "{:?}", replayed.elapsed);
    let median_us = replayed
        .total
        .from_intended
        .histogram()
        .value_at_quantile(0.5);
    assert!(
        median_us < 300_000,
        "thinking is no waiting: {median_us} µs"
    );
}

#[test]
fn threads_together_send_every_request_once() {
    let server = Server::answering(|_| ok(10));
    for load in [Load::Open, closed(10, None)] {
        let options = Options {
            load,
            threads: 3,
            ..server.options()
        };
        let replayed = replay(&schedule(50, 20, 100), &options, &NoObserver).unwrap();
        let total = &replayed.total;
        assert_eq!(
            (total.answered(), total.total.count(), total.bytes),
            (1000, 1000, 10_000)
        );
        assert_eq!(total.total.series().requests(), 1000);
        let (series, mean) = (
            total.total.series().mean().unwrap(),
            total.total.mean_us().unwrap(),
        );
        assert!((series - mean).abs() < mean * 1e-6, "{series} {mean}");
        assert_eq!(
            replayed
                .timeline
                .iter()
                .map(|second| second.sent)
                .sum::<u64>(),
            1000
        );
    }
}

#[test]
fn warm_up_is_sent_and_not_recorded() {
    let server = Server::answering(|_| ok(10));
    for (warm_up, recorded) in [
        (WarmUp::Requests(30), 70),
        (WarmUp::Duration(Duration::from_millis(40)), 60),
        (WarmUp::None, 100),
    ] {
        let options = Options {
            warm_up,
            ..server.options()
        };
        let before = server.connections.load(Ordering::SeqCst);
        let replayed = replay(&schedule(100, 1, 1000), &options, &NoObserver).unwrap();
        assert_eq!(replayed.total.requests, recorded, "{warm_up:?}");
        let sent = server.connections.load(Ordering::SeqCst) - before;
        assert_eq!(sent, 101, "and one to see whether there is a server");
    }
}

/// Interrupts when some requests are answered and the server is stuck with as many; remembers when.
struct Impatient {
    requests: u64,
    stuck: Arc<AtomicUsize>,
    answered: AtomicU64,
    since: OnceLock<Instant>,
}

impl Observer for Impatient {
    fn progress(&self, progress: &Progress) {
        self.answered.store(progress.finished, Ordering::SeqCst);
    }

    fn interrupted(&self) -> bool {
        let answered = self.answered.load(Ordering::SeqCst);
        let stuck = self.stuck.load(Ordering::SeqCst) as u64;
        let now = (answered, stuck) == (self.requests, self.requests);
        if now {
            self.since.get_or_init(Instant::now);
        }
        now
    }
}

#[test]
fn an_interrupted_replay_ends_at_once_and_reports() {
    let stuck = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&stuck);
    let server = Server::start(move |mut connection, number| {
        while connection.request().is_some() {
            if number > 5 {
                count.fetch_add(1, Ordering::SeqCst);
                thread::sleep(Duration::from_secs(60));
            }
            let _ = connection.send(&ok(10));
        }
    });
    let impatient = Impatient {
        requests: 5,
        stuck,
        answered: AtomicU64::new(0),
        since: OnceLock::new(),
    };
    let replayed = replay(&schedule(10, 1, 10_000), &server.options(), &impatient).unwrap();
    let took = impatient.since.get().unwrap().elapsed();
    // The server is stuck for a minute.
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert!(replayed.interrupted);
    assert_eq!((replayed.total.answered(), replayed.unfinished), (5, 5));
}

/// Remembers the last progress.
#[derive(Default)]
struct Watching(Mutex<Progress>, AtomicBool);

impl Observer for Watching {
    fn progress(&self, progress: &Progress) {
        *self.0.lock().unwrap() = *progress;
    }

    fn interrupted(&self) -> bool {
        self.1.load(Ordering::Relaxed)
    }
}

#[test]
fn progress_ends_with_all_requests() {
    let server = Server::answering(|_| ok(10));
    let watching = Watching::default();
    replay(&schedule(10, 10, 1000), &server.options(), &watching).unwrap();
    let progress = *watching.0.lock().unwrap();
    assert_eq!(
        (progress.finished, progress.errors, progress.bytes),
        (100, 0, 1000)
    );
    assert_eq!((progress.requests, progress.connections), (Some(100), 0));
}

#[test]
fn the_host_header_and_the_prefix_are_as_asked() {
    use std::io::Read;
    let heads = Arc::new(Mutex::new(Vec::new()));
    let log = heads.clone();
    let server = Server::start(move |mut connection, number| {
        let mut head = [0; 300];
        if let Ok(bytes @ 1..) = connection.stream.read(&mut head) {
            log.lock()
                .unwrap()
                .push(String::from_utf8_lossy(&head[..bytes]).into_owned());
        }
        if number > 0 {
            let _ = connection.send(&ok(10));
        }
    });
    let cases = [
        (HostHeader::Url, server.address.to_string()),
        (HostHeader::Site, "shop".to_owned()),
        (
            HostHeader::Fixed("www.example.org".to_owned()),
            "www.example.org".to_owned(),
        ),
    ];
    for (host, expected) in cases {
        let endpoint = Endpoint::resolve(&format!("{}/base/", server.url())).unwrap();
        let options = Options {
            host,
            ..Options::new(endpoint)
        };
        replay(&asking(&["/file"]), &options, &NoObserver).unwrap();
        let head = heads.lock().unwrap().pop().unwrap();
        assert!(head.starts_with("GET /base/file HTTP/1.1\r\n"), "{head}");
        assert!(
            head.contains(&format!("\r\nHost: {expected}\r\n")),
            "{head}"
        );
    }
}

#[test]
fn what_makes_no_replay_is_refused_with_its_name() {
    let server = Server::answering(|_| ok(10));
    let with = |change: fn(&mut Options)| {
        let mut options = server.options();
        change(&mut options);
        replay(&schedule(2, 2, 0), &options, &NoObserver)
            .unwrap_err()
            .to_string()
    };
    assert!(with(|options| options.connections_max = Some(0)).starts_with("connections_max: "));
    assert!(with(|options| options.threads = 0).starts_with("threads: "));
    assert!(with(|options| options.load = closed(0, None)).starts_with("clients: "));
    assert!(
        with(|options| {
            options.load = closed(4, None);
            options.connections_max = Some(3);
        })
        .starts_with("connections_max: ")
    );
    assert!(
        with(|options| options.host = HostHeader::Fixed("a\r\nb".into())).starts_with("host: ")
    );
}

#[test]
fn columns_that_do_not_fit_together_are_refused() {
    let server = Server::answering(|_| ok(10));
    let changes: [fn(&mut Schedule); 6] = [
        |schedule| schedule.site[1] = 7,
        |schedule| schedule.target[1] = 7,
        |schedule| schedule.connection[0] = 1,
        |schedule| schedule.start_us = vec![5, 1],
        |schedule| schedule.offset_us.truncate(1),
        |schedule| schedule.targets[0] = Box::from(*b"/a b"),
    ];
    for change in changes {
        let mut faulty = schedule(2, 2, 0);
        change(&mut faulty);
        let error = replay(&faulty, &server.options(), &NoObserver).unwrap_err();
        assert!(matches!(error, ReplayError::Schedule(_)), "{error}");
    }
    let none = replay(&Schedule::default(), &server.options(), &NoObserver).unwrap_err();
    assert!(none.to_string().contains("no requests"), "{none}");
}

/// Clients that hold a rate, with so much of it in each answer.
fn holding(rate: f64, share: f64, think: Duration) -> Vec<f64> {
    let bytes = (rate * share) as usize;
    let server = Server::answering(move |_| {
        std::thread::sleep(think);
        ok(bytes)
    });
    let options = Options {
        load: Load::Closed(ClosedLoad {
            clients: 2,
            pause: Pause::Rate(rate),
            duration: Some(Duration::from_millis(400)),
        }),
        ..server.options()
    };
    let replayed = replay(&schedule(1, 5, 0), &options, &NoObserver).unwrap();
    assert_eq!(replayed.client_rates.len(), 2);
    replayed.client_rates
}

#[test]
fn clients_that_hold_a_rate_receive_no_more_and_pause_no_longer_than_it_asks() {
    // Answers of a fortieth of a second each.
    for rate in holding(50_000.0, 0.025, Duration::ZERO) {
        assert!(rate <= 50_001.0 && rate > 30_000.0, "{rate}");
    }
    // One answer is more than the whole time allows; its pause counts.
    for rate in holding(50_000.0, 2.0, Duration::ZERO) {
        assert!((rate - 50_000.0).abs() < 1.0, "{rate}");
    }
    // Each answer takes twice the time that it may.
    for rate in holding(50_000.0, 0.025, Duration::from_millis(50)) {
        assert!(rate < 26_000.0, "{rate}");
    }
}

#[test]
fn connections_conform_from_forty_to_fifty_thousand_bytes_a_second() {
    use hotset_replay::ConformingConnections;
    let of =
        ConformingConnections::of(&[39_999.0, 40_000.0, 45_000.0, 50_000.0, 50_010.0]).unwrap();
    assert_eq!((of.connections, of.conforming), (5, 3));
    assert_eq!(of.slowest_bytes_per_second, 39_999.0);
    assert_eq!(ConformingConnections::of(&[]), None);
}

#[test]
fn posts_have_no_body_and_say_so() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let server = Server::start(move |connection, _| {
        let mut stream = connection.stream;
        let mut head = Vec::new();
        let mut byte = [0];
        while std::io::Read::read(&mut stream, &mut byte).is_ok_and(|read| read == 1) {
            head.push(byte[0]);
            if head.ends_with(b"\r\n\r\n") {
                log.lock()
                    .unwrap()
                    .push(String::from_utf8(std::mem::take(&mut head)).unwrap());
                std::io::Write::write_all(&mut stream, &ok(3)).unwrap();
            }
        }
    });
    let posting = Schedule {
        posts_to: Some(1),
        ..asking(&["/a", "/post"])
    };
    let replayed = server.replay(&posting);
    assert_eq!(replayed.total.answered(), 2);
    let seen = seen.lock().unwrap();
    assert!(seen[0].starts_with("GET /a HTTP/1.1\r\n"), "{seen:?}");
    assert!(!seen[0].contains("Content-Length"), "{seen:?}");
    assert!(
        seen[1].starts_with("POST /post HTTP/1.1\r\nHost: "),
        "{seen:?}"
    );
    assert!(
        seen[1].ends_with("\r\nContent-Length: 0\r\n\r\n"),
        "{seen:?}"
    );
}
