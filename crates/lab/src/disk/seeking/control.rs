//! Telling the drive's process what to do, over a socket: one line there, one line back.

use super::array::Array;
use super::statistics::Statistics;
use hotset_machine::{MachineError, OnFile};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);

/// What can be asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    Delays(bool),
    /// To be so many times as fast as its model.
    Speed(f64),
    Statistics,
}

impl Ask {
    pub fn line(self) -> String {
        match self {
            Self::Delays(true) => "delays on".to_owned(),
            Self::Delays(false) => "delays off".to_owned(),
            Self::Speed(speed) => format!("speed {speed}"),
            Self::Statistics => "statistics".to_owned(),
        }
    }

    fn parse(line: &str) -> Option<Self> {
        if let Some(speed) = line.strip_prefix("speed ") {
            let speed: f64 = speed.parse().ok()?;
            return (speed.is_finite() && speed > 0.0).then_some(Self::Speed(speed));
        }
        [Self::Delays(true), Self::Delays(false), Self::Statistics]
            .into_iter()
            .find(|ask| ask.line() == line)
    }
}

/// Asks the drive at `socket`; it answers everything with its statistics.
pub(super) fn ask(socket: &Path, ask: Ask) -> Result<Statistics, MachineError> {
    let answer = exchange(socket, ask).on("ask the drive at", socket)?;
    serde_json::from_str(&answer).map_err(|error| MachineError::Unreadable {
        path: socket.to_owned(),
        problem: error.to_string(),
    })
}

fn exchange(socket: &Path, ask: Ask) -> io::Result<String> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    writeln!(stream, "{}", ask.line())?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer)?;
    Ok(answer)
}

/// Answers until the process ends.
pub(super) fn answer(listener: &UnixListener, array: &Array) {
    for stream in listener.incoming().flatten() {
        // Somebody who goes away before the answer does not need it.
        let _gone = reply(stream, array);
    }
}

fn reply(stream: UnixStream, array: &Array) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    match Ask::parse(line.trim_end()) {
        Some(Ask::Delays(on)) => array.set_delays(on),
        Some(Ask::Speed(speed)) => array.set_speed(speed),
        Some(Ask::Statistics) => {}
        None => return Err(io::ErrorKind::InvalidInput.into()),
    }
    let mut text = serde_json::to_string(&array.statistics())?;
    text.push('\n');
    (&stream).write_all(text.as_bytes())
}
