//! Clients that each ask, wait for the response and ask again: the replay engine's closed loop, held to answers that are
//! right.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hotset_replay::{
    Closed, Endpoint, HostHeader, Load, Observer, Options, Progress, Replayed, Schedule, replay,
};

use crate::ExperimentError;
use hotset_lab::Control;

/// The longest a response may take: 16 files of 64 MiB, the largest of the workload classes, through a disk of 4 MB/s.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// Who asks whom for what.
#[derive(Clone, Debug)]
pub(crate) struct ClosedLoop<'a> {
    /// What it is, for messages.
    pub name: &'a str,
    pub server: SocketAddr,
    pub host: HostHeader,
    /// Its times do not matter.
    pub schedule: &'a Schedule,
    /// Clients, which take rows in order, each the next one that is free.
    pub clients: usize,
    /// Over and over until it has passed; every row once where there is none.
    pub duration: Option<Duration>,
}

impl ClosedLoop<'_> {
    /// Asks. Loops that share `watch` end together: when the run is to end, and when a request of one of them fails, since
    /// what is measured beside a failure is of no use.
    ///
    /// # Errors
    /// When a response is not what was asked for. An interruption is none here, since it may be another loop's failure:
    /// see [`Replayed::interrupted`].
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Replayed, ExperimentError> {
        let asked = self.ask(watch);
        asked.map_err(|problem| {
            watch.end();
            ExperimentError::Unusable(format!("{}, http://{}: {problem}", self.name, self.server))
        })
    }

    fn ask(&self, watch: &Watch<'_>) -> Result<Replayed, String> {
        let endpoint = Endpoint::resolve(&format!("http://{}", self.server));
        let options = Options {
            host: self.host.clone(),
            load: Load::Closed(Closed {
                clients: self.clients,
                think: Duration::ZERO,
                duration: self.duration,
            }),
            response_timeout: PATIENCE,
            ..Options::new(endpoint.map_err(|error| error.to_string())?)
        };
        let replayed = replay(self.schedule, &options, watch).map_err(|error| error.to_string())?;
        match problem(&replayed) {
            Some(problem) => Err(problem),
            None => Ok(replayed),
        }
    }
}

fn problem(replayed: &Replayed) -> Option<String> {
    let total = &replayed.total;
    if let Some((kind, count)) = total.errors.iter().next() {
        let requests = total.requests;
        return Some(format!(
            "{count} of {requests} requests failed: {}",
            kind.name()
        ));
    }
    let wrong = total.wrong_length;
    (wrong > 0).then(|| format!("{wrong} responses have another length than their files"))
}

/// Ends closed loops.
pub(crate) struct Watch<'c> {
    control: &'c dyn Control,
    failed: AtomicBool,
    /// When they end whatever is under way.
    end: Option<Instant>,
}

/// What a loop takes to begin, so that none is ended before its time.
const BEGINNING: Duration = Duration::from_millis(250);

impl<'c> Watch<'c> {
    pub(crate) fn new(control: &'c dyn Control) -> Self {
        Self {
            control,
            failed: AtomicBool::new(false),
            end: None,
        }
    }

    /// Ends them soon after this time even where answers are still awaited. The loops count as interrupted then.
    pub(crate) fn until(self, duration: Duration) -> Self {
        Self {
            end: Some(Instant::now() + duration + BEGINNING),
            ..self
        }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn end(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }
}

impl Observer for Watch<'_> {
    fn progress(&self, progress: &Progress) {
        if progress.errors > 0 {
            self.end();
        }
    }

    fn interrupted(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.is_over() || self.control.interrupted()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::thread;
    use std::time::{Duration, Instant};

    use hotset_replay::{HostHeader, Schedule};

    use super::{ClosedLoop, Watch};
    use hotset_lab::Control;

    /// Longer than any test waits.
    const ENDLESS: Duration = Duration::from_secs(600);
    const SOON: Duration = Duration::from_secs(30);

    struct Calm;

    impl Control for Calm {
        fn step(&self, _: &str) {}

        fn interrupted(&self) -> bool {
            false
        }
    }

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

    fn endless(server: SocketAddr, schedule: &Schedule) -> ClosedLoop<'_> {
        ClosedLoop {
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
        let once = ClosedLoop {
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
        let watch = Watch::new(&Calm).until(Duration::from_millis(100));
        let begin = Instant::now();
        let replayed = endless(silent_server(), &schedule).run(&watch);
        let replayed = replayed.expect("nothing failed");
        assert!(begin.elapsed() < SOON);
        assert_eq!((replayed.total.answered(), replayed.unfinished), (0, 2));
    }

    #[test]
    fn an_interruption_ends_it_with_what_was_measured() {
        let schedule = schedule();
        let control = Impatient(Instant::now() + Duration::from_millis(300));
        let replayed = endless(server(RIGHT), &schedule).run(&Watch::new(&control));
        let replayed = replayed.expect("right answers");
        assert!(replayed.interrupted);
        assert!(replayed.total.answered() > 1, "rows are not begun again");
    }
}
