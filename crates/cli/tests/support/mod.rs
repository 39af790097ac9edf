//! A folder to work in, the built command, and what a failure must look like.
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::thread;

use tempfile::TempDir;

pub mod apart;
pub mod content;
pub mod followed;
pub mod fresh;
pub mod lab;
pub mod nginx;
pub mod schema;
pub mod server;
pub mod shown;
pub mod site;
pub mod small_disk;

/// Commands that start this program again, end it, or measure the process that they are.
const STARTS_OTHERS: [&str; 12] = [
    "apply",
    "demo",
    "exec",
    "experiment",
    "lab",
    "live",
    "probe",
    "release",
    "replay",
    "run",
    "status",
    "validate",
];

/// Has the calling thread, and those that it starts, work in `folder`.
#[expect(
    unsafe_code,
    reason = "open files stay shared, which is all that is unsafe"
)]
fn within(folder: &Path) {
    // SAFETY: `UnshareFlags::FS` is about folders alone; file descriptors are those of all threads.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::FS) }
        .expect("a working folder of its own");
    std::env::set_current_dir(folder).expect("the temporary folder is there");
}

/// The command under test.
pub fn hotset() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_hotset"))
}

/// A request for `path` answered with `bytes` bytes, as Apache's combined format logs it.
pub fn combined_line(path: &str, bytes: u64) -> String {
    format!(
        "192.0.2.7 - - [17/May/2015:10:05:03 +0000] \"GET {path} HTTP/1.1\" 200 {bytes} \"-\" \"test\"\n"
    )
}

/// A temporary folder that commands run in.
pub struct Workplace {
    folder: TempDir,
}

impl Workplace {
    pub fn new() -> Workplace {
        Workplace {
            folder: TempDir::new().expect("a temporary folder"),
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: &[u8]) {
        fs::write(self.path(name), contents).expect("the temporary folder takes files");
    }

    /// Names of everything in the folder, hidden files included.
    pub fn entries(&self) -> Vec<String> {
        self.entries_of("")
    }

    /// Names of everything in a folder of it, hidden files included.
    pub fn entries_of(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(folder))
            .expect("the folder is there")
            .map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    /// Runs a command in this process, unless it starts others or is written to a stream.
    pub fn hotset(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
        let args: Vec<OsString> = args.into_iter().map(|it| it.as_ref().to_owned()).collect();
        let is_apart = |it: &OsString| {
            let it = it.to_string_lossy();
            STARTS_OTHERS.contains(&&*it)
                || it == "-"
                || ["/dev/", "/proc/"].iter().any(|of| it.starts_with(of))
        };
        match args.iter().any(is_apart) {
            true => self.program(args),
            false => self.inside(args),
        }
    }

    /// Runs a command in this process that is refused before it starts others or ends.
    #[track_caller]
    pub fn refuses(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Failure {
        Failure::of(self.inside(args))
    }

    fn inside(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
        let args = args.into_iter().map(|it| it.as_ref().to_owned());
        let args: Vec<OsString> = args.collect();
        let words = [OsString::from("hotset")].into_iter().chain(args);
        let run = || {
            within(self.folder());
            hotset_cli::run_kept(words)
        };
        // The stack of a program's own thread.
        let thread = thread::Builder::new().stack_size(8 << 20);
        let (code, stdout, stderr) = thread::scope(|scope| {
            let running = thread.spawn_scoped(scope, run).expect("a thread");
            running.join().expect("no command panics")
        });
        Output {
            status: ExitStatus::from_raw(i32::from(code) << 8),
            stdout,
            stderr,
        }
    }

    /// Runs a command as a process of its own.
    pub fn program(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
        Command::new(hotset())
            .args(args)
            .current_dir(self.folder())
            .output()
            .expect("hotset runs")
    }

    /// Runs a command that must succeed and gives its standard output.
    pub fn succeeds(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
        let output = self.hotset(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{:?}: {errors}", output.status);
        String::from_utf8(output.stdout).expect("UTF-8 output")
    }

    pub fn json(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> serde_json::Value {
        serde_json::from_str(&self.succeeds(args)).expect("--json prints JSON")
    }
}

/// A run that failed as it should.
pub struct Failure {
    code: Option<i32>,
    message: String,
}

impl Failure {
    #[track_caller]
    pub fn of(output: Output) -> Failure {
        let message = String::from_utf8(output.stderr).expect("UTF-8 errors");
        assert!(
            !output.status.success(),
            "it should fail, but printed {:?}",
            output.stdout.len()
        );
        assert!(!message.contains("panicked"), "{message}");
        assert!(output.stdout.is_empty(), "a failure prints no result");
        Failure {
            code: output.status.code(),
            message,
        }
    }

    #[track_caller]
    pub fn has_code(&self, code: i32) -> &Failure {
        assert_eq!(self.code, Some(code), "{}", self.message);
        // clap's own usage errors add a hint on further lines; ours are one line.
        if code == 1 {
            assert_eq!(
                self.message.trim_end().lines().count(),
                1,
                "{}",
                self.message
            );
        }
        self
    }

    #[track_caller]
    pub fn says(&self, text: &str) -> &Failure {
        assert!(
            self.message.contains(text),
            "{text:?} is not in {:?}",
            self.message
        );
        self
    }
}
