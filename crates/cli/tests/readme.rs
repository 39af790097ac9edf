//! The documents tell the truth: their commands print what they show, their links lead somewhere, their
//! tables are the program's.
//!
//! In README.md and docs/ every block fenced as `console` is run, line after line that starts with `$ `,
//! in a temporary folder of the document's own; what is printed must be what follows in the block. A block
//! fenced as `toml NAME` is first written to the file NAME, and `<!-- before: COMMAND -->` runs a command
//! whose output is not shown. `UPDATE_DOCS=1 cargo test -p hotset-cli readme` writes what commands
//! print now into the documents. Output that differs from machine to machine is fenced as `console nginx` or `console demo`:
//! `five_commands.rs` and `demo.rs` run those commands, and compare what they print without its figures.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs, thread};

use hotset_cache::PolicyKind;
use hotset_scenario::{BUILTIN, DeviceKind, Profile};
use hotset_trace::formats::FormatKind;
use tempfile::TempDir;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page that is for readers.
fn documents() -> Vec<PathBuf> {
    let mut pages = book();
    pages.extend(
        pages_in(&repository())
            .into_iter()
            .filter(|path| path.is_file()),
    );
    pages
}

/// The pages under docs/.
fn book() -> Vec<PathBuf> {
    let (mut pages, mut folders) = (Vec::new(), vec![repository().join("docs")]);
    while let Some(folder) = folders.pop() {
        let (subfolders, files): (Vec<_>, Vec<_>) = pages_in(&folder)
            .into_iter()
            .partition(|path| path.is_dir());
        folders.extend(subfolders);
        pages.extend(files);
    }
    assert!(pages.len() > 10, "the book is there: {pages:?}");
    pages
}

/// Markdown files of a folder, and its folders.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    paths
        .filter(|path| path.is_dir() || path.extension().is_some_and(|e| e == "md"))
        .collect()
}

fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// A folder in which a document's commands run.
struct Shell(TempDir);

impl Shell {
    fn new() -> Shell {
        Shell(TempDir::new().expect("a temporary folder"))
    }

    /// What `command` prints to its standard output.
    fn prints(&self, command: &str) -> String {
        let hotset = Path::new(env!("CARGO_BIN_EXE_hotset"));
        let folder = hotset.parent().expect("a folder of binaries").as_os_str();
        let mut path = folder.to_owned();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.0.path())
            .env("PATH", path)
            .output()
            .expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && errors.is_empty(),
            "{command}: {errors}"
        );
        String::from_utf8(output.stdout).expect("output in UTF-8")
    }

    fn write(&self, name: &str, contents: &str) {
        fs::write(self.0.path().join(name), contents).expect("the folder takes files");
    }

    /// Has all that another folder has.
    fn copy(&self, other: &Shell) {
        self.prints(&format!("cp -r {}/. .", other.0.path().display()));
    }
}

/// What many pages begin with. It takes seconds, so it is run once for all of them.
const DEMO: &str = "hotset demo --requests 0 > demo.txt";

/// `page` with every shown output replaced by what the commands print now. In `demo` is what [`DEMO`] makes.
fn replayed(page: &str, demo: &OnceLock<Shell>) -> String {
    let (shell, mut now, mut lines) = (Shell::new(), String::new(), page.lines());
    while let Some(line) = lines.next() {
        let _ = writeln!(now, "{line}");
        if let Some(command) = line.strip_prefix("<!-- before: ") {
            match command.trim_end_matches(" -->") {
                DEMO => shell.copy(demo.get_or_init(|| {
                    let made = Shell::new();
                    made.prints(DEMO);
                    made
                })),
                command => drop(shell.prints(command)),
            }
        } else if let Some(name) = line.strip_prefix("```toml ") {
            let block = block(&mut lines);
            shell.write(name, &block);
            let _ = writeln!(now, "{block}```");
        } else if line == "```console" {
            let block = block(&mut lines);
            let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
            for command in commands {
                let _ = write!(now, "$ {command}\n{}", shell.prints(command));
            }
            let _ = writeln!(now, "```");
        }
    }
    now
}

/// The lines up to the end of the block.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    let lines = lines.take_while(|line| *line != "```");
    lines.map(|line| format!("{line}\n")).collect()
}

/// Where `page` first shows something else than its commands print now. With `UPDATE_DOCS` it is rewritten
/// instead.
fn difference(page: &Path, demo: &OnceLock<Shell>) -> Option<String> {
    let (shown, now) = (read(page), replayed(&read(page), demo));
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(page, now).expect("a page that can be written");
        return None;
    }
    let line = |text: &str, index| text.lines().nth(index).unwrap_or("(nothing)").to_owned();
    let length = shown.lines().count().max(now.lines().count());
    let first = (0..length).find(|&index| line(&shown, index) != line(&now, index))?;
    Some(format!(
        "{}:{} shows\n  {}\nwhere the command prints\n  {}\n",
        page.display(),
        first + 1,
        line(&shown, first),
        line(&now, first)
    ))
}

