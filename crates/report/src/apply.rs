//! `hotset apply`.

use std::borrow::Cow;
use std::path::Path;

use hotset_live::{
    Charge, FileState, FileStatus, PlacerKind, Preview, ServerKind, SiteFolder, State, Tally,
    WantedPool,
};
use hotset_scenario::FilePath;
use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number};

/// Rows of a list of files that people are shown.
const SHOWN_FILES: usize = 10;

/// Roots of an example of a command.
const SHOWN_ROOTS: usize = 3;

/// What is held after a plan was applied.
pub struct AppliedView<'a> {
    /// What is held.
    pub state: &'a State,
    /// The state folder.
    pub folder: &'a Path,
    /// What has the server look for copies; none where it need not.
    pub lookup: Option<&'a Lookup>,
}

/// What has a server look for copies in a hot root.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The server and lines for its configuration, where it is known.
    pub lines: Option<(ServerKind, String)>,
}

/// What applying a plan would change.
pub struct PreviewView<'a> {
    /// What would change.
    pub preview: &'a Preview,
    /// How files would be held.
    pub placer: PlacerKind,
}

/// Of the files that are held. Other names of a file take nothing.
pub(crate) fn held<'f>(files: impl IntoIterator<Item = &'f FileState>) -> Tally {
    let mut held = Tally::default();
    for file in files {
        match &file.status {
            FileStatus::Held(identity) => {
                held.objects += 1;
                held.bytes += identity.size_bytes;
            }
            FileStatus::Shared(_) => held.objects += 1,
            FileStatus::LeftOut(_) => {}
        }
    }
    held
}

fn words(tally: Tally) -> String {
    let files = number::counted(tally.objects, "file", "files");
    format!("{files} ({})", number::bytes(tally.bytes))
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct LeftOut<'a> {
    /// Its site.
    site: &'a str,
    /// Path within the site; bytes where it is not UTF-8.
    path: &'a FilePath,
    /// Why, and what to do where something can be done.
    reason: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Memory {
    /// Memory that the held files take, in whole pages. Of `hotset status`: what living processes have locked, or the copies that
    /// are served.
    pub held_bytes: u64,
    /// Memory that held files may take: what the plan was made for, or what the server's group and the machine have
    /// room for, less headroom.
    pub budget_bytes: u64,
}

/// What `--json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Applied<'a> {
    /// How files are held.
    placer: PlacerKind,
    /// Files that are held.
    held: Tally,
    /// Files of the plan that are not held, the most valuable first.
    left_out: Vec<LeftOut<'a>>,
    /// Memory that is held, and that may be.
    memory: Memory,
    /// The server's memory group before and after files were placed; null without a group, and where nothing was to
    /// be placed.
    charge: Option<ChargeMissing<'a>>,
    /// Lines that the server's configuration needs for copies to be read; null unless the placer is a hot root and the server is
    /// one whose configuration is known.
    lookup_lines: Option<&'a str>,
    /// Buffer pools of database servers that are set; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pools: Vec<Pool<'a>>,
}

/// The buffer pool of a database server.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Pool<'a> {
    /// The socket that the server listens on.
    socket: Cow<'a, str>,
    /// What it was told, bytes. It may make the next whole number of chunks of it.
    pool_bytes: u64,
    /// Whether a file in its configuration keeps it over a new start of the server.
    is_kept: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ChargeMissing<'a> {
    #[serde(flatten)]
    charge: &'a Charge,
    /// What of it is charged to other groups.
    missing_bytes: u64,
}

/// What `--dry-run --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Previewed<'a> {
    /// Nothing was changed.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = true)))]
    dry_run: bool,
    /// How files are held.
    placer: PlacerKind,
    /// Files that are held.
    held: Tally,
    /// Files of the plan that are not held, the most valuable first.
    left_out: Vec<LeftOut<'a>>,
    /// With --dry-run.
    changes: Changes,
    /// Buffer pools that database servers would be told to have; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pools: Vec<Pool<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Changes {
    /// Would be held, and is not.
    added: Tally,
    /// Is held, and would be.
    kept: Tally,
    /// Is held, and would not be.
    dropped: Tally,
}

