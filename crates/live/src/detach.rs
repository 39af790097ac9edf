//! Processes that outlive the command that started them.

use crate::LiveError;
use hotset_machine::OnFile as _;
use rustix::fs::{Mode, OFlags, open};
use rustix::stdio;

/// Points the standard streams at nothing: whoever waits for their end, such as a shell that reads them, is not kept
/// waiting.
///
/// # Errors
/// When /dev/null cannot be opened.
pub(crate) fn close_standard_streams() -> Result<(), LiveError> {
    let flags = OFlags::RDWR | OFlags::CLOEXEC;
    let nothing = open("/dev/null", flags, Mode::empty()).on("open", "/dev/null")?;
    for point in [
        stdio::dup2_stdin(&nothing),
        stdio::dup2_stdout(&nothing),
        stdio::dup2_stderr(&nothing),
    ] {
        point.map_err(|error| LiveError::system("close", "a standard stream", error))?;
    }
    Ok(())
}
