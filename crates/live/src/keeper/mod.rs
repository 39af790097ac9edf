//! Brings what is held in line with what is wanted, again and again.
//!
//! | deed | place |
//! | --- | --- |
//! | when files are looked at, and how late a change is known of | `look_schedule.rs` |
//! | what is made for the server's memory group; a server that was started anew | `server_group.rs` |
//! | looking at files, and carrying out what is decided about them | `placing.rs` |
//! | what is decided | `changes/decide.rs` |
//! | which files are placed at once, and which wait | `pacing.rs` |
//! | whether copies are read, or the files themselves | `copy_watch.rs` |

mod copy_watch;
mod look_schedule;
mod placing;
mod server_group;

use crate::apache;
use crate::changes::{Affordable, Change, Hold, Holdings, Observation, decide};
use crate::context::Context;
use crate::copy_reads::CopyReads;
use crate::pacing::Pacing;
use crate::placer::{self, Placer};
use crate::pools::Pools;
use crate::request::Pace;
use crate::sites::MissingRoot;
use crate::state::{Charge, State};
use crate::{LiveError, PathWatch, Request, Room, Sites};
use hotset_machine::ProcessIdentity;
use hotset_machine::cgroup::MemoryGroup;
pub use look_schedule::{LookResult, LookSchedule};
use rustix::io::Errno;
use server_group::ServerGroup;
use std::collections::HashSet;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

const KILLED: &str = "the server's memory group was so full that the kernel has killed a process in it: what there is room for is held again";

/// What is said of a root that is missing.
fn missing_root(MissingRoot { folder, why }: &MissingRoot) -> String {
    let why = match why {
        &Errno::NOENT | &Errno::NOTDIR => "is missing or no folder".to_owned(),
        why => format!("cannot be opened ({why})"),
    };
    format!(
        "the root of site {}, {}, {why}: nothing of it can be held",
        folder.site,
        folder.folder.display()
    )
}

/// Has buffer pools be as the request wants them. Whoever waits for it is told what fails. Else it is a fault, and files are held all the
/// same.
///
/// # Errors
/// What fails, where somebody waits.
fn resize(pools: &mut Pools<'_>, request: &Request) -> Result<Option<String>, LiveError> {
    match (pools.resize(&request.pools), request.pace) {
        (Err(error), Pace::AtOnce) => Err(error),
        (resized, _) => Ok(resized.err().map(|error| error.to_string())),
    }
}

/// Where the kernel tells of changes, and from when on that is listened to.
#[derive(Clone, Copy)]
pub(crate) struct News<'k> {
    pub descriptor: BorrowedFd<'k>,
    pub from: Instant,
}

/// What is wanted, and what holds it.
pub(crate) struct Keeper<'l> {
    began: Instant,
    request: Request,
    placer: Box<dyn Placer + 'l>,
    server: ServerGroup<'l>,
    pools: Pools<'l>,
    /// Why buffer pools are not as they are wanted.
    pools_fault: Option<String>,
    context: Context<'l>,
    holdings: Holdings,
    budget_bytes: u64,
    charge: Option<Charge>,
    watch: PathWatch,
    /// Whether paths may lead elsewhere than what is watched.
    leads_elsewhere: bool,
    /// Whether something has happened to files since they were looked at.
    has_noticed: bool,
    schedule: LookSchedule,
    pacing: Pacing,
    /// The processes that held after the last pass.
    workers: Vec<ProcessIdentity>,
    /// What is wrong beside single files.
    faults: Vec<String>,
    /// Roots that were missing when files were looked at last.
    missing_roots: Vec<MissingRoot>,
    copy_reads: CopyReads,
    /// When copies are watched anew.
    next_round: Duration,
}

