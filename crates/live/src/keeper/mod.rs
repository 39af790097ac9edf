//! Brings what is held in line with what is wanted, again and again.

mod placing;

use crate::apache;
use crate::brake::Brake;
use crate::context::Context;
use crate::guarantee::Guarantee;
use crate::placer::{self, Placer};
use crate::server::Claim;
use crate::state::{Charge, FileState, FileStatus, State};
use crate::watch::Watch;
use crate::{Identity, LiveError, PlacerKind, Refusal, Request, Room, Server, Sites, WantedFile};
use hotset_machine::ProcessIdentity;
use hotset_machine::cgroup::MemoryGroup;
use std::collections::{HashMap, HashSet};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// Where nothing is said to have happened to files, they are looked at so often all the same: the kernel does not tell of
/// writes through mappings.
const UNASKED_LOOK: Duration = Duration::from_secs(30);

const KILLED: &str = "the server's memory group was so full that the kernel has killed a process in it: what there is room for is held again";

/// The longest from one pass to the next: a server that was started anew, and room that is short, are seen to in a pass.
const PASS_INTERVAL: Duration = Duration::from_secs(1);
/// The least time from one pass to the next that news give rise to.
const NEWS_SPACING: Duration = Duration::from_millis(100);
/// A look takes at most a fifth of the time, however often files are said to have changed.
const REST: u32 = 4;

/// Where the kernel tells of changes, and from when on that is listened to.
#[derive(Clone, Copy)]
pub(crate) struct News<'k> {
    pub descriptor: BorrowedFd<'k>,
    pub from: Instant,
}

/// A wanted file and what has become of it.
struct Entry {
    wanted: WantedFile,
    /// Whether it was held at any time since the plan was applied.
    was_held: bool,
    status: Status,
}

enum Status {
    /// Not looked at yet, or lost.
    Open,
    /// Held under a number.
    Held {
        number: u64,
        identity: Identity,
    },
    /// Another name of a file that is held.
    Shared(Identity),
    LeftOut(Refusal),
}

/// What is wanted, and what holds it.
pub(crate) struct Keeper<'l> {
    request: Request,
    placer: Box<dyn Placer + 'l>,
    guarantee: Option<Guarantee<'l>>,
    /// The guarantee is made on top of it, and goes first.
    brake: Option<Brake<'l>>,
    context: Context<'l>,
    server: Option<Server>,
    /// Keeps other states from the server.
    #[allow(dead_code, reason = "it is held, not read")]
    claim: Option<Claim>,
    entries: Vec<Entry>,
    next_number: u64,
    budget_bytes: u64,
    charge: Option<Charge>,
    watch: Watch,
    /// Whether paths may lead elsewhere than what is watched.
    leads_elsewhere: bool,
    /// Whether files may change without the kernel's telling.
    changes_unseen: bool,
    /// Whether nothing bounds how late a change is known of.
    is_unbounded: bool,
    /// When all files are looked at, whatever the kernel tells.
    next_look: Instant,
    /// Whether something has happened to files since they were looked at.
    has_noticed: bool,
    /// When news are listened to again.
    listens_from: Instant,
    /// When files were looked at last.
    looked: Instant,
    /// What that took, without the placing of files that were not held before.
    look_took: Duration,
    /// What that placing took.
    placing_took: Duration,
    /// Whether files that there is room for are still to be placed.
    is_unfinished: bool,
    /// When more of them are placed.
    goes_on: Instant,
    /// When files that are not in memory are read again.
    reads_from: Instant,
    /// The bound on what is stale that was written down last.
    staleness: Option<Duration>,
    /// Processes of the group that the kernel has killed.
    kills: u64,
    /// The processes that held after the last pass.
    workers: Vec<ProcessIdentity>,
    /// What is wrong beside single files.
    faults: Vec<String>,
}

