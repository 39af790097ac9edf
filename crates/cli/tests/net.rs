//! Nets on a terminal: what is shown while they run, and what Ctrl-C gives.

mod support;

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use support::{hotset, skipped};

/// A command on a terminal of its own, which the program `script` makes.
struct OnTerminal {
    script: Child,
    shown: String,
}

impl OnTerminal {
    fn start(command: &str) -> Option<OnTerminal> {
        let command = format!("stty cols 200; '{}' {command}", hotset().display());
        let started = Command::new("script")
            .args([
                "--quiet",
                "--return",
                "--flush",
                "--command",
                &command,
                "/dev/null",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(script) = started else {
            skipped("the program `script` of util-linux is not installed");
            return None;
        };
        Some(OnTerminal {
            script,
            shown: String::new(),
        })
    }

    /// Waits until the terminal has shown this.
    fn shows(&mut self, text: &str) {
        let mut bytes = [0; 4096];
        let stdout = self.script.stdout.as_mut().expect("it is piped");
        while !self.shown.contains(text) {
            let read = stdout.read(&mut bytes).expect("a terminal to read");
            assert!(read > 0, "ended before `{text}`: {}", self.shown);
            self.shown += &String::from_utf8_lossy(&bytes[..read]);
        }
    }

    /// Presses Ctrl-C; all that was shown until the end, and how it ended.
    fn interrupted(mut self) -> (String, ExitStatus) {
        let mut keys = self.script.stdin.take().expect("it is piped");
        keys.write_all(b"\x03").expect("a terminal that takes keys");
        let mut rest = Vec::new();
        let stdout = self.script.stdout.as_mut().expect("it is piped");
        stdout.read_to_end(&mut rest).expect("a terminal to read");
        let ended = self.script.wait().expect("it ends");
        (self.shown + &String::from_utf8_lossy(&rest), ended)
    }
}

#[test]
fn a_long_run_shows_how_far_it_is_and_an_interrupt_gives_what_is_known() {
    let run = "net run mm1 --set rho=0.5 --until 500s --replications 1000";
    let Some(mut terminal) = OnTerminal::start(run) else {
        return;
    };
    terminal.shows("running replications");
    // Five pilot runs come before the first replications.
    terminal.shows(" 2 %");
    let (shown, ended) = terminal.interrupted();
    for part in [
        "in system",
        "utilisation",
        "interrupted; the report is about what was run",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_eq!(ended.code(), Some(130), "{shown}");
}

#[test]
fn a_long_exploration_shows_that_it_lives_and_an_interrupt_gives_what_was_found() {
    let check = "net check philosophers --set n=60 --memory 64GiB --max-markings 4000000000";
    let Some(mut terminal) = OnTerminal::start(check) else {
        return;
    };
    terminal.shows("exploring markings");
    let (shown, ended) = terminal.interrupted();
    for part in [
        "philosophers: at least",
        "most tokens so far",
        "interrupted; the report is about",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_eq!(ended.code(), Some(130), "{shown}");
}
