//! What a request costs, by single requests for files that no site has.

use crate::DemoError;
use crate::server::{Server, Site};
use hotset_machine::OnFile;
use hotset_probe::FileSet;
use hotset_replay::Client;
use hotset_scenario::CostLine;
use rustix::fs::{Mode, OFlags, open, syncfs};
use std::path::Path;
use std::time::{Duration, Instant};

/// Sizes of the files, bytes: from the small ones of the shop to the largest videos.
const SIZES: [u64; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];
/// Files of each size.
const FILES: usize = 8;
/// Each file is asked for so often, or until that has taken so long: what other programs do to a request comes and goes.
const MOST_ROUNDS: usize = 32;
const LONGEST: Duration = Duration::from_secs(2);
/// The longest that an answer may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// The only site's name.
const SITE: &str = "tried";

/// What a request takes by the size of its file, from sending it to the last byte of the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// The file is in memory.
    pub memory: CostLine,
    /// It is read from disk, past the page cache.
    pub disk: CostLine,
    /// Requests that the lines were fitted to.
    pub requests: u64,
}

impl Costs {
    /// Asks for files of its own in `folder`, one after the other.
    pub(crate) fn measure(folder: &Path) -> Result<Self, DemoError> {
        let set = FileSet {
            folder: folder.join(SITE),
            sizes: SIZES.to_vec(),
            files: FILES,
        };
        set.write()?;
        settle(folder)?;
        let mut disk = Asker::of(&set, &folder.join("nothing"))?;
        let mut memory = Asker::of(&set, &set.folder)?;
        // From now on all are in memory.
        memory.ask()?;
        memory.times.clear();
        let begun = Instant::now();
        for _ in 0..MOST_ROUNDS {
            disk.ask()?;
            memory.ask()?;
            if begun.elapsed() > LONGEST {
                break;
            }
        }
        let (disk, memory) = (disk.times, memory.times);
        Ok(Self {
            requests: (disk.len() + memory.len()) as u64,
            memory: line(memory)?,
            disk: line(disk)?,
        })
    }
}

/// Has everything that was written to a file system go to its disk, so that no request waits for that.
pub(crate) fn settle(folder: &Path) -> Result<(), DemoError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let handle = open(folder, flags, Mode::empty()).on("open", folder)?;
    Ok(syncfs(&handle).on("write out", folder)?)
}

/// Asks a server of its own for the files of a set.
struct Asker<'a> {
    set: &'a FileSet,
    client: Client,
    /// Size and time, in microseconds, of each request.
    times: Vec<(u64, f64)>,
}

impl<'a> Asker<'a> {
    /// `hot` is where the server looks first.
    fn of(set: &'a FileSet, hot: &Path) -> Result<Self, DemoError> {
        let server = Server::start(vec![Site {
            name: SITE.to_owned(),
            hot: hot.to_owned(),
            files: set.folder.clone(),
        }])?;
        Ok(Self {
            set,
            client: Client::connect(server.address(), SITE, PATIENCE)?,
            times: Vec::new(),
        })
    }

    /// Asks for each file once.
    fn ask(&mut self) -> Result<(), DemoError> {
        for number in 0..self.set.files {
            for &bytes in &self.set.sizes {
                let answer = self.client.get(&format!("/{bytes}/{number}"), bytes)?;
                self.times.push((bytes, answer.total.as_secs_f64() * 1e6));
            }
        }
        Ok(())
    }
}

fn line(times: Vec<(u64, f64)>) -> Result<CostLine, DemoError> {
    let fitted = CostLine::fit(times);
    fitted.ok_or_else(|| DemoError::Unusable("the single requests took no time".to_owned()))
}
