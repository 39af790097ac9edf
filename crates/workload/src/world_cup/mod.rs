//! A day of the web site of the 1998 World Cup.
//!
//! - How many requests each day had, and each minute of the busiest day, was counted in the site's public logs. `days.csv` and `minutes.csv` say by whom.
//! - Types, sizes and popularity of the files are those of 1 May, counted in a sample of that day's log. `files.csv` says which. All days are taken to
//!   have them.
//! - How many answers are *Not Modified* is published in M. Arlitt, T. Jin: "A workload characterization study of the 1998 World Cup Web site", IEEE
//!   Network 14(3), 2000. So is that a tenth of the requests are for HTML, which the files meet.
//!
//! Logs: M. Arlitt and T. Jin, "1998 World Cup Web Site Access Logs", August 1998.

mod day;
mod site_files;
mod table;

use rand::{RngExt, SeedableRng};
use rand_distr::Distribution;
use rand_pcg::Pcg64Mcg;

use crate::arrivals::{Arrivals, CLIENTS};
use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::load::Load;
use crate::single_site::{addresses, check_bytes, numbered_files, request, whole_file};
use crate::zipf::Zipf;
use hotset_trace::{Objects, Request, Requests, Trace};

use day::SECONDS_OF_DAY;

pub use day::WorldCupDay;

const MINUTE_US: i64 = 60_000_000;

/// Share of the answers that are *Not Modified*: "almost 19 percent of all responses" (Arlitt and Jin, introduction). On 1 May it was 13 %.
const NOT_MODIFIED: f64 = 0.19;

/// A day of the site. Of 30 June all minutes have their share of the requests. Other days have its shape, as steep as their busiest minute says: assumed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldCup {
    /// Which day.
    pub day: WorldCupDay,
    /// Share of each minute's requests, above 0 and at most 1.
    pub scale: f64,
    /// Its files and their popularity.
    pub files: WorldCupFiles,
}

/// What files there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorldCupFiles {
    /// Those of the site. 19 % of the answers are *Not Modified*, and read no file. The first one for a file never is.
    Counted,
    /// Others, all of whose requests read them. How many requests arrive how fast is the day's.
    Zipf(Zipf),
}

/// How a request for a file is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Whole,
    NotModified,
}

impl WorldCup {
    /// How many requests there are.
    #[must_use]
    pub fn requests(&self) -> u64 {
        (self.day.requests as f64 * self.scale).round() as u64
    }

    /// How many files there are.
    #[must_use]
    pub fn objects(&self) -> u64 {
        match self.files {
            WorldCupFiles::Counted => site_files::count(),
            WorldCupFiles::Zipf(files) => files.objects.into(),
        }
    }

    /// The requests of the day, each for what `asks` says.
    fn trace(
        &self,
        seed: u64,
        objects: Objects,
        mut asks: impl FnMut(&mut Pcg64Mcg) -> (u32, Answer),
    ) -> Result<Trace, GenerateError> {
        let load = Load {
            requests: self.requests(),
            rate_per_second: self.requests() as f64 / SECONDS_OF_DAY as f64,
            start_us: self.day.start_us(),
        };
        load.check()?;
        check_bytes(&objects, load.requests)?;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        // Of these only who asks is taken.
        let mut visits = Arrivals::new(load, seed);
        let mut requests = Requests::default();
        let by_minute = self.day.by_minute(self.requests() as f64);
        for (minute, count) in by_minute.into_iter().enumerate() {
            let start_us = load.start_us + minute as i64 * MINUTE_US;
            let mut times: Vec<i64> = (0..count)
                .map(|_| start_us + random.random_range(0..MINUTE_US))
                .collect();
            times.sort_unstable();
            for time_us in times {
                let (_, client) = visits.next(&mut random);
                let (object, answer) = asks(&mut random);
                let whole = request(time_us, client, whole_file(object, &objects.size));
                requests.push(match answer {
                    Answer::Whole => whole,
                    Answer::NotModified => not_modified(whole),
                });
            }
        }
        Ok(Trace {
            sites: vec!["world-cup".to_owned()],
            clients: addresses(CLIENTS),
            objects,
            requests,
            ..Trace::default()
        })
    }
}

/// The same where the client has the file, and is told so.
fn not_modified(whole: Request) -> Request {
    Request {
        bytes: 0,
        status: 304,
        access: false,
        ..whole
    }
}

impl Generator for WorldCup {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        require(
            self.scale > 0.0 && self.scale <= 1.0 && self.requests() > 0,
            "scale",
            self.scale,
            "above 0 and at most 1, and leave a request",
        )?;
        match self.files {
            WorldCupFiles::Counted => {
                let (objects, asked) = site_files::files(seed)?;
                let mut was_sent = vec![false; objects.len()];
                self.trace(seed, objects, |random| {
                    let file = asked.sample(random);
                    let is_unchanged = random.random_bool(NOT_MODIFIED);
                    // Nobody has what was never sent.
                    let again = std::mem::replace(&mut was_sent[file], true);
                    let answer = match again && is_unchanged {
                        true => Answer::NotModified,
                        false => Answer::Whole,
                    };
                    (file as u32, answer)
                })
            }
            WorldCupFiles::Zipf(files) => {
                let sizes = files.sizes(seed)?;
                let rank = files.ranks()?;
                let objects = numbered_files(sizes);
                self.trace(seed, objects, |random| (rank(random), Answer::Whole))
            }
        }
    }
}
