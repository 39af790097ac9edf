//! What the README shows of commands whose figures differ from machine to machine.
//!
//! It is compared word by word without figures, sizes of units and the group that a machine's server is in. A line `…` stands for lines
//! that are left out.

use std::fs;
use std::path::Path;

/// A command of the README, and the lines that it prints there.
pub struct Step {
    pub command: String,
    shown: String,
}

impl Step {
    /// What was printed says what the README shows.
    #[track_caller]
    pub fn printed(&self, printed: &str) {
        let words = words(printed);
        let mut rest = &words[..];
        for part in self.shown.split("…\n").map(self::words) {
            let found = rest
                .windows(part.len().max(1))
                .position(|seen| seen == part);
            let at = found.or(part.is_empty().then_some(0)).unwrap_or_else(|| {
                panic!(
                    "README.md shows of {}\n{}where it prints\n{printed}",
                    self.command, self.shown
                )
            });
            rest = &rest[at + part.len()..];
        }
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| match word {
        "B" | "KiB" | "MiB" | "GiB" => "bytes".to_owned(),
        "ns" | "µs" | "ms" | "s" => "time".to_owned(),
        "resource" => "resources".to_owned(),
        group if group.starts_with("/sys/fs/cgroup/") => "group".to_owned(),
        other => other.replace(
            |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-'),
            "",
        ),
    });
    words.filter(|word| !word.is_empty()).collect()
}

pub fn readme() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    fs::read_to_string(page).expect("the README")
}

/// The blocks of a page that are fenced in a way.
pub fn blocks(page: &str, fence: &str) -> Vec<String> {
    let fence = format!("```{fence}\n");
    let after = page.split(fence.as_str()).skip(1);
    let block = |text: &str| text.split("```").next().expect("a block").to_owned();
    after.map(block).collect()
}

/// The commands of a block, and what they print there.
pub fn steps(block: &str) -> Vec<Step> {
    let step = |text: &str| {
        let (command, shown) = text.split_once('\n').expect("a line");
        Step {
            command: command.to_owned(),
            shown: shown.to_owned(),
        }
    };
    block.split("$ ").skip(1).map(step).collect()
}
