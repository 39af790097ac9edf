//! What is needed of the machine, checked before anything is made.

use crate::cgroup::Hierarchies;
use crate::{MachineError, command, memory};
use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

/// Kept for the machine itself.
const MACHINE_MEMORY_BYTES: u64 = 512 << 20;

/// One thing that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// To be root.
    Root,
    /// A program, and the Debian package that has it.
    Program {
        /// Its name.
        program: String,
        /// The package.
        package: String,
    },
    /// Memory, over all groups and memory file systems.
    Memory {
        /// Bytes.
        bytes: u64,
    },
    /// Processors, by the highest number used.
    Cpu {
        /// Counted from zero.
        number: usize,
    },
    /// Free space for images.
    DiskSpace {
        /// Directory, or one that will be made.
        path: PathBuf,
        /// Bytes.
        bytes: u64,
    },
    /// Control groups that limit memory, and version 2 ones to keep track of processes.
    Groups,
    /// The kernel's FUSE device.
    Fuse,
    /// The kernel's loop devices.
    Loop,
}

impl Need {
    /// A program and its Debian package.
    #[must_use]
    pub fn program(program: &str, package: &str) -> Self {
        Self::Program {
            program: program.to_owned(),
            package: package.to_owned(),
        }
    }
}

/// Checks needs against the machine.
#[derive(Debug)]
pub struct Requirements;

impl Requirements {
    /// # Errors
    /// [`MachineError::Lacking`] with all that is missing, in one message.
    pub fn check(needs: &[Need]) -> Result<(), MachineError> {
        let mut lacking: Vec<String> = needs.iter().filter_map(lack).collect();
        lacking.extend(missing_programs(needs));
        if lacking.is_empty() {
            Ok(())
        } else {
            Err(MachineError::Lacking(lacking))
        }
    }
}

fn lack(need: &Need) -> Option<String> {
    match need {
        Need::Root => {
            (!rustix::process::geteuid().is_root()).then(|| "root: run it with sudo".to_owned())
        }
        Need::Program { .. } => None,
        Need::Memory { bytes } => lack_of_memory(*bytes),
        Need::Cpu { number } => lack_of_cpus(*number),
        Need::DiskSpace { path, bytes } => lack_of_space(path, *bytes),
        Need::Groups => lack_of_groups(),
        Need::Fuse => lack_of_device("/dev/fuse", "fuse"),
        Need::Loop => lack_of_device("/dev/loop-control", "loop"),
    }
}

/// The programs that are not there, and one command that installs them all.
fn missing_programs(needs: &[Need]) -> Option<String> {
    let (mut programs, mut packages) = (BTreeSet::new(), BTreeSet::new());
    for need in needs {
        if let Need::Program { program, package } = need
            && find(program).is_none()
        {
            programs.insert(program.as_str());
            packages.insert(package.as_str());
        }
    }
    let list = |set: BTreeSet<&str>, between| set.into_iter().collect::<Vec<_>>().join(between);
    (!programs.is_empty()).then(|| {
        format!(
            "programs {}: `apt-get install {}`",
            list(programs, ", "),
            list(packages, " ")
        )
    })
}

fn find(program: &str) -> Option<PathBuf> {
    env::split_paths(&command::search_path())
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

fn lack_of_memory(bytes: u64) -> Option<String> {
    let available = memory::available_bytes().ok()?;
    let needed = bytes + MACHINE_MEMORY_BYTES;
    (needed > available).then(|| {
        format!(
            "memory: {} MiB are needed beside {} MiB for the machine itself, and {} MiB are available; \
             give the nodes less",
            bytes >> 20,
            MACHINE_MEMORY_BYTES >> 20,
            available >> 20
        )
    })
}

fn lack_of_cpus(number: usize) -> Option<String> {
    let there = std::thread::available_parallelism().ok()?.get();
    (number >= there).then(|| {
        format!(
            "processor {number}: the machine has {there}, counted from 0; give the nodes others"
        )
    })
}

fn lack_of_space(path: &Path, bytes: u64) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let there = path.ancestors().find(|ancestor| ancestor.exists())?;
    if !there.is_dir() {
        return Some(format!(
            "disk space: {} is not a folder; choose another for disk images",
            there.display()
        ));
    }
    let free = match rustix::fs::statvfs(there) {
        Ok(stat) => stat.f_bavail * stat.f_frsize,
        Err(error) => {
            return Some(format!(
                "disk space: cannot look up {}: {error}",
                there.display()
            ));
        }
    };
    (bytes > free).then(|| {
        format!(
            "disk space: images of {} MiB and {} MiB are free at {}; choose another directory or smaller disks",
            bytes >> 20,
            free >> 20,
            there.display()
        )
    })
}

fn lack_of_groups() -> Option<String> {
    match Hierarchies::detect() {
        Err(error) => Some(error.to_string()),
        Ok(found) if found.unified.is_none() => Some(
            "version 2 control groups: `mount -t cgroup2 none /sys/fs/cgroup/unified`".to_owned(),
        ),
        Ok(found) if !found.has_memory() => Some(
            "the memory controller of control groups: start the kernel with cgroup_enable=memory"
                .to_owned(),
        ),
        Ok(_) => None,
    }
}

fn lack_of_device(path: &str, module: &str) -> Option<String> {
    (!Path::new(path).exists()).then(|| format!("{path}: `modprobe {module}`"))
}
