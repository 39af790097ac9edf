//! What systemd is told: a unit for processes that are to outlive others, and settings of units that are there again after a
//! new start of the machine.

use crate::cgroup::{Hierarchies, MemoryGroup};
use crate::{MachineError, OnFile, command, namespace};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// systemd kills what a unit or a session has left behind when it ends. A scope is a unit of its own, and the process in it
/// stays the child of whoever starts it (systemd-run(1)).
pub const OWN_SCOPE: [&str; 5] = [
    "systemd-run",
    "--scope",
    "--quiet",
    "--collect",
    "--description=Files held by hotset",
];

/// Where an administrator keeps settings of units that stay (systemd.unit(5)).
const UNITS: &str = "/etc/systemd/system";
/// Settings of units that end with the machine.
const PASSING_UNITS: &str = "/run/systemd/system";
/// Later than `systemctl set-property`, which writes files that begin with 50: of a setting that is given twice, the last counts.
const FILE_NAME: &str = "90-hotset";

/// Whether it runs the machine (sd_booted(3)).
#[must_use]
pub fn is_there() -> bool {
    Path::new("/run/systemd/system").exists()
}

/// Whether it runs the machine and takes orders from this process.
#[must_use]
pub fn obeys() -> bool {
    is_there() && rustix::process::geteuid().is_root() && namespace::is_initial_user()
}

/// Has it read all units anew.
///
/// # Errors
/// When it does not.
pub fn reload() -> Result<(), MachineError> {
    command::run("systemctl", &["daemon-reload"]).map(drop)
}

/// A file with settings of a unit that systemd reads beside the unit itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DropIn {
    unit: String,
    /// The property that it is for alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    property: Option<String>,
}

impl DropIn {
    /// For the unit that a control group belongs to. None without systemd, and for a group that is no service, scope or slice of
    /// the machine's own.
    #[must_use]
    pub fn of(group: &MemoryGroup) -> Option<Self> {
        let root = Hierarchies::detect().ok()?.unified?;
        if !obeys() || !group.path().starts_with(root) {
            return None;
        }
        let lineage = group.lineage();
        let mut names = lineage
            .iter()
            .map(|group| group.path().file_name()?.to_str());
        let unit = names.next()??;
        // What is below a service, a user's own manager for one, is not the machine's to set.
        let is_below_slices = names.all(|name| name.is_some_and(|name| name.ends_with(".slice")));
        let is_known = is_below_slices && section(unit).is_some();
        is_known.then(|| Self {
            unit: unit.to_owned(),
            property: None,
        })
    }

    /// One for this property alone, which comes and goes without the others.
    #[must_use]
    pub fn for_property(self, property: &str) -> Self {
        Self {
            property: Some(property.to_owned()),
            ..self
        }
    }

    /// Where it is. A scope is made anew by whoever makes it, and is not there after a new start of the machine.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        let units = match self.unit.ends_with(".scope") {
            true => PASSING_UNITS,
            false => UNITS,
        };
        let property = self.property.iter().map(|name| format!("-{name}"));
        let name = FILE_NAME.to_owned() + &property.collect::<String>();
        Path::new(units).join(format!("{}.d/{name}.conf", self.unit))
    }

    /// Writes these settings. They count after [`reload`].
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, properties: &[(&str, u64)]) -> Result<(), MachineError> {
        let file = self.file();
        let folder = crate::temporary::folder_of(&file);
        fs::create_dir_all(folder).on("make", folder)?;
        let mut text = "# By `hotset apply`; `hotset release` removes it.\n".to_owned();
        text += &format!("[{}]\n", section(&self.unit).unwrap_or_default());
        for (name, value) in properties {
            text += &format!("{name}={value}\n");
        }
        crate::file::write(&file, text.as_bytes()).on("write", file)
    }

    /// Removes it. Whether it was there.
    ///
    /// # Errors
    /// When it is there still.
    pub fn remove(&self) -> Result<bool, MachineError> {
        let file = self.file();
        let was_there = file.exists();
        if was_there {
            fs::remove_file(&file).on("remove", &file)?;
        }
        // Only where nothing else is in it.
        let _removed = fs::remove_dir(crate::temporary::folder_of(&file));
        Ok(was_there)
    }
}

fn section(unit: &str) -> Option<&'static str> {
    match Path::new(unit).extension()?.to_str()? {
        "service" => Some("Service"),
        "scope" => Some("Scope"),
        "slice" => Some("Slice"),
        _ => None,
    }
}

/// A unit that runs this program once all processes of the calling process' scope are gone, however they went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Successor {
    scope: String,
}

impl Successor {
    /// For the scope of the calling process. None without systemd, and where the process is in no scope.
    ///
    /// # Errors
    /// When /proc cannot be read.
    pub fn of_this_process() -> Result<Option<Self>, MachineError> {
        let path = "/proc/self/cgroup";
        let text = fs::read_to_string(path).on("read", path)?;
        // The group that systemd keeps track of: of version 2, or of its own tree of version 1 (cgroups(7)).
        let group = text.lines().find_map(|line| {
            let (_, rest) = line.split_once(':')?;
            let group = rest
                .strip_prefix(':')
                .or_else(|| rest.strip_prefix("name=systemd:"));
            group.map(Path::new)
        });
        let name = group.and_then(|group| group.file_name()?.to_str());
        let scope = name.filter(|name| obeys() && name.ends_with(".scope"));
        Ok(scope.map(|scope| Self {
            scope: scope.to_owned(),
        }))
    }

    /// Starts it. It runs this program with these arguments in the end.
    ///
    /// # Errors
    /// When systemd refuses.
    pub fn start(&self, arguments: &[OsString]) -> Result<(), MachineError> {
        let program = std::env::current_exe().on("find", "/proc/self/exe")?;
        let words = [program.as_os_str()].into_iter();
        let words = words.chain(arguments.iter().map(OsString::as_os_str));
        let words: Vec<String> = words.map(quoted).collect();
        let run = [
            "--quiet".to_owned(),
            "--collect".to_owned(),
            "--description=Takes copies away that nobody keeps up to date".to_owned(),
            format!("--unit={}", self.unit()),
            "--property=Type=oneshot".to_owned(),
            "--property=RemainAfterExit=yes".to_owned(),
            // Of two units that stop together, the later one stops first (systemd.unit(5)): then there is nothing to take away.
            format!("--property=BindsTo={}", self.scope),
            format!("--property=After={}", self.scope),
            // With a colon, `$` is a letter like others.
            format!("--property=ExecStop=:{}", words.join(" ")),
            "true".to_owned(),
        ];
        command::run("systemd-run", &run).map(drop)
    }

    /// Has it run now, where it has not.
    ///
    /// # Errors
    /// When systemd refuses.
    pub fn stop(&self) -> Result<bool, MachineError> {
        if !obeys() || !self.is_active()? {
            return Ok(false);
        }
        match command::run("systemctl", &["stop", &self.unit()]) {
            // Its scope has just ended, and so it has run.
            Err(_) if !self.is_active()? => Ok(true),
            other => other.map(|_| true),
        }
    }

    fn is_active(&self) -> Result<bool, MachineError> {
        let show = ["show", "--property=ActiveState", "--value", &self.unit()];
        Ok(command::run("systemctl", &show)?.trim() != "inactive")
    }

    /// Its name.
    #[must_use]
    pub fn unit(&self) -> String {
        format!(
            "hotset-after-{}.service",
            self.scope.trim_end_matches(".scope")
        )
    }
}

/// A word of a command line as systemd reads it (systemd.service(5)).
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let word = word
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('%', "%%");
    format!("\"{word}\"")
}
