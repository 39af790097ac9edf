//! First-byte times are those of a packet capture, whatever keeps the client from running. In a process of
//! its own: other tests would be in its way.

#![allow(clippy::print_stdout, reason = "measured times are worth seeing")]

use hotset_test_support::{alone, skip};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Server, ok, schedule};
use hotset_replay::{NoObserver, Options, ReplayResult, Schedule, replay};
use rustix::process::setpriority_process;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

const CONNECTIONS: usize = 4;
const REQUESTS: usize = 200;
/// Between two requests, so that none waits for the one before on its connection.
const GAP_US: i64 = 10_000;
/// What the two may differ by beside 5 %: on the loopback a capture takes its time as packets come in, which is
/// some microseconds after they went out. A clock read after waking up is off by milliseconds here.
const MARGIN_US: f64 = 150.0;
/// Threads that want the client's processor, each as much as sixty of the client would.
const SPINNERS: usize = 2;

#[test]
fn a_client_that_is_kept_from_running_has_the_first_byte_times_of_a_capture() {
    alone();
    for delay in [Duration::ZERO, Duration::from_millis(2)] {
        let server = Server::answering(move |_| {
            thread::sleep(delay);
            ok(10)
        });
        let Some(capture) = Capture::start(server.address) else {
            skip("no right to capture packets, or no tcpdump on this machine");
            return;
        };
        let schedule = schedule(CONNECTIONS, REQUESTS / CONNECTIONS, GAP_US);
        let replayed = starved(&server, &schedule);
        assert_eq!(replayed.total.answered(), REQUESTS as u64);
        let captured_us = mean(&capture.first_bytes_us());
        let ours_us = replayed.total.first_byte.mean_us().unwrap();
        let late_us = replayed.lateness_us.mean();
        println!("{delay:?}: {ours_us:.0} µs, captured {captured_us:.0} µs, late {late_us:.0} µs");
        let most_us = captured_us * 0.05 + MARGIN_US;
        assert!(
            (ours_us - captured_us).abs() < most_us,
            "{ours_us} µs, but {captured_us} µs in the capture, server's delay {delay:?}"
        );
    }
}

/// Replays on one processor, together with threads that leave it next to nothing.
fn starved(server: &Server, schedule: &Schedule) -> ReplayResult {
    let ended = AtomicBool::new(false);
    let own = first_processor();
    thread::scope(|scope| {
        for _ in 0..SPINNERS {
            scope.spawn(|| {
                sched_setaffinity(None, &own).unwrap();
                while !ended.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let client = scope.spawn(|| {
            sched_setaffinity(None, &own).unwrap();
            // A thread's niceness is its own, and that of those it starts.
            setpriority_process(None, 19).unwrap();
            let options = Options {
                response_timeout: Duration::from_secs(20),
                ..server.options()
            };
            replay(schedule, &options, &NoObserver).unwrap()
        });
        let replayed = client.join();
        ended.store(true, Ordering::Relaxed);
        replayed.unwrap()
    })
}

fn first_processor() -> CpuSet {
    let all = sched_getaffinity(None).unwrap();
    let first = (0..CpuSet::MAX_CPU).find(|&processor| all.is_set(processor));
    let mut only = CpuSet::new();
    only.set(first.unwrap());
    only
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// `tcpdump` of a server's packets on the loopback.
struct Capture {
    tcpdump: Child,
    server: SocketAddr,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Capture {
    /// `None`: there is no `tcpdump`, or it may not capture.
    fn start(server: SocketAddr) -> Option<Self> {
        let options =
            "-i lo -n -tt -q -l --immediate-mode --time-stamp-precision=nano -B 16384 tcp port";
        let mut tcpdump = Command::new("tcpdump")
            .args(options.split(' '))
            .arg(server.port().to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let mut said = BufReader::new(tcpdump.stderr.take()?).lines();
        let listens = said.any(|line| line.is_ok_and(|line| line.starts_with("listening on")));
        let printed = BufReader::new(tcpdump.stdout.take()?).lines();
        let (sender, lines) = std::sync::mpsc::channel();
        thread::spawn(move || {
            printed
                .map_while(Result::ok)
                .all(|line| sender.send(line).is_ok())
        });
        let capture = Self {
            tcpdump,
            server,
            lines,
        };
        listens.then_some(capture)
    }

    /// From each request's packet to the first of its answer, microseconds, as soon as all are there.
    fn first_bytes_us(self) -> Vec<f64> {
        let (mut sent, mut times) = (HashMap::new(), Vec::new());
        let end = Instant::now() + Duration::from_secs(20);
        while times.len() < REQUESTS {
            let line = self.lines.recv_timeout(end - Instant::now());
            let line = line.unwrap_or_else(|_| panic!("{} answers in the capture", times.len()));
            let Some(packet) = Packet::read(&line) else {
                continue;
            };
            if packet.to == self.server.port() {
                sent.insert(packet.from, packet.ns);
            } else if let Some(sent_ns) = sent.remove(&packet.to) {
                times.push((packet.ns - sent_ns) as f64 / 1000.0);
            }
        }
        times
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        let _ended = self.tcpdump.kill();
        let _reaped = self.tcpdump.wait();
    }
}

/// A packet with content.
struct Packet {
    ns: i64,
    from: u16,
    to: u16,
}

impl Packet {
    /// `1763730000.123456789 IP 127.0.0.1.40000 > 127.0.0.1.80: tcp 52`
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [time, "IP", from, ">", to, "tcp", length] = words[..] else {
            return None;
        };
        let port = |address: &str| {
            let port = address.trim_end_matches(':').rsplit('.').next()?;
            port.parse().ok()
        };
        let packet = Self {
            ns: time.replace('.', "").parse().ok()?,
            from: port(from)?,
            to: port(to)?,
        };
        (length != "0").then_some(packet)
    }
}
