//! A plain blocking client, obviously right, counts what the engine counts.

use crate::support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::support::{Server, response, schedule};
use hotset_replay::{ErrorKind, Metrics, Schedule, SizeClass};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A file's size is its name's number; the name's first letter says how it is answered.
const KINDS: &[&str] = &[
    "plain",
    "chunked",
    "interim",
    "moved",
    "gone",
    "error",
    "longer",
    "unchanged",
];

fn answer(target: &str) -> Vec<u8> {
    let (kind, size) = target.trim_start_matches('/').split_once('/').unwrap();
    let size: usize = size.parse().unwrap();
    match kind {
        "chunked" => chunked(size),
        "interim" => [
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".to_vec(),
            support::ok(size),
        ]
        .concat(),
        "moved" => response("301 Moved Permanently", size),
        "gone" => response("404 Not Found", size),
        "error" => response("500 Internal Server Error", size),
        "longer" => support::ok(size + 1),
        "unchanged" => b"HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".to_vec(),
        _ => support::ok(size),
    }
}

fn chunked(size: usize) -> Vec<u8> {
    let mut response = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for at in (0..size).step_by(1000) {
        let part = 1000.min(size - at);
        response.extend(format!("{part:x};name=value\r\n").into_bytes());
        response.resize(response.len() + part, b'x');
        response.extend(b"\r\n");
    }
    response.extend(b"0\r\nTrailer: x\r\n\r\n");
    response
}

/// What is compared of a group: requests, errors by kind, wrong lengths, bytes.
type Counts = (u64, BTreeMap<&'static str, u64>, u64, u64);

fn counts(measured: &Metrics) -> Counts {
    let errors = measured.errors.iter();
    (
        measured.requests,
        errors.map(|(kind, count)| (kind.name(), count)).collect(),
        measured.wrong_length,
        measured.bytes,
    )
}

/// Status and length of the body of one response.
fn read_response(reader: &mut impl BufRead) -> (u16, u64) {
    let line = |reader: &mut dyn BufRead| {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    let status: u16 = line(reader).split(' ').nth(1).unwrap().parse().unwrap();
    let (mut length, mut chunks) = (0, false);
    loop {
        let field = line(reader).to_ascii_lowercase();
        match field.split_once(": ") {
            Some(("content-length", value)) => length = value.parse().unwrap(),
            Some(("transfer-encoding", _)) => chunks = true,
            Some(_) => {}
            None => break,
        }
    }
    if status == 103 {
        return read_response(reader);
    }
    let mut skip =
        |bytes: u64| std::io::copy(&mut reader.by_ref().take(bytes), &mut std::io::sink());
    if !chunks {
        skip(length).unwrap();
        return (status, length);
    }
    loop {
        let size = line(reader);
        let size = u64::from_str_radix(size.split(';').next().unwrap(), 16).unwrap();
        std::io::copy(&mut reader.by_ref().take(size), &mut std::io::sink()).unwrap();
        if size == 0 {
            while !line(reader).is_empty() {}
            return (status, length);
        }
        line(reader);
        length += size;
    }
}

fn count(counts: &mut Counts, status: u16, bytes: u64, expected: u64) {
    counts.0 += 1;
    counts.3 += bytes;
    let kind = match status {
        301 => ErrorKind::Redirect,
        404 => ErrorKind::ClientError,
        500 => ErrorKind::ServerError,
        _ => {
            counts.2 += u64::from(status == 200 && bytes != expected);
            return;
        }
    };
    *counts.1.entry(kind.name()).or_default() += 1;
}

/// Counts in all, by site and by size class of one request after the other.
fn reference(server: &Server, schedule: &Schedule) -> BTreeMap<String, Counts> {
    let stream = TcpStream::connect(server.address).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut groups = BTreeMap::new();
    for row in 0..schedule.site.len() {
        let target = &schedule.targets[schedule.target[row] as usize];
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: x\r\n\r\n",
            String::from_utf8_lossy(target)
        );
        (&stream).write_all(request.as_bytes()).unwrap();
        let (status, bytes) = read_response(&mut reader);
        let expected = schedule.expected_bytes[row];
        let site = &schedule.sites[usize::from(schedule.site[row])];
        for group in ["all", site, &SizeClass::of(expected).to_string()] {
            count(
                groups.entry(group.to_owned()).or_default(),
                status,
                bytes,
                expected,
            );
        }
    }
    groups
}

fn measured(server: &Server, schedule: &Schedule) -> BTreeMap<String, Counts> {
    let replayed = server.replay(schedule);
    let sites = replayed
        .sites
        .iter()
        .map(|(site, group)| (site.clone(), counts(group)));
    let classes = replayed
        .size_classes
        .iter()
        .map(|(class, group)| (class.to_string(), counts(group)));
    let all = ("all".to_owned(), counts(&replayed.total));
    sites.chain(classes).chain([all]).collect()
}

/// Two hundred random files, three sites.
fn random_schedule(seed: u64) -> Schedule {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let (connections, each) = (10, 40);
    let sizes: Vec<u64> = (0..200)
        .map(|_| (2.0_f64).powf(random.random_range(0.0..21.0)) as u64 - 1)
        .collect();
    let name = |(index, size): (usize, &u64)| format!("/{}/{size}", KINDS[index % KINDS.len()]);
    let target: Vec<u32> = (0..connections * each)
        .map(|_| random.random_range(0..200))
        .collect();
    let expected = target.iter().map(|&target| sizes[target as usize]);
    Schedule {
        sites: vec!["blog".to_owned(), "empty".to_owned(), "shop".to_owned()],
        targets: sizes
            .iter()
            .enumerate()
            .map(name)
            .map(|name| name.into_bytes().into())
            .collect(),
        site: target
            .iter()
            .map(|target| (target % 2 * 2) as u16)
            .collect(),
        expected_bytes: expected.collect(),
        target,
        ..schedule(connections, each, 100)
    }
}

#[test]
fn the_engine_counts_what_a_plain_client_counts() {
    let server = Server::answering(answer);
    for seed in 0..4 {
        let schedule = random_schedule(seed);
        let mut expected = reference(&server, &schedule);
        expected.insert("empty".to_owned(), Counts::default());
        assert_eq!(measured(&server, &schedule), expected, "seed {seed}");
    }
}