fn left_out(files: &[FileState]) -> Vec<LeftOut<'_>> {
    let left_out = files.iter().filter_map(|file| match &file.status {
        FileStatus::LeftOut(reason) => Some(LeftOut {
            site: &file.site,
            path: &file.path,
            reason,
        }),
        FileStatus::Held(_) | FileStatus::Shared(_) => None,
    });
    left_out.collect()
}

/// Adds the first files that are left out, and how many more there are.
fn show_left_out<'a>(files: &'a [FileState], to: &mut Document<'a>) {
    let more = left_out(files).len().saturating_sub(SHOWN_FILES) as u64;
    let files_more = number::counted(more, "more file", "more files");
    to.table(move |_| {
        Table::of(left_out(files).into_iter().take(SHOWN_FILES))
            .text("site", |it| it.site)
            .flexible("file", |it| {
                String::from_utf8_lossy(&it.path.0).into_owned()
            })
            .flexible("left out because it", |it| it.reason)
    })
    .heading("Left out")
    .below(
        Tone::Plain,
        (more > 0).then(|| format!("and {files_more}; --json lists them all")),
    );
}

impl View for AppliedView<'_> {
    /// What is held, how, what is not and why.
    fn document(&self) -> Document<'_> {
        let state = self.state;
        let headline = format!(
            "Holding {} by {} in {} of memory; {} may be held.",
            words(held(&state.files)),
            state.placer,
            number::bytes(state.held_bytes()),
            number::bytes(state.budget_bytes),
        );
        let folder = shell_word(&self.folder.to_string_lossy()).into_owned();
        let next = format!(
            "`hotset status --state {folder}` checks it, `hotset release --state {folder}` takes it back."
        );
        let mut to = Document::new(headline, Tone::Strong);
        to.sentence(state.charge.as_ref().map(charged))
            .sentence(next)
            .paragraph(pools_in_words(&state.pools))
            .paragraph(self.lookup.map(|lookup| lookup.words(self)))
            .preformatted(self.lookup_lines().map(str::to_owned));
        show_left_out(&state.files, &mut to);
        to
    }

    fn value(&self) -> impl Json {
        let state = self.state;
        Applied {
            placer: state.placer,
            held: held(&state.files),
            left_out: left_out(&state.files),
            memory: Memory {
                held_bytes: state.held_bytes(),
                budget_bytes: state.budget_bytes,
            },
            charge: state.charge.as_ref().map(|charge| ChargeMissing {
                charge,
                missing_bytes: charge.missing_bytes(),
            }),
            lookup_lines: self.lookup_lines(),
            pools: state.pools.iter().map(Pool::of).collect(),
        }
    }
}

impl<'a> Pool<'a> {
    fn of(pool: &'a WantedPool) -> Self {
        Self {
            socket: pool.socket.to_string_lossy(),
            pool_bytes: pool.bytes,
            is_kept: pool.configuration.is_some(),
        }
    }
}

/// What database servers were told; nothing without any.
fn pools_in_words(pools: &[WantedPool]) -> Option<String> {
    let sentence = |pool: &WantedPool| {
        let kept = match &pool.configuration {
            Some(folder) => format!("a file in {} keeps it over a new start", folder.display()),
            None => "nothing keeps it over a new start of the server: name the folder of its \
                     configuration as `configuration` of the [[database]]"
                .to_owned(),
        };
        format!(
            "The server at {} has a buffer pool of {}; {kept}.",
            pool.socket.display(),
            number::bytes(pool.bytes)
        )
    };
    let sentences: Vec<String> = pools.iter().map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

impl AppliedView<'_> {
    fn lookup_lines(&self) -> Option<&str> {
        let (_, lines) = self.lookup?.lines.as_ref()?;
        Some(lines)
    }
}

