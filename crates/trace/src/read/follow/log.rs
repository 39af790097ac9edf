//! One log: its lines as requests for files.

use super::super::access::{CountingRule, FileUse};
use super::super::log_file::{HEAD_BYTES, Parsers};
use super::super::options::ReadOptions;
use super::super::plausibility::implausible;
use super::super::sites::Sites;
use super::super::url::{Url, decoded};
use super::super::{QueryRule, ReadError};
use super::place::Place;
use super::siblings::LogName;
use super::tail::{StartingPoint, Tail, TailEvent};
use crate::formats::{Format, RequestTarget, trim_line_end};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// Lines after which it is looked whether most were rejected: the log may have turned into another format.
const LINES_OF_A_LOOK: u32 = 200;

/// What happened to a log besides new requests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogEvent {
    /// This file is read from here on.
    Began(PathBuf),
    /// Its lines are read in this format from here on.
    Format(&'static str),
    /// The file was truncated, and the lines behind the last one read were not found in a copy of it.
    LostLines,
    /// There is no such file, or none any more.
    Missing,
    /// It cannot be read, for this reason. It is tried again at every look.
    Unreadable(String),
}

/// What a request does with the file that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggedUse {
    /// It reads the file: the whole, or a part (status 206).
    Read {
        /// Whether all of it.
        whole: bool,
    },
    /// The file exists and none of it is read: HEAD, or 304 Not Modified.
    Checked,
}

/// A request for a file, as it was logged.
#[derive(Clone, Debug)]
pub struct LoggedRequest<'a> {
    /// The id of its site.
    pub site: u16,
    /// The name of its site.
    pub site_name: &'a str,
    /// The percent-decoded path; with the query where the rule for queries keeps it. Whoever follows a log looks files up beneath
    /// one root of their site, so that equal paths of several hosts of a site are one file.
    pub path: Cow<'a, [u8]>,
    /// What is done with the file.
    pub file_use: LoggedUse,
    /// Bytes of the response's body, where they are logged.
    pub bytes: Option<u64>,
    /// The client as logged; empty where none is.
    pub client: &'a [u8],
    /// Microseconds since 1970-01-01 UTC, where a time is logged.
    pub time_us: Option<i64>,
    /// Microseconds that the server took for the answer, where they are logged.
    pub took_us: Option<u64>,
}

/// The rules by which lines become requests for files.
pub(super) struct Rules {
    pub sites: Sites,
    pub query: QueryRule,
}

impl Rules {
    /// What a line says, if it is a request for a file.
    fn seen<'a>(
        &'a mut self,
        log_rule: usize,
        record: &crate::formats::Record<'a>,
    ) -> Result<Option<LoggedRequest<'a>>, ReadError> {
        let file_use = match CountingRule::Default.file_use(record.method, record.status) {
            FileUse::Read { whole } => LoggedUse::Read { whole },
            FileUse::Checked => LoggedUse::Checked,
            FileUse::OtherMethod | FileUse::OtherStatus => return Ok(None),
        };
        let RequestTarget::Url(target) = record.target else {
            return Ok(None);
        };
        let url = Url::of(target);
        let part = match url.has_query() {
            true => self.query.file_part(&url, || false),
            false => Some(url.path).filter(|path| !path.is_empty()),
        };
        let Some(part) = part else { return Ok(None) };
        let scope = self.sites.scope(log_rule, record.host)?;
        let path = decoded(part);
        let site = self.sites.of(scope, &path);
        Ok(Some(LoggedRequest {
            site,
            site_name: self.sites.name(site),
            path,
            file_use,
            bytes: record.bytes,
            client: record.client,
            time_us: record.time_us,
            took_us: record.took_us,
        }))
    }
}

/// A log that is followed.
pub(super) struct FollowedLog {
    tail: Tail,
    lines: Lines,
    /// The problem that was told last, so that it is told once.
    problem: Option<String>,
}

impl FollowedLog {
    pub fn begin(
        name: LogName,
        begin: StartingPoint<'_>,
        rules: &Rules,
    ) -> Result<FollowedLog, ReadError> {
        let text = name.as_str().to_owned();
        let tail = Tail::begin(name, begin);
        let tail = tail.map_err(|source| ReadError::of_open(text, source))?;
        Ok(FollowedLog {
            lines: Lines {
                log_rule: rules.sites.log_rule(tail.path()),
                format: None,
                aside: Vec::new(),
                count: 0,
                rejected: 0,
            },
            tail,
            problem: None,
        })
    }

    pub fn place(&self) -> Option<&Place> {
        self.tail.place()
    }