impl<'l> Keeper<'l> {
    /// Holds nothing yet.
    ///
    /// # Errors
    /// When the server does not run.
    pub fn new(request: Request, context: Context<'l>) -> Result<Self, LiveError> {
        let server = request
            .server
            .as_ref()
            .map(|name| name.find())
            .transpose()?;
        let state = context.folder.path();
        let claim = (server.as_ref()).map(|server| server.claim(state));
        let mut keeper = Self {
            placer: placer::make(request.placer, server.as_ref(), context)?,
            entries: entries(&request.files),
            request,
            brake: None,
            guarantee: None,
            context,
            server,
            claim: claim.transpose()?.flatten(),
            next_number: 1,
            budget_bytes: 0,
            charge: None,
            watch: Watch::new(),
            leads_elsewhere: false,
            changes_unseen: false,
            is_unbounded: false,
            next_look: Instant::now(),
            has_noticed: false,
            listens_from: Instant::now(),
            looked: Instant::now(),
            look_took: Duration::ZERO,
            placing_took: Duration::ZERO,
            is_unfinished: false,
            goes_on: Instant::now(),
            reads_from: Instant::now(),
            staleness: None,
            kills: 0,
            workers: Vec::new(),
            faults: Vec::new(),
        };
        keeper.renew_guarantee()?;
        keeper.has_killed();
        Ok(keeper)
    }

    /// Takes another request of the same placer for the same server: what both hold stays held.
    ///
    /// # Errors
    /// When it is of another placer or server, which would need everything to be placed anew.
    pub fn change(&mut self, request: Request) -> Result<(), LiveError> {
        if (request.placer, &request.server) != (self.request.placer, &self.request.server) {
            return Err(self.context.folder.holds_otherwise());
        }
        if request.group != self.request.group {
            self.guarantee = None;
            self.request.group = request.group;
            self.renew_guarantee()?;
        }
        let mut before: HashMap<WantedFile, Status> = HashMap::new();
        let mut superfluous = Vec::new();
        for entry in self.entries.drain(..) {
            // A plan may name a file twice.
            superfluous.extend(before.insert(entry.wanted, entry.status));
        }
        self.entries = entries(&request.files);
        for entry in &mut self.entries {
            entry.status = before.remove(&entry.wanted).unwrap_or(Status::Open);
        }
        superfluous.extend(before.into_values());
        for status in superfluous {
            if let Status::Held { number, .. } = status {
                self.placer.release(number);
            }
        }
        self.request = request;
        // What is placed from now on is another placing.
        self.charge = None;
        self.next_look = Instant::now();
        Ok(())
    }