impl Lookup {
    fn words(&self, applied: &AppliedView) -> String {
        match self.lines {
            Some((server, _)) => format!(
                "A copy is read only if the server looks for it. These lines of `hotset config {}` have it do so, unless its \
                 configuration has them already; `hotset status` says when no copy is read:",
                server.name()
            ),
            None => {
                let servers = ServerKind::ALL.map(ServerKind::name).join("|");
                format!(
                    "A copy is read only if the server looks for it: `hotset config {servers} --state {} {}` prints the lines for \
                     its configuration. `hotset status` says when no copy is read.",
                    shell_word(&applied.folder.to_string_lossy()),
                    roots(&applied.state.folders)
                )
            }
        }
    }
}

/// The options that name the folders of sites; of more than a few how they are written.
fn roots(folders: &[SiteFolder]) -> String {
    let option = |folder: &SiteFolder| {
        let prefix = match folder.prefix.as_str() {
            "/" => String::new(),
            prefix => format!(":{prefix}"),
        };
        let rule = format!("{}{prefix}={}", folder.site, folder.folder.display());
        format!("--root {}", shell_word(&rule))
    };
    match folders.len() > SHOWN_ROOTS {
        true => "--root SITE=DIR …".to_owned(),
        false => Vec::from_iter(folders.iter().map(option)).join(" "),
    }
}

/// `word` as a shell takes it for one: in single quotes where a character of it may mean something else (POSIX.1-2024, Shell
/// Command Language, 2.2.2).
fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(format!("'{}'", word.replace('\'', r"'\''"))),
    }
}

/// Whether the server's group pays for what was placed.
fn charged(charge: &Charge) -> String {
    let grown = charge.after_bytes.saturating_sub(charge.before_bytes);
    let rest = if charge.lay_in_memory {
        " Files of a tmpfs or ramfs stay charged to the groups whose processes wrote them."
    } else if charge.missing_bytes() > 0 {
        " The rest is charged to other groups, whose processes have these files mapped."
    } else {
        ""
    };
    let placed = number::bytes(charge.placed_bytes);
    let paid = match charge.missing_bytes() {
        0 => format!("all {placed}"),
        _ => format!("{} of {placed}", number::bytes(grown)),
    };
    format!(
        "Memory group {} pays for {paid}: its memory that cannot be evicted went from {} to {}.{rest}",
        charge.group.display(),
        number::bytes(charge.before_bytes),
        number::bytes(charge.after_bytes),
    )
}

impl View for PreviewView<'_> {
    /// What would be held anew, kept and given up.
    fn document(&self) -> Document<'_> {
        let preview = self.preview;
        let headline = format!(
            "Nothing was changed. Applying this by {} would hold {} more, keep {} and give up {}.",
            self.placer,
            words(preview.added),
            words(preview.kept),
            words(preview.dropped),
        );
        let mut to = Document::new(headline, Tone::Strong);
        let pool = |pool: &WantedPool| {
            let (socket, size) = (pool.socket.display(), number::bytes(pool.bytes));
            format!("The server at {socket} would have a buffer pool of {size}.")
        };
        let pools: Vec<String> = preview.pools.iter().map(pool).collect();
        to.paragraph(pools.join(" "));
        show_left_out(&preview.files, &mut to);
        to
    }

    fn value(&self) -> impl Json {
        let Preview {
            files,
            added,
            kept,
            dropped,
            pools,
        } = self.preview;
        Previewed {
            dry_run: true,
            placer: self.placer,
            held: held(files),
            left_out: left_out(files),
            changes: Changes {
                added: *added,
                kept: *kept,
                dropped: *dropped,
            },
            pools: pools.iter().map(Pool::of).collect(),
        }
    }
}