    /// Hands over what was requested since the last look, and what else happened.
    pub fn poll(
        &mut self,
        rules: &mut Rules,
        options: &ReadOptions,
        take: &mut dyn FnMut(&LoggedRequest<'_>),
        tell: &mut dyn FnMut(LogEvent),
    ) -> Result<(), ReadError> {
        loop {
            if self.lines.format.is_none() {
                self.choose_format(options, tell);
                self.lines.take_aside(rules, take)?;
            }
            let event = self.read(rules, take)?;
            match event {
                Ok(None) => break,
                Ok(Some(event)) => self.tell(event, tell),
                Err(error) => {
                    self.tell_problem(error.to_string(), tell);
                    break;
                }
            }
        }
        self.lines.look_at_rejected();
        Ok(())
    }

    /// Reads on in the file.
    fn read(
        &mut self,
        rules: &mut Rules,
        take: &mut dyn FnMut(&LoggedRequest<'_>),
    ) -> Result<io::Result<Option<TailEvent>>, ReadError> {
        let (mut failed, lines) = (None, &mut self.lines);
        let event = self.tail.poll(&mut |line| {
            if let Err(error) = lines.take(line, rules, take) {
                failed = Some(error);
            }
        });
        failed.map_or(Ok(event), Err)
    }

    /// Chooses the format by the first lines of the file, or by those that were put aside.
    fn choose_format(&mut self, options: &ReadOptions, tell: &mut dyn FnMut(LogEvent)) {
        let name = self.tail.path().display().to_string();
        let head = match self.lines.aside.is_empty() {
            true => self.tail.head(HEAD_BYTES).unwrap_or_default(),
            false => self.lines.aside.clone(),
        };
        if head.is_empty() {
            return;
        }
        match Parsers::of_head(&head, &name, options) {
            Ok(parsers) => {
                let mut format = parsers.parser();
                if format.carries_state() {
                    self.learn_state(format.as_mut());
                }
                self.lines.format = Some(format);
                self.problem = None;
                tell(LogEvent::Format(parsers.name()));
            }
            Err(error) => self.tell_problem(error.to_string(), tell),
        }
    }

    /// Lets a format read the lines that bear on later ones.
    fn learn_state(&self, format: &mut dyn Format) {
        let head = self.tail.head(HEAD_BYTES).unwrap_or_default();
        let before = self.place().map_or(0, |place| place.offset);
        let length = head
            .len()
            .min(usize::try_from(before).unwrap_or(usize::MAX));
        for line in head[..length].split(|&byte| byte == b'\n') {
            // What they request was handed over.
            let _record = format.parse(line.strip_suffix(b"\r").unwrap_or(line));
        }
    }

    fn tell(&mut self, event: TailEvent, tell: &mut dyn FnMut(LogEvent)) {
        tell(match event {
            TailEvent::Began(file) => {
                self.lines.format = None;
                self.lines.aside.clear();
                LogEvent::Began(file)
            }
            TailEvent::LostLines => LogEvent::LostLines,
            TailEvent::Missing => LogEvent::Missing,
        });
    }

    fn tell_problem(&mut self, problem: String, tell: &mut dyn FnMut(LogEvent)) {
        if self.problem.as_ref() != Some(&problem) {
            tell(LogEvent::Unreadable(problem.clone()));
            self.problem = Some(problem);
        }
    }
}

/// Where lines go.
struct Lines {
    log_rule: usize,
    format: Option<Box<dyn Format>>,
    /// Lines that wait until the format is known; where it is, the last that were rejected.
    aside: Vec<u8>,
    /// Lines since it was last looked whether most are rejected, and how many were.
    count: u32,
    rejected: u32,
}

impl Lines {
    fn take(
        &mut self,
        line: &[u8],
        rules: &mut Rules,
        take: &mut dyn FnMut(&LoggedRequest<'_>),
    ) -> Result<(), ReadError> {
        let Some(format) = &mut self.format else {
            self.put_aside(line);
            return Ok(());
        };
        self.count = self.count.saturating_add(1);
        match format.parse(line) {
            Ok(None) => {}
            Ok(Some(record)) if implausible(&record).is_none() => {
                if let Some(seen) = rules.seen(self.log_rule, &record)? {
                    take(&seen);
                }
            }
            _ => {
                self.rejected += 1;
                self.put_aside(line);
            }
        }
        Ok(())
    }

    /// Hands over the requests in the lines that waited for the format.
    fn take_aside(
        &mut self,
        rules: &mut Rules,
        take: &mut dyn FnMut(&LoggedRequest<'_>),
    ) -> Result<(), ReadError> {
        if self.format.is_none() {
            return Ok(());
        }
        let aside = std::mem::take(&mut self.aside);
        let mut waiting = aside.split_inclusive(|&byte| byte == b'\n');
        waiting.try_for_each(|line| self.take(trim_line_end(line), rules, take))
    }

    /// Keeps a line, as long as there are not more than a format is chosen by.
    fn put_aside(&mut self, line: &[u8]) {
        if self.aside.len() + line.len() < HEAD_BYTES {
            self.aside.extend_from_slice(line);
            self.aside.push(b'\n');
        }
    }

    /// Where most lines were rejected, those decide which format comes next.
    fn look_at_rejected(&mut self) {
        if self.count < LINES_OF_A_LOOK {
            return;
        }
        match 2 * self.rejected > self.count {
            true => self.format = None,
            false => self.aside.clear(),
        }
        (self.count, self.rejected) = (0, 0);
    }
}
