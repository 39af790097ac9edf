//! Sections of a job file, and their lines.

/// Most sections: fio has as many jobs (`REAL_MAX_JOBS`, `os/os.h`).
const MOST_SECTIONS: usize = 4096;

/// Longest name of a section, bytes: fio reads no more (`parse_jobs_ini`, `init.c`).
const MOST_NAME_BYTES: usize = 255;
/// Most characters of a line that a message repeats.
const MOST_SHOWN: usize = 80;

/// What is wrong with a line.
pub(super) struct LineError {
    pub line: usize,
    pub message: String,
}

impl LineError {
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { line, message }
    }
}

/// A line of a section.
#[derive(Clone, Copy)]
pub(super) struct Setting<'t> {
    pub line: usize,
    pub name: &'t str,
    pub value: Option<&'t str>,
}

impl Setting<'_> {
    pub fn wrong(&self, message: impl std::fmt::Display) -> LineError {
        let value = self
            .value
            .map_or_else(String::new, |value| format!("={value}"));
        let line = shown(&format!("{}{value}", self.name));
        LineError::new(self.line, format!("`{line}`: {message}"))
    }
}

/// The start of a long text.
fn shown(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The sections of jobs, and `[global]`.
#[derive(Default)]
pub(super) struct Sections<'t> {
    global: Vec<Setting<'t>>,
    jobs: Vec<Section<'t>>,
}

/// A job's section.
struct Section<'t> {
    line: usize,
    name: &'t str,
    /// How many lines of `[global]` stand before it.
    global: usize,
    own: Vec<Setting<'t>>,
}

/// A job's section with what `[global]` says before it.
#[derive(Clone, Copy)]
pub(super) struct JobSection<'s, 't> {
    pub line: usize,
    pub name: &'t str,
    global: &'s [Setting<'t>],
    own: &'s [Setting<'t>],
}

impl<'s, 't> JobSection<'s, 't> {
    /// Its lines, in their order.
    pub fn settings(&self) -> impl DoubleEndedIterator<Item = &'s Setting<'t>> + use<'s, 't> {
        self.global.iter().chain(self.own)
    }
}

impl<'t> Sections<'t> {
    /// Those of `text`.
    pub fn of(text: &'t str) -> Result<Self, LineError> {
        let mut sections = Self::default();
        let mut in_global = None;
        for (number, line) in text.lines().enumerate() {
            let (number, line) = (number + 1, without_comment(line).trim());
            if line.is_empty() {
                continue;
            }
            if line.starts_with("include ") {
                let message = format!(
                    "`{}`: other files are not read; put their lines here",
                    shown(line)
                );
                return Err(LineError::new(number, message));
            }
            if let Some(name) = header(line, number)? {
                in_global = Some(name == "global");
                sections.begin(name, number)?;
                continue;
            }
            let setting = setting(line, number);
            match (in_global, sections.jobs.last_mut()) {
                (Some(true), _) => sections.global.push(setting),
                (Some(false), Some(section)) => section.own.push(setting),
                _ => {
                    return Err(
                        setting.wrong("stands before the first section; write [global] above it")
                    );
                }
            }
        }
        Ok(sections)
    }

    fn begin(&mut self, name: &'t str, line: usize) -> Result<(), LineError> {
        if name == "global" {
            return Ok(());
        }
        if self.jobs.len() == MOST_SECTIONS {
            let message = format!("`[{name}]`: is more than the {MOST_SECTIONS} jobs that fio has");
            return Err(LineError::new(line, message));
        }
        self.jobs.push(Section {
            line,
            name,
            global: self.global.len(),
            own: Vec::new(),
        });
        Ok(())
    }

    /// The sections of jobs.
    pub fn jobs(&self) -> impl Iterator<Item = JobSection<'_, 't>> {
        self.jobs.iter().map(|section| JobSection {
            line: section.line,
            name: section.name,
            global: &self.global[..section.global],
            own: &section.own,
        })
    }
}

/// fio takes either character for the start of a comment wherever it stands (`strip_blank_end`, `parse.c`).
fn without_comment(line: &str) -> &str {
    line.split([';', '#']).next().unwrap_or_default()
}

fn header(line: &str, number: usize) -> Result<Option<&str>, LineError> {
    let Some(rest) = line.strip_prefix('[') else {
        return Ok(None);
    };
    match rest.strip_suffix(']').map(str::trim) {
        Some(name) if is_name(name) => Ok(Some(name)),
        _ => Err(LineError::new(
            number,
            format!(
                "`{}`: write a section as [name], of at most 255 bytes without slashes",
                shown(line)
            ),
        )),
    }
}

fn is_name(text: &str) -> bool {
    (1..=MOST_NAME_BYTES).contains(&text.len()) && !text.contains(['[', ']', '/'])
}

fn setting(text: &str, line: usize) -> Setting<'_> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (text, None),
    };
    Setting { line, name, value }
}