impl<'l> Keeper<'l> {
    /// Holds nothing yet.
    ///
    /// # Errors
    /// When the server does not run.
    pub fn new(request: Request, context: Context<'l>) -> Result<Self, LiveError> {
        let mut server = ServerGroup::new(request.server.clone(), context)?;
        let placer = placer::make(request.placer, server.server.as_ref(), context)?;
        server.resize(request.group)?;
        server.renew()?;
        server.has_killed();
        let mut pools = Pools::of_none(context.ledger);
        let pools_fault = resize(&mut pools, &request)?;
        let mut schedule = LookSchedule::default();
        schedule.restart(request.staleness, Duration::ZERO);
        Ok(Self {
            began: Instant::now(),
            placer,
            server,
            pools,
            pools_fault,
            holdings: Holdings::of_none(request.files.len()),
            request,
            context,
            budget_bytes: 0,
            charge: None,
            watch: PathWatch::default(),
            leads_elsewhere: false,
            has_noticed: false,
            schedule,
            pacing: Pacing::default(),
            workers: Vec::new(),
            faults: Vec::new(),
            missing_roots: Vec::new(),
            copy_reads: CopyReads::default(),
            next_round: Duration::ZERO,
        })
    }

    /// Takes another request of the same placer for the same server: what both hold stays held.
    ///
    /// # Errors
    /// When it is of another placer or server, which would need everything to be placed anew.
    pub fn change(&mut self, request: Request) -> Result<(), LiveError> {
        if (request.placer, &request.server) != (self.request.placer, &self.request.server) {
            return Err(self.context.folder.holds_otherwise());
        }
        self.server.resize(request.group)?;
        self.pools_fault = resize(&mut self.pools, &request)?;
        let holdings = std::mem::take(&mut self.holdings);
        self.holdings = holdings.carried_over(&self.request.files, &request.files);
        self.schedule.restart(request.staleness, self.now());
        self.request = request;
        // What is placed from now on is another placing.
        self.charge = None;
        Ok(())
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// Where it shows at once that a worker is gone.
    pub fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        self.placer.sockets()
    }

    /// From one pass to the next.
    pub fn interval(&self) -> Duration {
        self.schedule.interval(self.pacing.wait(self.now()))
    }

