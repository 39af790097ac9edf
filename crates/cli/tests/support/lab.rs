//! Whether a lab can be built here.

use hotset_test_support::skip;
use rustix::process::geteuid;
use std::path::Path;

/// Takes the machine by `turn` for a test that builds a lab and runs programs; says why where it cannot be. Each program with
/// the Debian package that has it.
pub fn lab_is_possible(programs: &[(&str, &str)], turn: fn()) -> bool {
    let disks = [
        ("/dev/fuse", "/dev/fuse"),
        ("/dev/loop-control", "/dev/loop-control"),
    ];
    let lacking = (!geteuid().is_root()).then_some("root").or_else(|| {
        let needed = disks.iter().chain(programs);
        let lacking = needed
            .into_iter()
            .find(|(path, _)| !Path::new(path).exists());
        lacking.map(|&(_, needed)| needed)
    });
    match lacking {
        Some(lacking) => skip(format_args!("needs {lacking}")),
        None => turn(),
    }
    lacking.is_none()
}
