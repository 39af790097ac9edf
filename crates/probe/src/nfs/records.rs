//! Records of a file that a client asks for one by one, and what each takes.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::client::{FileHandle, NfsClient};
use super::error::NfsError;

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NfsOperation {
    /// Nothing (NULL).
    Null,
    /// A record (READ).
    Read,
    /// That a record is written (WRITE, unstable). At the end comes one COMMIT.
    Write,
}

/// A client that goes through a file record by record, from its start again at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NfsRecords {
    /// The server.
    pub server: IpAddr,
    /// Its ports of NFS and of the mount protocol.
    pub ports: [u16; 2],
    /// What it exports.
    pub export: String,
    /// Name of the file in there.
    pub file: String,
    /// Bytes of the file, whole records.
    pub file_bytes: u64,
    /// Bytes of a record.
    pub record_bytes: u32,
    /// What is asked for.
    pub operation: NfsOperation,
    /// How long calls are timed, milliseconds.
    pub timed_ms: u64,
    /// How long calls are made before and after that, milliseconds. Other clients begin a little earlier or later.
    pub around_ms: u64,
}

/// What the calls of a client took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NfsTimes {
    /// Calls that were timed.
    pub calls: u64,
    /// How long that was, seconds.
    pub seconds: f64,
    /// Mean time of a call, microseconds.
    pub mean_us: f64,
    /// What half of the calls do not exceed, microseconds.
    pub p50_us: f64,
    /// What 99 % of the calls do not exceed, microseconds.
    pub p99_us: f64,
    /// Processor time of this client meanwhile, by call, microseconds.
    pub processor_us: f64,
    /// All calls of records, those before and after included.
    pub all_calls: u64,
}

impl NfsRecords {
    /// Makes the calls.
    ///
    /// # Errors
    /// A server that cannot be asked, and a file that is too short.
    pub fn run(&self) -> Result<NfsTimes, NfsError> {
        let mut client = NfsClient::mount(self.server, self.ports, &self.export)?;
        let file = client.look_up(&self.file)?;
        let mut calls = Calls {
            data: vec![1; self.record_bytes as usize],
            asked: self,
            offset: 0,
            made: 0,
        };
        let has_bytes = client.file_bytes(&file)?;
        calls.check(has_bytes, self.file_bytes, &client)?;
        let around = Duration::from_millis(self.around_ms);
        calls.make(&mut client, &file, around, &mut |_| {})?;
        let mut times_ns: Vec<u64> = Vec::new();
        let (began, used_us) = (Instant::now(), own_processor_us());
        let timed = Duration::from_millis(self.timed_ms);
        calls.make(&mut client, &file, timed, &mut |ns| times_ns.push(ns))?;
        let (seconds, used_us) = (
            began.elapsed().as_secs_f64(),
            own_processor_us().saturating_sub(used_us),
        );
        calls.make(&mut client, &file, around, &mut |_| {})?;
        if self.operation == NfsOperation::Write {
            client.commit(&file)?;
        }
        Ok(times(times_ns, (seconds, used_us), calls.made))
    }
}

/// Calls of a client so far.
struct Calls<'r> {
    asked: &'r NfsRecords,
    data: Vec<u8>,
    offset: u64,
    made: u64,
}

impl Calls<'_> {
    /// Makes calls for so long, at least one; `timed` hears of each, nanoseconds.
    fn make(
        &mut self,
        client: &mut NfsClient,
        file: &FileHandle,
        time: Duration,
        timed: &mut dyn FnMut(u64),
    ) -> Result<(), NfsError> {
        let began = Instant::now();
        let mut now = began;
        loop {
            self.one(client, file)?;
            let done = Instant::now();
            timed((done - now).as_nanos() as u64);
            now = done;
            if now - began >= time {
                return Ok(());
            }
        }
    }

    /// Makes one call.
    fn one(&mut self, client: &mut NfsClient, file: &FileHandle) -> Result<(), NfsError> {
        let bytes = u64::from(self.asked.record_bytes);
        if self.offset + bytes > self.asked.file_bytes {
            self.offset = 0;
        }
        let moved = match self.asked.operation {
            NfsOperation::Null => {
                client.null()?;
                bytes
            }
            NfsOperation::Read => {
                let data = client.read(file, self.offset, self.asked.record_bytes)?;
                data.len() as u64
            }
            NfsOperation::Write => client.write(file, self.offset, &self.data)?,
        };
        self.offset += bytes;
        self.made += 1;
        self.check(moved, bytes, client)
    }

    /// Refuses less than is wanted.
    fn check(&self, has_bytes: u64, wanted_bytes: u64, client: &NfsClient) -> Result<(), NfsError> {
        match has_bytes >= wanted_bytes {
            true => Ok(()),
            false => Err(NfsError::Less {
                server: client.server(),
                file: self.asked.file.clone(),
                has_bytes,
                wanted_bytes,
            }),
        }
    }
}

/// Processor time of this process, microseconds.
fn own_processor_us() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000
}

/// Of calls that took so many nanoseconds each, in so many seconds and microseconds of a processor. There is at least one.
fn times(mut times_ns: Vec<u64>, (seconds, used_us): (f64, u64), all_calls: u64) -> NfsTimes {
    times_ns.sort_unstable();
    let calls = times_ns.len().max(1) as f64;
    let at = |share: f64| {
        let place = (share * calls).ceil() as usize;
        let ns = times_ns.get(place.saturating_sub(1)).copied();
        ns.unwrap_or_default() as f64 / 1e3
    };
    NfsTimes {
        calls: times_ns.len() as u64,
        seconds,
        mean_us: times_ns.iter().sum::<u64>() as f64 / calls / 1e3,
        p50_us: at(0.5),
        p99_us: at(0.99),
        processor_us: used_us as f64 / calls,
        all_calls,
    }
}
