//! Held files and servers of a stage: a function for each way of holding files.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use hotset_lab::server::Running;
use hotset_machine::ControlGroup;
use hotset_machine::cgroup::Limits;
use hotset_machine::process::Process;

use super::applied::{AppliedPlan, Order, State};
use super::arms::{Arm, Choice, Means};
use super::bench::{Bench, ServerOptions};
use super::daemon::{Daemon, DaemonOptions};
use super::workload::{CellWorkload, SITES};
use crate::ExperimentError;

/// Freed by the kernel in its own time after the group shrinks.
const LEAST_OWN_BYTES: u64 = 16 << 20;
/// A server that answers is about to write its pid file.
const PID_PATIENCE: Duration = Duration::from_secs(5);
const PID_PAUSE: Duration = Duration::from_millis(1);

/// A trial of an arm with a workload: what a stage is set up for.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub workload: &'a CellWorkload,
    pub arm: &'static Arm,
    pub choice: &'a Choice,
    /// Memory that a server of its own takes beside files, bytes.
    pub server_bytes: u64,
    /// Whether servers log their requests.
    pub is_logged: bool,
    pub name: &'a str,
}

/// What was set up.
#[derive(Default)]
pub(super) struct Setup {
    /// The background's first, the foreground's last; one where it serves both.
    pub servers: Vec<Running>,
    /// Who locks files.
    pub lock: Option<Process>,
    /// Memory group of the foreground's server, beside the node's.
    pub own: Option<ControlGroup>,
    /// Memory groups of the servers, within the node's.
    pub within: Option<SiteGroups>,
    /// What hotset holds.
    pub applied: Vec<AppliedPlan>,
    /// What holds files by the traffic.
    pub daemon: Option<Daemon>,
}

/// A memory group for each site's server, in the node's and without a limit of its own.
pub(super) struct SiteGroups {
    pub foreground: ControlGroup,
    pub background: ControlGroup,
}

impl SiteGroups {
    /// What the kernel leaves to the foreground's group at least. Bytes.
    pub fn guaranteed_bytes(&self, node_bytes: u64) -> u64 {
        let limit = self.background.memory().limit_bytes();
        let left = node_bytes.saturating_sub(limit.unwrap_or(node_bytes));
        self.foreground.memory().floor_bytes().unwrap_or(left)
    }

    /// Removes them. To whoever shares out the node's memory, an empty group is one that may need some.
    ///
    /// # Errors
    /// When they cannot be removed.
    pub fn remove(&self) -> Result<(), ExperimentError> {
        self.foreground.remove()?;
        Ok(self.background.remove()?)
    }
}

impl Setup {
    fn with_server(server: Running) -> Self {
        Self {
            servers: vec![server],
            ..Self::default()
        }
    }
}

/// A node with empty caches, and what is to be placed on it.
#[derive(Clone, Copy)]
pub(super) struct Placer<'b> {
    pub bench: &'b Bench,
    pub trial: Trial<'b>,
}

