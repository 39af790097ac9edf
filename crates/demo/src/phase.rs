//! All requests once, before or after the plan is applied.

use crate::costs::PATIENCE;
use crate::job::Job;
use crate::requests::Requests;
use crate::server::{Answers, Server};
use crate::{DemoError, Figures};
use hotset_replay::{
    ClosedLoad, Endpoint, HostHeader, Load, Metrics, Observer, Options, Pause, Progress,
    ReplayResult, replay,
};

/// What the client has measured, and where the server has found the files.
pub(crate) struct Phase {
    replayed: ReplayResult,
    answered: Vec<Answers>,
}

impl Phase {
    /// Sends them.
    pub fn of(job: &Job, requests: &Requests, server: &Server) -> Result<Self, DemoError> {
        let endpoint = Endpoint::resolve(&format!("http://{}", server.address()))?;
        let options = Options {
            host: HostHeader::Site,
            // One that waits for its answers: nothing stands in a queue, and a mean is that of the server's work.
            load: Load::Closed(ClosedLoad {
                clients: 1,
                pause: Pause::NONE,
                duration: None,
            }),
            response_timeout: PATIENCE,
            ..Options::new(endpoint)
        };
        let earlier = server.answers();
        let replayed = replay(&requests.schedule(), &options, &Ear(job.interrupted))?;
        check(&replayed)?;
        let now = server.answers().into_iter().zip(earlier);
        let since = now.map(|(now, earlier)| Answers {
            from_memory: now.from_memory - earlier.from_memory,
            from_disk: now.from_disk - earlier.from_disk,
        });
        Ok(Self {
            replayed,
            answered: since.collect(),
        })
    }

    /// What was measured of each site and then of all together; none of what has no requests.
    pub fn beside(&self, after: &Self) -> Vec<Option<Figures>> {
        let figures = |before: &Metrics, of: &Metrics, answered: Answers| {
            let all = answered.from_memory + answered.from_disk;
            Some(Figures {
                hit_ratio: answered.from_memory as f64 / all as f64,
                before_us: before.total.mean_us()?,
                after_us: of.total.mean_us()?,
            })
        };
        let sites = self.replayed.sites.iter().zip(&after.replayed.sites);
        let sites = sites.zip(&after.answered);
        let mut all: Vec<_> = sites
            .map(|(((_, before), (_, after)), answered)| figures(before, after, *answered))
            .collect();
        let answered = after.answered.iter();
        let answered = answered.fold(Answers::default(), |sum, site| Answers {
            from_memory: sum.from_memory + site.from_memory,
            from_disk: sum.from_disk + site.from_disk,
        });
        let (before, after) = (&self.replayed.total, &after.replayed.total);
        all.push(figures(before, after, answered));
        all
    }
}

fn check(replayed: &ReplayResult) -> Result<(), DemoError> {
    if replayed.interrupted {
        return Err(DemoError::Interrupted);
    }
    let (errors, wrong) = (replayed.total.errors.total(), replayed.total.wrong_length);
    match errors + wrong {
        0 => Ok(()),
        _ => Err(DemoError::Unusable(format!(
            "{errors} requests failed, and {wrong} answers have another length than their files"
        ))),
    }
}

/// Listens to the caller's wish to stop.
struct Ear<'a>(&'a (dyn Fn() -> bool + Sync));

impl Observer for Ear<'_> {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        (self.0)()
    }
}