    /// Where it shows at once that a worker is gone.
    pub fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        self.placer.sockets()
    }

    /// From one pass to the next.
    pub fn interval(&self) -> Duration {
        let longest = PASS_INTERVAL.min(self.look_interval());
        match self.is_unfinished {
            true => longest.min(self.goes_on.saturating_duration_since(Instant::now())),
            false => longest,
        }
    }

    /// From one look to the next where the kernel does not tell of changes: half of the time is for the look itself.
    fn look_interval(&self) -> Duration {
        self.request.staleness / 2
    }

    /// Whether files may have changed unseen, and the next pass would come too late to look.
    fn is_due(&self) -> bool {
        self.changes_unseen && self.looked.elapsed() + self.interval() > self.look_interval()
    }

    /// Where the kernel tells of changes; none where nothing can be watched.
    pub fn news(&self) -> Option<News<'_>> {
        Some(News {
            descriptor: self.watch.descriptor()?,
            from: self.listens_from,
        })
    }

    /// Whether something has happened to files since this was asked last.
    pub fn has_news(&mut self) -> bool {
        self.has_noticed |= self.watch.has_news();
        self.rest();
        self.has_noticed
    }

    fn rest(&mut self) {
        self.listens_from = Instant::now() + self.spacing();
    }

    fn spacing(&self) -> Duration {
        NEWS_SPACING.max(REST * self.look_took)
    }

    /// For how long an answer may be older than the file on disk because of what is held; none where nothing bounds it.
    ///
    /// A pinned file is the file itself. Of copies it is the wait for the next look and the look. The kernel does not tell of
    /// writes through mappings.
    fn bound(&self) -> Option<Duration> {
        let wait = match (self.request.placer, self.watch.descriptor()) {
            (PlacerKind::Pin, _) => return Some(Duration::ZERO),
            (_, Some(_)) if !self.changes_unseen => self.spacing(),
            _ => self.look_interval(),
        };
        let placing = match self.is_unfinished {
            true => self.placing_took,
            false => Duration::ZERO,
        };
        (!self.is_unbounded).then(|| wait + self.look_took + placing)
    }

    /// Whether the bound is to be written down anew. It follows how long looks take, and is not written for every twitch of that.
    fn has_other_bound(&mut self) -> bool {
        let bound = self.bound();
        let is_near =
            |(old, new): (Duration, Duration)| new <= old && old <= 2 * new + NEWS_SPACING;
        if self.staleness == bound || self.staleness.zip(bound).is_some_and(is_near) {
            return false;
        }
        self.staleness = bound;
        true
    }

    /// Sees to the server, and where something may have happened to files looks at each: holds what is not held, holds anew what
    /// was replaced, gives up what is gone. Whether anything has changed.
    ///
    /// # Errors
    /// When the roots or the machine's memory cannot be looked at.
    pub fn pass(&mut self) -> Result<bool, LiveError> {
        let followed = self.follow_server();
        let moved = matches!(followed, Ok(true));
        let faults = [followed.err(), self.renew_guarantee().err()].into_iter();
        let faults = faults.flatten().map(|fault| fault.to_string()).collect();
        let mut changed = moved || faults != self.faults;
        self.faults = faults;
        changed |= self.forget_lost();
        // What was too full a moment ago is not filled again before it is known what takes the memory.
        if self.has_killed() {
            self.faults.push(KILLED.to_owned());
            return Ok(true);
        }
        changed |= self.make_room()?;
        let is_asked = self.needs_look();
        if is_asked || Instant::now() >= self.next_look {
            let looked = self.look()?;
            self.leads_elsewhere |= is_asked || looked;
            changed |= looked;
        }
        let workers = self.placer.workers();
        changed |= workers != self.workers;
        self.workers = workers;
        self.rest();
        Ok(changed | self.has_other_bound())
    }

    /// Gives up the least valuable files when others have taken half of the headroom. Whether there were some.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn make_room(&mut self) -> Result<bool, LiveError> {
        let room = Room::of(self.group())?;
        Ok(self.give_up(room))
    }

    /// Whether the kernel has killed a process of the group since this was asked last.
    fn has_killed(&mut self) -> bool {
        let kills = self.group().and_then(|group| group.kills().ok());
        let before = std::mem::replace(&mut self.kills, kills.unwrap_or(0));
        self.kills > before
    }

    /// Whether files may be other than when they were looked at last, as far as the kernel tells and hotset knows.
    fn needs_look(&mut self) -> bool {
        let is_settled = |entry: &Entry| match &entry.status {
            Status::Open => false,
            Status::Held { .. } | Status::Shared(_) => true,
            Status::LeftOut(refusal) => refusal.is_of_the_path(),
        };
        let has_noticed = std::mem::take(&mut self.has_noticed);
        has_noticed
            || self.is_unfinished
            || self.watch.has_news()
            || self.is_due()
            || !self.entries.iter().all(is_settled)
    }

    /// Watches what was looked at, where it may lead elsewhere than before. What was not watched meanwhile is looked at again.
    ///
    /// # Errors
    /// When the roots cannot be looked at.
    pub fn watch_paths(&mut self) -> Result<(), LiveError> {
        if self.changes_unseen || !self.leads_elsewhere {
            return Ok(());
        }
        let sites = Sites::open(&self.request.folders, &self.request.owners)?;
        let wanted = || self.entries.iter().map(|entry| &entry.wanted);
        let paths = wanted().flat_map(|file| sites.paths_behind(&file.site, &file.path.0));
        let rules = match self.heeds_rules() {
            true => apache::rules_above(&sites, wanted()),
            false => HashSet::new(),
        };
        if self.watch.cover(paths.chain(rules)) {
            self.next_look = Instant::now();
        }
        self.leads_elsewhere = false;
        Ok(())
    }

    /// Whether files are left out whose copies would not be served as they are.
    fn heeds_rules(&self) -> bool {
        apache::may_serve_copies(&self.request, self.server.as_ref())
    }

    /// The server's group, where it has one.
    pub fn group(&self) -> Option<&MemoryGroup> {
        self.server.as_ref()?.group.as_ref()
    }

    /// Starts anew with a server that was started anew in another group. While it is down, what it had stays held. Whether it was
    /// started anew.
    fn follow_server(&mut self) -> Result<bool, LiveError> {
        let (Some(server), Some(name)) = (&self.server, &self.request.server) else {
            return Ok(false);
        };
        if server.is_there() {
            return Ok(false);
        }
        let Ok(found) = name.find() else {
            return Ok(false);
        };
        let is_elsewhere = !found.is_at_home_with(server);
        if is_elsewhere {
            self.claim = None;
            self.claim = found.claim(self.context.folder.path())?;
            // What the old one holds goes before the new one begins.
            self.placer.move_to(&found)?;
            for entry in &mut self.entries {
                entry.status = Status::Open;
            }
        }
        self.server = Some(found);
        if is_elsewhere {
            self.has_killed();
        }
        Ok(is_elsewhere)
    }

    /// Sees to what the kernel is to guarantee the server, if anything, and to its brake. A server that is down needs neither.
    fn renew_guarantee(&mut self) -> Result<(), LiveError> {
        let server = self.server.as_ref().filter(|server| server.is_there());
        let Some(group) = server.and_then(|server| server.group.clone()) else {
            return Ok(());
        };
        let Context { ledger, folder, .. } = self.context;
        match self.brake.as_ref().filter(|brake| brake.is_for(&group)) {
            Some(brake) => brake.renew()?,
            None => {
                // What is there is for a group of another name.
                self.guarantee = None;
                self.brake = None;
                self.brake = Some(Brake::make(ledger, &group)?);
            }
        }
        match (&mut self.guarantee, self.request.group) {
            (Some(guarantee), _) => guarantee.renew()?,
            (None, Some(size)) => {
                self.guarantee = Some(Guarantee::make(ledger, &group, size, folder.path())?);
            }
            (None, None) => {}
        }
        Ok(())
    }

    fn forget_lost(&mut self) -> bool {
        let lost = self.placer.take_lost();
        for entry in &mut self.entries {
            if matches!(entry.status, Status::Held { number, .. } if lost.contains(&number)) {
                entry.status = Status::Open;
            }
        }
        !lost.is_empty()
    }

    fn give_up(&mut self, room: Room) -> bool {
        if room.short_bytes <= room.headroom_bytes / 2 {
            return false;
        }
        let mut short = room.short_bytes;
        let mut given_up = false;
        for entry in self.entries.iter_mut().rev() {
            let Status::Held { number, identity } = entry.status else {
                continue;
            };
            if short == 0 {
                break;
            }
            self.placer.release(number);
            short = short.saturating_sub(identity.page_bytes());
            entry.status = Status::LeftOut(Refusal::NoRoom {
                needed_bytes: identity.page_bytes(),
                room_bytes: 0,
            });
            given_up = true;
        }
        if given_up {
            self.placer.settle();
        }
        given_up
    }

    fn held_bytes(&self) -> u64 {
        let held = self.entries.iter().filter_map(|entry| match &entry.status {
            Status::Held { identity, .. } => Some(identity.page_bytes()),
            _ => None,
        });
        held.sum()
    }

    fn counted_bytes(&self) -> Option<u64> {
        self.placer.counted_as().of(self.group()?).ok()
    }

    /// What is held now, to be written down.
    pub fn state(&self) -> Result<State, LiveError> {
        let file = |entry: &Entry| FileState {
            site: entry.wanted.site.clone(),
            path: entry.wanted.path.clone(),
            lost: entry.was_held && description(&entry.status).flatten().is_none(),
            status: match &entry.status {
                Status::Held { identity, .. } => FileStatus::Held(*identity),
                Status::Shared(identity) => FileStatus::Shared(*identity),
                Status::LeftOut(refusal) => FileStatus::LeftOut(refusal.to_string()),
                Status::Open => FileStatus::LeftOut("is still to be placed".to_owned()),
            },
        };
        Ok(State {
            version: State::VERSION,
            guardian: ProcessIdentity::current()?,
            workers: self.placer.workers(),
            placer: self.request.placer,
            server: self.request.server.clone(),
            folders: self.request.folders.clone(),
            owners: self.request.owners.clone(),
            budget_bytes: self.budget_bytes,
            staleness_ms: self.staleness.map(|bound| bound.as_millis() as u64),
            is_unfinished: self.is_unfinished,
            faults: self.faults.clone(),
            charge: self.charge.clone(),
            files: self.entries.iter().map(file).collect(),
        })
    }
}

fn entries(files: &[WantedFile]) -> Vec<Entry> {
    let entry = |wanted: &WantedFile| Entry {
        wanted: wanted.clone(),
        was_held: false,
        status: Status::Open,
    };
    files.iter().map(entry).collect()
}

/// What of a status is worth writing down anew.
fn description(status: &Status) -> Option<Option<Identity>> {
    match status {
        Status::Open => None,
        Status::LeftOut(_) => Some(None),
        Status::Held { identity, .. } | Status::Shared(identity) => Some(Some(*identity)),
    }
}
