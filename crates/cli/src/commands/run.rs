//! `hotset run`: follow the logs of sites and hold what is worth holding.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use hotset_live::{
    Daemon, DaemonEvent, DaemonSite, DaemonSpec, Decision, LiveError, PlacerChoice, PlacerKind,
    Published, Request, Saved, ServerName, SiteFolder, State, StateFolder,
};
use hotset_plan::SiteTerms;
use hotset_replay::schedule::parse_duration;
use hotset_scenario::{MemorySize, Node, Profile, Scenario, Site};
use hotset_trace::read::ReadOptions;
use hotset_trace::read::follow::LogEvent;
use jiff::Timestamp;

use crate::commands::apply;
use crate::commands::state::StateArgs;
use crate::interrupt;
use crate::option_values::{one_of, size};
use crate::output::{self, Usage};

/// How often logs are looked at.
const LOOK_PAUSE: Duration = Duration::from_millis(200);

/// What `hotset run` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file (TOML) with `log` at its top, and the `root` of each site
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// How to hold files, as in `hotset apply`
    #[arg(long, value_name = "PLACER", default_value = "auto",
        value_parser = one_of::<PlacerChoice, _>(PlacerChoice::NAMES))]
    placer: PlacerChoice,
    #[command(flatten)]
    state: StateArgs,
    /// The server whose memory group pays for what is held: unit:NAME, pid:FILE or cgroup:PATH
    #[arg(long, value_name = "SERVER")]
    server: Option<ServerName>,
    /// The node of the scenario that this machine is; not needed where it has one
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// Also hold files of this user, by number; those of each root's owner are held anyway. May be repeated
    #[arg(long = "owner", value_name = "UID")]
    owners: Vec<u32>,
    /// How long a choice of files stays
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = interval)]
    interval: Duration,
    /// Bytes that may be read in a minute to hold files that were not held before [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    churn: Option<u64>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let _until_stopped = interrupt::Guard::new();
    let mut service = Service::start(args)?;
    while !interrupt::pending() {
        service.step();
        thread::sleep(LOOK_PAUSE);
    }
    interrupt::forget();
    service.end()
}

fn interval(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("an interval of nothing leaves no time to learn".into()),
        interval => Ok(interval),
    }
}

/// A daemon at work.
struct Service {
    daemon: Daemon,
    folder: StateFolder,
    guardian: Vec<OsString>,
    /// Where what was learnt is kept.
    learnt: PathBuf,
    /// Keeps other daemons from the state, as long as it is open.
    _lock: File,
    placer: PlacerKind,
    server: Option<ServerName>,
    folders: Vec<SiteFolder>,
    owners: Vec<u32>,
    interval: Duration,
    /// When it told last what the logs say.
    told: Instant,
    /// What could not be done last: it is said once.
    problem: Option<String>,
}

impl Service {
    fn start(args: &Args) -> Result<Service> {
        let folder = args.state.folder()?;
        let lock = lock(&folder.beside("lock"))?;
        let spec = spec(args)?;
        let server = args.server.clone().map(ServerName::absolute).transpose()?;
        let placer = apply::placer(args.placer, &spec.folders, server.as_ref())?;
        let learnt = folder.beside("learnt");
        let saved: Option<Saved<'static>> = hotset_machine::file::read_json(&learnt)?;
        let (folders, owners) = (spec.folders.clone(), spec.owners.clone());
        let interval = spec.interval;
        let mut daemon = Daemon::start(spec, saved, &mut tell)?;
        if let Some(state) = folder.load()? {
            daemon.take_over(&state);
        }
        Published::now(interval, daemon.figures().clone())?.write(&folder)?;
        say(
            "started",
            &[
                ("state", folder.path().display().to_string()),
                ("placer", placer.to_string()),
            ],
        );
        Ok(Service {
            daemon,
            guardian: apply::guardian(folder.path())?,
            folder,
            learnt,
            _lock: lock,
            placer,
            server,
            folders,
            owners,
            interval,
            told: Instant::now(),
            problem: None,
        })
    }

