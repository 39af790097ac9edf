//! A lab that is left standing, for tests that kill it: `interrupted DIRECTORY DRIVE`. Makes one of everything, says so,
//! and sleeps.
#![allow(clippy::print_stdout, reason = "the test waits for the line")]

use hotset_lab::LabError;
use hotset_lab::disk::{Plain, Seeking};
use hotset_lab::net::{LinkRate, Network};
use hotset_lab::store::{Local, LocalKind, Memory, MemoryKind};
use hotset_machine::ControlGroup;
use hotset_machine::cgroup::Limits;
use hotset_machine::process::Launch;
use hotset_machine::{Deployment, Directories};
use hotset_models::disk::DriveModel;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), LabError> {
    let mut arguments = std::env::args_os().skip(1);
    let directory = PathBuf::from(arguments.next().unwrap_or_default());
    let drive = arguments.next().unwrap_or_default();
    let places = Directories {
        ledgers: directory.join("ledgers"),
        work: directory.join("work"),
    };
    let lab = Deployment::open(&places)?;
    let node = ControlGroup::create(
        &lab,
        "web",
        &Limits {
            memory_bytes: Some(64 << 20),
            processors: None,
        },
    )?;
    let network = Network::create(&lab)?;
    let namespace = network.namespace("web", LinkRate::BitsPerS(1_000_000_000))?;
    let plain = Plain::create(&lab, "plain", 64 << 20)?;
    let _ext4 = Local::create(&lab, "plain", LocalKind::Ext4, Arc::new(plain))?;
    let slow = Seeking::create(&lab, "slow", 1 << 30, DriveModel::default(), &[drive])?;
    let slow = Local::create(&lab, "slow", LocalKind::Ext4, Arc::new(slow))?;
    let _hot = Memory::create(&lab, "hot", MemoryKind::Ramfs, 0)?;
    let line = format!(
        "exec 3> {}/open; while :; do sleep 1; done",
        slow_path(&slow)
    );
    let server = Launch::new("server", "sh").arguments(["-c", &line]);
    let _server = server
        .in_network(namespace.name())
        .in_group(&node)
        .start(&lab)?;
    println!("standing {}", lab.tag());
    std::thread::sleep(Duration::from_secs(600));
    Ok(())
}

fn slow_path(store: &Local) -> String {
    use hotset_lab::store::Store;
    store.path().display().to_string()
}