    /// Where the kernel tells of changes; none where nothing can be watched.
    pub fn news(&self) -> Option<News<'_>> {
        Some(News {
            descriptor: self.watch.descriptor()?,
            from: self.began + self.schedule.listens_from(),
        })
    }

    /// Whether something has happened to files since this was asked last.
    pub fn has_news(&mut self) -> bool {
        self.has_noticed |= self.watch.has_news();
        self.schedule.rest(self.now());
        self.has_noticed
    }

    /// Sees to the server, and where something may have happened to files looks at each: holds what is not held, holds anew what
    /// was replaced, gives up what is gone. Whether anything has changed.
    ///
    /// # Errors
    /// When the roots or the machine's memory cannot be looked at.
    pub fn pass(&mut self) -> Result<bool, LiveError> {
        self.copy_reads.note(false);
        let passed = self.pass_over_files();
        self.watch_copies();
        passed
    }

    /// A pass has failed: whether that is news.
    pub fn note_failure(&mut self, error: &LiveError) -> bool {
        let faults = vec![error.to_string()];
        let is_news = faults != self.faults;
        self.faults = faults;
        is_news
    }

    fn pass_over_files(&mut self) -> Result<bool, LiveError> {
        let placer = &mut self.placer;
        let followed = self.server.follow(|server| placer.move_to(server));
        let moved = matches!(followed, Ok(true));
        if moved {
            self.holdings.forget_all();
        }
        let faults = [followed.err(), self.server.renew().err()].into_iter();
        let faults = faults.flatten().map(|fault| fault.to_string());
        let missing = self.missing_roots.iter().map(missing_root);
        let faults = faults.chain(missing).chain(self.unread_copies());
        let faults = faults.chain(self.pools_fault.clone()).collect();
        let mut changed = moved || faults != self.faults;
        self.faults = faults;
        let lost: HashSet<u64> = self.placer.take_lost().into_iter().collect();
        self.holdings.forget(&lost);
        changed |= !lost.is_empty();
        // What was too full a moment ago is not filled again before it is known what takes the memory.
        if self.server.has_killed() {
            self.faults.push(KILLED.to_owned());
            return Ok(true);
        }
        changed |= self.make_room()?;
        let is_asked = self.needs_look();
        if is_asked || self.schedule.is_time(self.now()) {
            let looked = self.look()?;
            self.leads_elsewhere |= is_asked || looked;
            changed |= looked;
        }
        let workers = self.placer.workers();
        changed |= workers != self.workers;
        self.workers = workers;
        self.schedule.rest(self.now());
        let is_watched = self.watch.descriptor().is_some();
        let is_placing = self.pacing.is_unfinished();
        let has_other_bound =
            (self.schedule).renew_bound(self.request.placer, is_watched, is_placing);
        Ok(changed | has_other_bound)
    }

    /// Gives up the least valuable files when others have taken half of the headroom. Whether there were some.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn make_room(&mut self) -> Result<bool, LiveError> {
        let room = Room::of(self.group())?;
        let Some(affordable) = Affordable::in_need(self.holdings.held_bytes(), room) else {
            return Ok(false);
        };
        let unseen = vec![Observation::Unseen; self.request.files.len()];
        let changes = decide(&self.request.files, &self.holdings, &unseen, affordable);
        let is_release =
            |change: &&Change| matches!(change, Change::Drop { .. } | Change::LeaveOut { .. });
        let mut given_up = false;
        for change in changes.iter().filter(is_release) {
            self.give_up(change);
            given_up = true;
        }
        if given_up {
            self.placer.settle();
        }
        Ok(given_up)
    }

    /// Whether files may be other than when they were looked at last, as far as the kernel tells and hotset knows.
    fn needs_look(&mut self) -> bool {
        let has_noticed = std::mem::take(&mut self.has_noticed);
        has_noticed
            || self.pacing.is_unfinished()
            || self.watch.has_news()
            || self.schedule.is_due(self.interval(), self.now())
            || !self.holdings.holds.iter().all(Hold::is_settled)
    }

    /// Watches what was looked at, where it may lead elsewhere than before. What was not watched meanwhile is looked at again.
    ///
    /// # Errors
    /// When the roots cannot be looked at.
    pub fn watch_paths(&mut self) -> Result<(), LiveError> {
        if self.schedule.changes_unseen() || !self.leads_elsewhere {
            return Ok(());
        }
        let sites = Sites::open(&self.request.folders, &self.request.owners)?;
        let wanted = || self.request.files.iter();
        let paths = wanted().flat_map(|file| sites.paths_behind(&file.site, &file.path.0));
        let rules = match self.heeds_rules() {
            true => apache::rules_above(&sites, wanted()),
            false => HashSet::new(),
        };
        if self.watch.cover(paths.chain(rules)) {
            self.schedule.look_again(self.now());
        }
        self.leads_elsewhere = false;
        Ok(())
    }

    /// Whether files are left out whose copies would not be served as they are.
    fn heeds_rules(&self) -> bool {
        apache::may_serve_copies(&self.request, self.server.server.as_ref())
    }

    /// The server's group, where it has one.
    pub fn group(&self) -> Option<&MemoryGroup> {
        self.server.group()
    }

    fn counted_bytes(&self) -> Option<u64> {
        self.placer.counted_as().of(self.group()?).ok()
    }

    /// What is held now, to be written down.
    pub fn state(&self) -> Result<State, LiveError> {
        Ok(State {
            version: State::VERSION,
            guardian: ProcessIdentity::current()?,
            workers: self.placer.workers(),
            placer: self.request.placer,
            server: self.request.server.clone(),
            folders: self.request.folders.clone(),
            owners: self.request.owners.clone(),
            budget_bytes: self.budget_bytes,
            staleness_ms: self.schedule.bound().map(|bound| bound.as_millis() as u64),
            is_unfinished: self.pacing.is_unfinished(),
            faults: self.faults.clone(),
            charge: self.charge.clone(),
            pools: self.request.pools.clone(),
            files: (self.holdings).file_states(&self.request.files, |holding| {
                // Another name of a file is held by whoever holds that file.
                self.placer.holder(holding.shares.unwrap_or(holding.number))
            }),
        })
    }
}