    /// Takes in what was logged, and holds other files where it is time to. What cannot be done now is no reason to stop: the
    /// next interval tries again.
    fn step(&mut self) {
        let done = self.follow();
        let problem = done.err().map(|error| format!("{error:#}"));
        if let Some(problem) = problem.as_ref().filter(|_| problem != self.problem) {
            say("cannot go on", &[("why", problem.clone())]);
        }
        self.problem = problem;
    }

    fn follow(&mut self) -> Result<()> {
        self.daemon.look(&mut tell)?;
        if let Some(decision) = self.daemon.decide(&mut tell)? {
            // Whoever comes after a sudden end is to know the files that this one may hold by then.
            let saved = self.save();
            self.hold(decision)?;
            saved?;
        }
        if self.told.elapsed() >= self.interval {
            self.publish()?;
        }
        Ok(())
    }

    fn hold(&mut self, decision: Decision) -> Result<()> {
        let moved_bytes = decision.moved_bytes;
        let state = self.place(decision);
        match state {
            Ok(state) => {
                self.daemon.note_held(&state);
                say_held(&state, moved_bytes);
            }
            Err(error) => say("not held", &[("why", error.to_string())]),
        }
        self.publish()
    }

    fn place(&self, decision: Decision) -> Result<State, LiveError> {
        let request = Request {
            placer: self.placer,
            server: self.server.clone(),
            folders: self.folders.clone(),
            owners: self.owners.clone(),
            memory_bytes: decision.memory_bytes,
            group: None,
            files: decision.files,
        };
        hotset_live::apply(&self.folder, &request, &self.guardian)
    }

    /// Tells other processes what the logs say.
    fn publish(&mut self) -> Result<()> {
        self.told = Instant::now();
        let figures = self.daemon.figures().clone();
        Ok(Published::now(self.interval, figures)?.write(&self.folder)?)
    }

    fn save(&self) -> Result<()> {
        Ok(hotset_machine::file::write_json(
            &self.learnt,
            &self.daemon.save(),
        )?)
    }

    /// Keeps what was learnt, and lets go of everything.
    fn end(self) -> Result<()> {
        self.save()?;
        hotset_live::release(&self.folder)?;
        Published::remove(&self.folder);
        say("stopped", &[]);
        Ok(())
    }
}

fn say_held(state: &State, moved_bytes: u64) {
    let held = state.files.iter().filter(|file| file.status.identity().is_some());
    let held = held.count();
    say(
        "held",
        &[
            ("files", held.to_string()),
            ("left_out", (state.files.len() - held).to_string()),
            ("held_bytes", state.held_bytes().to_string()),
            ("moved_bytes", moved_bytes.to_string()),
        ],
    );
}

fn lock(path: &Path) -> Result<File> {
    let cannot = || format!("cannot make {}", path.display());
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(cannot)?;
    }
    let file = File::create(path).with_context(cannot)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => bail!(
            "{}: another `hotset run` holds files with this state: name another one with --state, or stop the other",
            path.display()
        ),
    }
}

/// What to follow and to hold, as the scenario and the options say.
fn spec(args: &Args) -> Result<DaemonSpec> {
    let scenario = Scenario::load(&args.scenario)?;
    let in_file = || args.scenario.display().to_string();
    let node = node(&scenario, args.node.as_deref()).with_context(in_file)?;
    if scenario.logs.is_empty() {
        bail!(
            "{}: there are no logs to follow: name them with `log` at the top of the file",
            in_file()
        );
    }
    let mut reading = ReadOptions::default();
    let mut folders = Vec::new();
    for site in &scenario.sites {
        let Some(root) = &site.root else {
            bail!(
                "{}: site `{}` has no `root`: name the folder of its files",
                in_file(),
                site.name
            );
        };
        folders.push(SiteFolder {
            site: site.name.clone(),
            prefix: "/".to_owned(),
            folder: std::path::absolute(root)?,
        });
        for glob in &site.matches {
            reading.sites.push(format!("{}={glob}", site.name).parse()?);
        }
    }
    let site = |site: &Site| DaemonSite {
        name: site.name.clone(),
        terms: SiteTerms {
            weight: site.weight,
            reservation_bytes: site.reservation_bytes,
        },
        store: scenario.stores[site.store].profile.clone(),
    };
    Ok(DaemonSpec {
        sites: scenario.sites.iter().map(site).collect(),
        folders,
        owners: args.owners.clone(),
        logs: scenario.logs.clone(),
        reading,
        memory: Profile::named_or_file("memory")?,
        memory_bytes: memory_for_files(node).with_context(in_file)?,
        interval: args.interval,
        churn_bytes: args.churn,
    })
}

