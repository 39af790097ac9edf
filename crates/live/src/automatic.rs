//! Which way to hold files suits the sites' file systems and the server.

use crate::file_system::is_on_remote;
use crate::{LiveError, PlacerKind, Server, SiteFolder};
use hotset_machine::namespace::MountNamespace;

/// Pinning where all sites are on local file systems. Copies where one is not: mounted over the files where the server has a
/// mount namespace of its own, else in a hot root.
///
/// # Errors
/// When a folder cannot be looked up.
pub fn suitable(folders: &[SiteFolder], server: Option<&Server>) -> Result<PlacerKind, LiveError> {
    let mut any_remote = false;
    for folder in folders {
        any_remote |= is_on_remote(folder)?;
    }
    Ok(match any_remote {
        false => PlacerKind::Pin,
        true if server.is_some_and(has_own_mounts) => PlacerKind::Bind,
        true => PlacerKind::HotRoot,
    })
}

fn has_own_mounts(server: &Server) -> bool {
    let namespace = server
        .any_pid()
        .and_then(|pid| MountNamespace::of_process(pid).ok());
    namespace.is_some_and(|namespace| namespace.is_own().is_ok_and(|is_own| !is_own))
}
