//! The client of NFS against a server of this file's own, which keeps one file in memory.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::thread::{self, JoinHandle};

use hotset_probe::Job;
use hotset_probe::nfs::{NfsClient, NfsOperation, NfsRecords, NfsTimes, read_any_results};
use proptest::prelude::*;

const EXPORT: &str = "/export";
const FILE: &str = "file";
const HANDLE: &[u8; 8] = b"a handle";
/// Programs, and procedures of NFS.
const MOUNT: u32 = 100_005;
const GETATTR: u32 = 1;
const LOOKUP: u32 = 3;
const READ: u32 = 6;
const WRITE: u32 = 7;
const COMMIT: u32 = 21;
/// Where the arguments of a call begin, and what comes behind a handle.
const ARGUMENTS: usize = 68;
const BEHIND_HANDLE: usize = ARGUMENTS + 12;

/// The file in the end, and the procedures that were called.
type Served = JoinHandle<(Vec<u8>, Vec<u32>)>;

/// A server for a client with its two connections. It ends with the client, and gives back the file and the procedures of NFS it was asked for.
fn serve(mut file: Vec<u8>) -> (SocketAddr, Served) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let mut asked = Vec::new();
        for stream in listener.incoming().take(2) {
            answer_all(stream.unwrap(), &mut file, &mut asked);
        }
        (file, asked)
    });
    (address, server)
}

fn answer_all(mut stream: TcpStream, file: &mut [u8], asked: &mut Vec<u32>) {
    let mut mark = [0; 4];
    while stream.read_exact(&mut mark).is_ok() {
        let mut call = vec![0; (u32::from_be_bytes(mark) & 0x7fff_ffff) as usize];
        stream.read_exact(&mut call).unwrap();
        let mut answer = call[..4].to_vec();
        numbers(&mut answer, &[1, 0, 0, 0, 0]);
        answer.extend(results(&call, file, asked));
        // In two fragments, as servers may send it.
        let (first, last) = answer.split_at(7);
        let mut message = (first.len() as u32).to_be_bytes().to_vec();
        message.extend(first);
        message.extend(((last.len() as u32) | (1 << 31)).to_be_bytes());
        message.extend(last);
        stream.write_all(&message).unwrap();
    }
}

fn numbers(message: &mut Vec<u8>, numbers: &[u32]) {
    message.extend(numbers.iter().flat_map(|it| it.to_be_bytes()));
}

fn number(call: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(call[at..at + 4].try_into().unwrap())
}

fn handle(message: &mut Vec<u8>) {
    numbers(message, &[HANDLE.len() as u32]);
    message.extend(HANDLE);
}

fn attributes(message: &mut Vec<u8>, bytes: usize) {
    numbers(message, &[1; 5]);
    message.extend((bytes as u64).to_be_bytes());
    numbers(message, &[2; 14]);
}

fn results(call: &[u8], file: &mut [u8], asked: &mut Vec<u32>) -> Vec<u8> {
    let mut results = Vec::new();
    let procedure = number(call, 20);
    if number(call, 12) == MOUNT {
        let is_known = call[ARGUMENTS + 4..].starts_with(EXPORT.as_bytes());
        numbers(&mut results, &[if is_known { 0 } else { 2 }]);
        handle(&mut results);
        numbers(&mut results, &[1, 1]);
        return results;
    }
    asked.push(procedure);
    let place = || number(call, BEHIND_HANDLE + 4) as usize;
    let count = || number(call, BEHIND_HANDLE + 8) as usize;
    match procedure {
        LOOKUP if !call[BEHIND_HANDLE + 4..].starts_with(FILE.as_bytes()) => {
            numbers(&mut results, &[2, 0]);
        }
        LOOKUP => {
            numbers(&mut results, &[0]);
            handle(&mut results);
            numbers(&mut results, &[0, 0]);
        }
        GETATTR => {
            numbers(&mut results, &[0]);
            attributes(&mut results, file.len());
        }
        READ => {
            let data = &file[place()..(place() + count()).min(file.len())];
            numbers(&mut results, &[0, 1]);
            attributes(&mut results, file.len());
            numbers(&mut results, &[data.len() as u32, 0, data.len() as u32]);
            results.extend(data);
            results.resize(results.len().next_multiple_of(4), 0);
        }
        WRITE => {
            let data = &call[BEHIND_HANDLE + 20..][..count()];
            file[place()..place() + count()].copy_from_slice(data);
            numbers(&mut results, &[0, 0, 0, count() as u32, 0, 7, 7]);
        }
        COMMIT => numbers(&mut results, &[0, 0, 0, 7, 7]),
        _ => {}
    }
    results
}

fn mounted(address: SocketAddr) -> NfsClient {
    NfsClient::mount(address.ip(), [address.port(); 2], EXPORT).unwrap()
}