fn node<'s>(scenario: &'s Scenario, named: Option<&str>) -> Result<&'s Node> {
    let nodes: Vec<&Node> = scenario
        .nodes
        .iter()
        .filter(|node| node.reads_store())
        .collect();
    let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    match (named, nodes.as_slice()) {
        (Some(name), _) => match nodes.iter().find(|node| node.name == name) {
            Some(node) => Ok(node),
            None => bail!(Usage(format!(
                "--node {name}: there is no such node, only {}",
                names.join(", ")
            ))),
        },
        (None, [only]) => Ok(only),
        (None, []) => bail!("it has no [[node]]: say how much memory this machine has"),
        (None, _) => bail!(Usage(format!(
            "it has the nodes {}: name this machine's with --node",
            names.join(", ")
        ))),
    }
}

fn memory_for_files(node: &Node) -> Result<u64> {
    let MemorySize::Bytes(memory) = node.memory else {
        bail!(
            "`memory` of the node `{}` is a share of all files, which a daemon does not know: give a size",
            node.name
        );
    };
    Ok(memory.saturating_sub(node.server_memory_bytes.unwrap_or(0)))
}

/// Tells of an event of the daemon.
fn tell(event: DaemonEvent) {
    match event {
        DaemonEvent::Log { log, event } => tell_of_log(log, event),
        DaemonEvent::ClientsPassedOver(requests) => {
            say("clients passed over", &[("requests", requests.to_string())]);
        }
        DaemonEvent::NamesPassedOver(requests) => {
            say(
                "new names passed over",
                &[("requests", requests.to_string())],
            );
        }
        DaemonEvent::OtherSites(requests) => {
            say(
                "requests of other sites",
                &[("requests", requests.to_string())],
            );
        }
        DaemonEvent::TooManyFiles(most) => say("too many files", &[("most", most.to_string())]),
        DaemonEvent::LearnsAnew(why) => say("learns anew", &[("why", why.to_owned())]),
        _ => {}
    }
}

fn tell_of_log(log: String, event: LogEvent) {
    let log = ("log", log);
    match event {
        LogEvent::Began(file) => say("reads file", &[log, ("file", file.display().to_string())]),
        LogEvent::Format(name) => say("reads format", &[log, ("format", name.to_owned())]),
        LogEvent::LostLines => say("lines were lost", &[log]),
        LogEvent::Missing => say("log is missing", &[log]),
        LogEvent::Unreadable(why) => say("log cannot be read", &[log, ("why", why)]),
        _ => {}
    }
}

/// Prints a line of `key=value` pairs, as log collectors read them.
fn say(event: &str, pairs: &[(&str, String)]) {
    let mut line = format!("time={:.3} event={}", Timestamp::now(), quoted(event));
    for (key, value) in pairs {
        line.push_str(&format!(" {key}={}", quoted(value)));
    }
    line.push('\n');
    // Whoever reads the lines may have gone.
    let _printed = output::print(&line);
}

/// A value, between quotes where it has to be.
fn quoted(value: &str) -> String {
    let is_plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '=' | '\\');
    match !value.is_empty() && value.chars().all(is_plain) {
        true => value.to_owned(),
        false => format!("{value:?}"),
    }
}