#[test]
fn commands_print_what_the_documents_show() {
    let pages = documents();
    let shows_output = |page: &&PathBuf| read(page).contains("```console");
    let demo = &OnceLock::new();
    let differences: String = thread::scope(|scope| {
        let running: Vec<_> = pages
            .iter()
            .filter(shows_output)
            .map(|page| scope.spawn(|| difference(page, demo)))
            .collect();
        let done = running
            .into_iter()
            .filter_map(|page| page.join().expect("commands that run"));
        done.collect()
    });
    assert!(
        differences.is_empty(),
        "{differences}UPDATE_DOCS=1 cargo test -p hotset-cli readme rewrites the pages"
    );
}

/// Targets of the links of a page, without code blocks.
fn links(page: &str) -> Vec<String> {
    let is_prose = |(index, _): &(usize, &str)| index % 2 == 0;
    let prose = page.split("```").enumerate().filter(is_prose);
    let targets = prose.flat_map(|(_, text)| text.split("](").skip(1));
    targets
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target.to_owned()))
        .collect()
}

/// The anchor that forges give a heading.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn broken(page: &Path, link: &str) -> bool {
    if link.contains("://") {
        return false;
    }
    let (file, part) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        page.to_owned()
    } else {
        page.with_file_name(file)
    };
    let has_part = || {
        read(&target)
            .lines()
            .any(|line| line.starts_with('#') && anchor(line) == part)
    };
    !target.exists() || !(part.is_empty() || has_part())
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    for page in documents() {
        let links = links(&read(&page));
        let broken: Vec<&String> = links.iter().filter(|link| broken(&page, link)).collect();
        assert!(broken.is_empty(), "{}: {broken:?}", page.display());
    }
}

#[test]
fn every_page_of_the_book_is_reached_from_its_index() {
    let index = repository().join("docs/README.md");
    let linked: Vec<PathBuf> = links(&read(&index))
        .iter()
        .map(|link| index.with_file_name(link.split('#').next().unwrap_or_default()))
        .collect();
    let same = |a: &Path, b: &Path| fs::canonicalize(a).ok() == fs::canonicalize(b).ok();
    for page in book() {
        let found = same(&page, &index) || linked.iter().any(|linked| same(linked, &page));
        assert!(found, "{page:?}");
    }
}

#[test]
fn two_commands_set_hotset_up() {
    let page = read(&repository().join("README.md"));
    let block = page
        .split("```sh\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let commands = block.expect("a block of set-up commands").lines();
    let commands: Vec<&str> = commands
        .filter_map(|line| line.split('#').next())
        .map(str::trim_end)
        .collect();
    assert_eq!(commands, ["cargo run --release -- demo", "./check"]);
}

#[test]
fn the_reference_of_commands_has_every_command() {
    let headings = read(&repository().join("docs/reference/commands.md"));
    let headings: Vec<String> = headings
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(anchor)
        .collect();
    let folder = TempDir::new().expect("a folder");
    let written = Command::new(env!("CARGO_BIN_EXE_hotset"))
        .args(["man", "--dir"])
        .arg(folder.path())
        .output()
        .expect("the program");
    assert!(written.status.success(), "{written:?}");
    // A manual page is named as its command, with dashes between the words.
    let commands: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder of pages")
        .map(|page| page.expect("a page").path())
        .filter_map(|page| Some(page.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    assert!(commands.len() > 50, "{commands:?}");
    let left_out: Vec<&String> = commands
        .iter()
        .filter(|command| !headings.contains(command))
        .collect();
    assert!(left_out.is_empty(), "no section for {left_out:?}");
}

#[test]
fn the_table_of_profiles_is_the_programs() {
    let page = read(&repository().join("docs/reference/profiles.md"));
    for profile in BUILTIN.map(|name| Profile::builtin(name).expect("a built-in profile")) {
        let (cached, uncached) = (profile.cached, profile.uncached);
        let figures = [profile.open_us, cached.fixed_us, cached.bytes_per_us]
            .into_iter()
            .chain([uncached.fixed_us, uncached.bytes_per_us]);
        let cells: Vec<String> = figures.map(|figure| format!("{figure:.1}")).collect();
        let row = format!("| `{}` | {} |", profile.name, cells.join(" | "));
        assert!(page.contains(&row), "no row {row}");
    }
}

#[test]
fn the_table_of_devices_is_the_programs() {
    let page = read(&repository().join("docs/reference/profiles.md"));
    for profile in BUILTIN.map(|name| Profile::builtin(name).expect("a built-in profile")) {
        let Some(DeviceKind::Ssd(of)) = profile.device.map(|it| it.kind) else {
            continue;
        };
        let rates = format!(
            "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {} |",
            of.channels,
            of.read_us,
            of.bus_bytes_per_us,
            of.interface_bytes_per_us,
            of.command_us,
            of.queue_depth
        );
        let begins = format!("| `{}` | ", profile.name);
        let mut rows = page.lines().filter(|line| line.starts_with(&begins));
        assert!(
            rows.any(|row| row.ends_with(&rates)),
            "no row of {begins}with {rates}"
        );
    }
}

#[test]
fn every_format_and_policy_has_its_place_in_the_reference() {
    let formats = read(&repository().join("docs/reference/log-formats.md"));
    for kind in FormatKind::ALL {
        assert!(formats.contains(&format!("`{kind}`")), "{kind}");
    }
    let policies = read(&repository().join("docs/reference/cache-policies.md"));
    for kind in PolicyKind::ALL {
        assert!(policies.contains(&format!("| `{kind}` |")), "{kind}");
    }
}
