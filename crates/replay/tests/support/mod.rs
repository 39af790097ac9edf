//! Servers that behave as told, and schedules to send to them.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use hotset_replay::{Endpoint, ErrorKind, Metrics, NoObserver, Options, ReplayResult, Schedule};
use hotset_test_support::together;

/// Longer than a busy machine makes anything take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a thread for each connection; it serves until the test's process ends.
pub struct Server {
    pub address: SocketAddr,
    pub connections: Arc<AtomicUsize>,
}

impl Server {
    /// `serve` gets each connection and its number; the engine's own first one (it only connects) is 0.
    pub fn start(serve: impl Fn(Connection, usize) + Send + Sync + 'static) -> Self {
        // Beside other tests that do, unless this one is alone.
        together();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let (serve, counter) = (Arc::new(serve), connections.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (serve, number) = (serve.clone(), counter.fetch_add(1, Ordering::SeqCst));
                thread::spawn(move || serve(Connection::new(stream), number));
            }
        });
        Self {
            address,
            connections,
        }
    }

    /// Answers each request by its target, keeping connections.
    pub fn answering(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::start(move |mut connection, _| {
            while let Some(target) = connection.request() {
                if connection.send(&answer(&target)).is_err() {
                    return;
                }
            }
        })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What answers late on a machine that is busy with other tests is waited for.
    pub fn options(&self) -> Options {
        Options {
            connect_timeout: PATIENCE,
            response_timeout: PATIENCE,
            ..Options::new(Endpoint::resolve(&self.url()).unwrap())
        }
    }

    pub fn replay(&self, schedule: &Schedule) -> ReplayResult {
        hotset_replay::replay(schedule, &self.options(), &NoObserver).unwrap()
    }
}

/// The server's end of a connection.
pub struct Connection {
    pub stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Connection {
    fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        Self { stream, reader }
    }

    /// The target of the next request; `None`: the client has closed.
    pub fn request(&mut self) -> Option<String> {
        let mut lines = self.reader.by_ref().lines();
        let first = lines.next()?.ok()?;
        loop {
            if lines.next()?.ok()?.is_empty() {
                return Some(first.split(' ').nth(1)?.to_owned());
            }
        }
    }

    pub fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Closes with a reset instead of an end.
    pub fn reset(self) {
        rustix::net::sockopt::set_socket_linger(&self.stream, Some(Duration::ZERO)).unwrap();
    }
}

use std::io::Read as _;

/// A response with a body of so many bytes.
pub fn ok(bytes: usize) -> Vec<u8> {
    response("200 OK", bytes)
}

pub fn response(status: &str, bytes: usize) -> Vec<u8> {
    let mut response = format!("HTTP/1.1 {status}\r\nContent-Length: {bytes}\r\n\r\n").into_bytes();
    response.resize(response.len() + bytes, b'x');
    response
}

/// One site, `connections` of `each` requests for `/`, a request every `gap_us` over all of them.
pub fn schedule(connections: usize, each: usize, gap_us: i64) -> Schedule {
    let count = connections * each;
    let offset = |row: usize| (row % each) as i64 * gap_us * connections as i64;
    Schedule {
        posts_to: None,
        sites: vec!["shop".to_owned()],
        targets: vec![Box::from(*b"/")],
        site: vec![0; count],
        target: vec![0; count],
        connection: (0..count).map(|row| (row / each) as u32).collect(),
        start_us: (0..connections as i64)
            .map(|connection| connection * gap_us)
            .collect(),
        offset_us: (0..count).map(offset).collect(),
        expected_bytes: vec![10; count],
    }
}

/// One connection that asks for these targets one after the other.
pub fn asking(targets: &[&str]) -> Schedule {
    Schedule {
        targets: targets
            .iter()
            .map(|target| target.as_bytes().into())
            .collect(),
        target: (0..targets.len() as u32).collect(),
        offset_us: vec![0; targets.len()],
        ..schedule(1, targets.len(), 0)
    }
}

/// All requests that failed did so in this way.
pub fn assert_failed(measured: &Metrics, kind: ErrorKind, count: u64) {
    let errors: Vec<_> = measured.errors.iter().collect();
    assert_eq!(errors, [(kind, count)], "{} requests", measured.requests);
}
