//! Short runs of the system's own tools.

use crate::MachineError;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Root's own directories are looked in as well: not every shell that becomes root has them in its path.
const USUAL: [&str; 4] = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"];

/// Where programs are looked for.
pub(crate) fn search_path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let directories = env::split_paths(&path).chain(USUAL.map(PathBuf::from));
    // Directories that were split at colons hold none.
    env::join_paths(directories).unwrap_or(path)
}

/// Joins groups, then becomes the program, so that nothing of it ever runs outside of them: $1 is how many,
/// they follow, then the program. It ends when one cannot be joined, as when the deployment is being taken down.
const JOIN: &str = r#"n=$1; shift
while [ "$n" -gt 0 ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; n=$((n - 1)); done
exec "$@""#;

/// The beginning of a command line whose rest runs in these groups.
pub(crate) fn joining(groups: &[PathBuf]) -> Vec<OsString> {
    let mut line: Vec<OsString> = ["sh", "-c", JOIN, "hotset-join"]
        .map(OsString::from)
        .to_vec();
    line.push(groups.len().to_string().into());
    line.extend(groups.iter().map(|group| group.clone().into_os_string()));
    line
}

/// Runs a program to its end in a group: one that outlived a killed run would go on making things.
pub(crate) fn run_in<A: AsRef<OsStr>>(
    group: &Path,
    program: &str,
    arguments: &[A],
) -> Result<String, MachineError> {
    let line = joining(&[group.to_owned()]);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).arg(program);
    finish(command, program, arguments)
}

/// Runs a program to its end and returns what it printed.
///
/// # Errors
/// When it cannot be started or fails; the error has the end of its standard error.
pub fn run<A: AsRef<OsStr>>(program: &str, arguments: &[A]) -> Result<String, MachineError> {
    finish(Command::new(program), program, arguments)
}

fn finish<A: AsRef<OsStr>>(
    mut command: Command,
    program: &str,
    arguments: &[A],
) -> Result<String, MachineError> {
    let output = command
        .args(arguments)
        .env("LC_ALL", "C")
        .env("PATH", search_path())
        .stdin(Stdio::null())
        .output()
        .map_err(|source| MachineError::Start {
            program: program.to_owned(),
            source,
        })?;
    if !output.status.success() {
        return Err(MachineError::Command {
            command: line(program, arguments),
            status: output.status.to_string(),
            message: tail(&String::from_utf8_lossy(&output.stderr), 4),
        });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command line as a person would type it.
fn line<A: AsRef<OsStr>>(program: &str, arguments: &[A]) -> String {
    let mut line = OsString::from(program);
    for argument in arguments {
        line.push(" ");
        line.push(argument);
    }
    line.to_string_lossy().into_owned()
}

/// The last `lines` lines of a text.
pub(crate) fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}