fn records(address: SocketAddr, operation: NfsOperation) -> NfsRecords {
    NfsRecords {
        server: address.ip(),
        ports: [address.port(); 2],
        export: EXPORT.to_owned(),
        file: FILE.to_owned(),
        file_bytes: 64,
        record_bytes: 16,
        operation,
        timed_ms: 20,
        around_ms: 5,
    }
}

#[test]
fn what_is_written_is_read_again() {
    let _sockets = crate::sockets();
    let (address, server) = serve((0..64).collect());
    let mut client = mounted(address);
    client.null().unwrap();
    let file = client.look_up(FILE).unwrap();
    assert_eq!(client.file_bytes(&file).unwrap(), 64);
    assert_eq!(client.read(&file, 5, 6).unwrap(), [5, 6, 7, 8, 9, 10]);
    assert_eq!(client.write(&file, 8, &[1, 2, 3, 4]).unwrap(), 4);
    client.commit(&file).unwrap();
    assert_eq!(client.read(&file, 6, 4).unwrap(), [6, 7, 1, 2]);
    drop(client);
    let (_, asked) = server.join().unwrap();
    assert_eq!(asked, [0, LOOKUP, GETATTR, READ, WRITE, COMMIT, READ]);
}

#[test]
fn a_job_times_one_call_after_the_other() {
    let _sockets = crate::sockets();
    let folder = tempfile::tempdir().unwrap();
    for operation in [NfsOperation::Null, NfsOperation::Read, NfsOperation::Write] {
        // Between its calls a busy machine may do something else.
        let mut tries = (0..10).map(|_| {
            let (times, file) = timed(folder.path(), operation);
            assert_eq!(file == [1; 64], operation == NfsOperation::Write);
            let in_calls_s = times.mean_us * times.calls as f64 / 1e6;
            assert!(in_calls_s <= times.seconds + 1e-3, "{times:?}");
            in_calls_s > times.seconds - 0.01
        });
        assert!(tries.any(|is_one_after_the_other| is_one_after_the_other));
    }
}

/// What a job with these calls says, and the file after it.
fn timed(folder: &Path, operation: NfsOperation) -> (NfsTimes, Vec<u8>) {
    let (address, server) = serve(vec![0; 64]);
    let result = folder.join("times.json");
    let job = Job::Nfs {
        records: records(address, operation),
        result: result.clone(),
    };
    Job::parse(&job.argument().unwrap()).unwrap().run().unwrap();
    let times: NfsTimes = serde_json::from_slice(&fs::read(result).unwrap()).unwrap();
    let (file, asked) = server.join().unwrap();
    let commits = usize::from(operation == NfsOperation::Write);
    assert_eq!(asked.len() - 2 - commits, times.all_calls as usize);
    assert!(times.calls > 0 && times.all_calls >= times.calls + 2);
    assert!(times.seconds >= 0.02 && times.p50_us <= times.p99_us);
    (times, file)
}

#[test]
fn what_a_server_does_not_have_is_named() {
    let _sockets = crate::sockets();
    let (address, server) = serve(vec![0; 32]);
    let mut client = mounted(address);
    let error = client.look_up("absent").unwrap_err().to_string();
    assert!(
        error.contains("LOOKUP of absent: it refuses: status 2 (not there)"),
        "{error}"
    );
    drop(client);
    server.join().unwrap();

    let (address, server) = serve(vec![0; 32]);
    let error = records(address, NfsOperation::Read).run().unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("file has 32 bytes where 64 are wanted"),
        "{error}"
    );
    server.join().unwrap();

    let nobody: IpAddr = "127.0.0.1".parse().unwrap();
    let error = NfsClient::mount(nobody, [1; 2], EXPORT).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("127.0.0.1:1: cannot connect: "),
        "{error}"
    );
}

/// A record of one fragment with an accepted answer, and these results.
fn record(results: &[u8]) -> Vec<u8> {
    let mut record = (((24 + results.len()) as u32) | (1 << 31))
        .to_be_bytes()
        .to_vec();
    numbers(&mut record, &[9, 1, 0, 0, 0, 0]);
    record.extend(results);
    record
}

#[test]
fn records_longer_than_any_answer_are_refused() {
    let long = ((4 << 20) | (1_u32 << 31)).to_be_bytes();
    assert!(read_any_results(&long).is_err());
    // Fragments without bytes.
    assert!(read_any_results(&[0; 64]).is_err());
    let mut mounted = Vec::new();
    numbers(&mut mounted, &[0]);
    handle(&mut mounted);
    assert!(read_any_results(&record(&mounted)).is_ok());
}

proptest! {
    #[test]
    fn no_answer_makes_the_client_panic(
        bytes in any::<Vec<u8>>(),
        results in any::<Vec<u8>>(),
    ) {
        let _read = read_any_results(&bytes);
        let _read = read_any_results(&record(&results));
    }
}
