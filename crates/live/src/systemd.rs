//! What systemd is asked for: a unit for what holds files.

use std::path::Path;

/// systemd kills what a unit or a session has left behind when it ends, and `apply` may be part of one. A scope is a unit of
/// its own, and the process in it stays the child of whoever starts it (systemd-run(1)).
pub(crate) const OWN_SCOPE: [&str; 5] = [
    "systemd-run",
    "--scope",
    "--quiet",
    "--collect",
    "--description=Files held by hotset",
];

/// Whether it runs the machine (sd_booted(3)) and takes orders from this process.
pub(crate) fn is_there() -> bool {
    Path::new("/run/systemd/system").exists() && rustix::process::geteuid().is_root()
}