impl Placer<'_> {
    /// Places the held files and starts the servers.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn place(&self) -> Result<Setup, ExperimentError> {
        let is_parted = !self.trial.choice.group_bytes.is_empty();
        match self.trial.arm.means {
            Means::Nothing | Means::Run => {
                Ok(Setup::with_server(self.shared(ServerOptions::default())?))
            }
            Means::Locked => self.locked(),
            Means::Groups if is_parted => self.own_group(true),
            Means::Ramfs | Means::Groups => self.in_ramfs(),
            Means::OwnGroup => self.own_group(false),
            Means::PinInGroups if is_parted => self.pinned_in_groups(),
            Means::Pin | Means::PinInGroups => self.applied("pin", ServerOptions::default()),
            Means::Bind => {
                let apart = ServerOptions {
                    apart: true,
                    ..ServerOptions::default()
                };
                self.applied("bind", apart)
            }
            Means::HotRoot => {
                let copies = State::new(self.bench, self.trial.name).copies();
                let hot = ServerOptions {
                    hot: Some(&copies),
                    ..ServerOptions::default()
                };
                self.applied("hot-root", hot)
            }
        }
    }

    fn server_name(&self) -> String {
        format!("web-{}", self.trial.name)
    }

    /// Has hotset follow the requests of both sites, by the foreground's weight.
    ///
    /// # Errors
    /// When it does not start.
    pub fn follow(&self, weight: f64, interval_seconds: u64) -> Result<Daemon, ExperimentError> {
        let Trial {
            workload,
            server_bytes,
            name,
            ..
        } = self.trial;
        let server = self.server_name();
        let options = DaemonOptions {
            name,
            server: &self.pid_file(&server)?,
            log: self.bench.access_log(&server),
            roots: [0, 1].map(|site| self.bench.root(workload, site)),
            weight,
            memory_bytes: self.bench.memory_bytes()?,
            server_bytes,
            interval_seconds,
        };
        Daemon::start(self.bench, &options)
    }

    /// One server for both sites.
    fn shared(&self, serving: ServerOptions) -> Result<Running, ExperimentError> {
        let sites = [0, 1];
        self.serve(&self.server_name(), &sites, serving)
    }

    fn serve(
        &self,
        name: &str,
        sites: &[usize],
        serving: ServerOptions,
    ) -> Result<Running, ExperimentError> {
        let serving = ServerOptions {
            is_logged: self.trial.is_logged,
            ..serving
        };
        self.bench.serve(name, self.trial.workload, sites, serving)
    }

    fn locked(&self) -> Result<Setup, ExperimentError> {
        let Trial {
            workload,
            choice,
            name,
            ..
        } = self.trial;
        let server = self.shared(ServerOptions::default())?;
        let lock = self.bench.lock(workload, &choice.held, name)?;
        Ok(Setup {
            lock: Some(lock),
            ..Setup::with_server(server)
        })
    }

    fn in_ramfs(&self) -> Result<Setup, ExperimentError> {
        self.copy(0, self.bench.group()?)?;
        self.copy(1, self.bench.group()?)?;
        self.bench.empty_caches()?;
        let hot = ServerOptions {
            hot: Some(self.bench.hot()),
            ..ServerOptions::default()
        };
        Ok(Setup::with_server(self.shared(hot)?))
    }

    fn copy(&self, site: usize, group: &ControlGroup) -> Result<(), ExperimentError> {
        let Trial {
            workload,
            choice,
            name,
            ..
        } = self.trial;
        self.bench
            .copy_to_ramfs(workload, &choice.held, site, group, name)
    }

    /// A server and a memory group for each site, with files in ramfs or without.
    fn own_group(&self, holds: bool) -> Result<Setup, ExperimentError> {
        let group = self.part()?;
        if holds {
            self.copy(0, &group)?;
            self.copy(1, self.bench.group()?)?;
            self.bench.empty_caches()?;
        }
        let hot = holds.then(|| self.bench.hot());
        self.in_own_group(group, hot)
    }

    fn in_own_group(
        &self,
        group: ControlGroup,
        hot: Option<&Path>,
    ) -> Result<Setup, ExperimentError> {
        let shared = ServerOptions {
            hot,
            ..ServerOptions::default()
        };
        let background = self.serve(&self.server_name(), &[1], shared)?;
        let own = ServerOptions {
            group: Some(&group),
            is_second: true,
            ..shared
        };
        let foreground = self.serve(&self.own_server_name(), &[0], own)?;
        Ok(Setup {
            servers: vec![background, foreground],
            own: Some(group),
            ..Setup::default()
        })
    }

    fn own_server_name(&self) -> String {
        format!("{}-own", self.server_name())
    }

    /// Starts the server, then has hotset hold all files.
    fn applied(
        &self,
        placer: &'static str,
        serving: ServerOptions,
    ) -> Result<Setup, ExperimentError> {
        let server = self.shared(serving)?;
        let name = self.trial.name;
        let all = self.hold(name, placer, &self.server_name(), &[0, 1], None)?;
        self.forget_placing()?;
        Ok(Setup {
            applied: vec![all],
            ..Setup::with_server(server)
        })
    }

    /// A server and a memory group for each site, whose files hotset holds in that group. The plan gives the foreground's group its
    /// size, which leaves the rest to the background: with version 1 of control groups, one plan with groups can be held on a node.
    fn pinned_in_groups(&self) -> Result<Setup, ExperimentError> {
        let name = self.trial.name;
        let group = |site: usize| self.bench.group_within(&format!("{}-{name}", SITES[site]));
        let within = SiteGroups {
            foreground: group(0)?,
            background: group(1)?,
        };
        let serving = |group, is_second| ServerOptions {
            group: Some(group),
            is_second,
            ..ServerOptions::default()
        };
        let [of_background, of_foreground] = [self.server_name(), self.own_server_name()];
        let background = self.serve(&of_background, &[1], serving(&within.background, false))?;
        let foreground = self.serve(&of_foreground, &[0], serving(&within.foreground, true))?;
        let group_bytes = self.trial.choice.group_bytes.first().copied();
        let hold = |site: usize, server: &str, group_bytes| {
            self.hold(
                &format!("{name}-{site}"),
                "pin",
                server,
                &[site],
                group_bytes,
            )
        };
        let applied = vec![
            hold(0, &of_foreground, group_bytes)?,
            hold(1, &of_background, None)?,
        ];
        self.forget_placing()?;
        Ok(Setup {
            servers: vec![background, foreground],
            within: Some(within),
            applied,
            ..Setup::default()
        })
    }

    /// Holds the files of these sites for a server, whose group is to have so much memory where the plan says so.
    fn hold(
        &self,
        name: &str,
        placer: &'static str,
        server: &str,
        sites: &[usize],
        group_bytes: Option<u64>,
    ) -> Result<AppliedPlan, ExperimentError> {
        let Trial {
            workload,
            choice,
            server_bytes,
            ..
        } = self.trial;
        let held = choice.held.iter().copied();
        let objects: Vec<u32> = held
            .filter(|&object| sites.contains(&workload.site(object)))
            .collect();
        let root = |site: &usize| (*site, self.bench.root(workload, *site));
        let node_bytes = self.bench.memory_bytes()?;
        let order = Order {
            name,
            placer,
            server: &self.pid_file(server)?,
            roots: sites.iter().map(root).collect(),
            node_bytes,
            memory_bytes: node_bytes.saturating_sub(server_bytes),
            group_bytes,
            objects: &objects,
        };
        AppliedPlan::apply(self.bench, workload, &order)
    }

    fn pid_file(&self, server: &str) -> Result<PathBuf, ExperimentError> {
        let path = self.bench.deployment().directory().join(server).join("pid");
        let give_up = Instant::now() + PID_PATIENCE;
        while !path.exists() {
            if Instant::now() > give_up {
                let message = format!("{}: the server has not written it", path.display());
                return Err(ExperimentError::Unusable(message));
            }
            thread::sleep(PID_PAUSE);
        }
        Ok(path)
    }

    /// Drops from the caches what placing has read. The store cannot be unmounted for it: servers and holders use it.
    fn forget_placing(&self) -> Result<(), ExperimentError> {
        self.bench.group()?.force_empty()?;
        self.bench.drop_metadata()
    }

    /// Parts the node's memory: a group for the foreground, the rest for the background.
    fn part(&self) -> Result<ControlGroup, ExperimentError> {
        let file_bytes = self.trial.choice.group_bytes.first().copied().unwrap_or(0);
        let own_bytes = (file_bytes + self.trial.server_bytes).max(LEAST_OWN_BYTES);
        let rest = self.bench.memory_bytes()?.saturating_sub(own_bytes);
        let rest = limits(rest.max(LEAST_OWN_BYTES));
        self.bench.group()?.limit(&rest)?;
        let name = format!("own-{}", self.trial.name);
        let own = ControlGroup::create(self.bench.deployment(), &name, &limits(own_bytes))?;
        Ok(own)
    }
}

/// Limits of a group with so much memory.
pub(super) fn limits(bytes: u64) -> Limits {
    Limits {
        memory_bytes: Some(bytes),
        processors: None,
    }
}
