//! All logs of a machine, followed.

use super::super::ReadError;
use super::super::options::ReadOptions;
use super::super::sites::Sites;
use super::log::{FollowedLog, LogEvent, LoggedRequest, Rules};
use super::place::Place;
use super::siblings::LogName;
use super::tail::StartingPoint;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Logs that are read as they grow.
pub struct Follower {
    options: ReadOptions,
    rules: Rules,
    names: Vec<PathBuf>,
    /// By what each is called without the marks of rotation.
    logs: BTreeMap<String, FollowedLog>,
    /// Names that stand for no file yet, and whether that was told.
    unmatched: BTreeMap<PathBuf, bool>,
}

impl Follower {
    /// Follows `names`: the files that servers write, or patterns of their names (`access-*.log`). A log with a place among
    /// `places` goes on there, another with what is written from now on. Of the options count the format, the zone, guesses,
    /// sites and queries.
    ///
    /// # Errors
    /// When nothing is named, or a log is there and cannot be opened. One that is not there yet is waited for.
    pub fn new(
        names: &[PathBuf],
        options: ReadOptions,
        places: &BTreeMap<String, Place>,
    ) -> Result<Follower, ReadError> {
        if names.is_empty() {
            return Err(ReadError::NoInput);
        }
        if let Some(folder) = names.iter().find(|name| name.is_dir()) {
            return Err(ReadError::Directory(folder.clone()));
        }
        let mut follower = Follower {
            rules: Rules {
                sites: Sites::new(options.sites.clone())?,
                query: options.query,
            },
            options,
            names: names.to_vec(),
            logs: BTreeMap::new(),
            unmatched: BTreeMap::new(),
        };
        follower.begin(|log| {
            places
                .get(log)
                .map_or(StartingPoint::Now, StartingPoint::At)
        })?;
        Ok(follower)
    }

    /// Looks for logs that the patterns match since the last time, and follows them from their beginning.
    ///
    /// # Errors
    /// When one cannot be opened.
    pub fn find_logs(&mut self) -> Result<(), ReadError> {
        self.begin(|_| StartingPoint::Start)
    }

    fn begin<'p>(&mut self, begin: impl Fn(&str) -> StartingPoint<'p>) -> Result<(), ReadError> {
        for name in &self.names {
            let logs = LogName::all_of(name);
            match logs.is_empty() {
                true => _ = self.unmatched.entry(name.clone()).or_default(),
                false => _ = self.unmatched.remove(name),
            }
            for name in logs {
                let log = name.as_str().to_owned();
                if !self.logs.contains_key(&log) {
                    let begin = begin(&log);
                    self.logs
                        .insert(log, FollowedLog::begin(name, begin, &self.rules)?);
                }
            }
        }
        Ok(())
    }

    /// Hands over the requests for files that were logged since the last look, and what else happened to which log.
    ///
    /// # Errors
    /// When there are more sites than can be told apart.
    pub fn poll(
        &mut self,
        mut take: impl FnMut(&LoggedRequest<'_>),
        mut tell: impl FnMut(&str, LogEvent),
    ) -> Result<(), ReadError> {
        for (name, is_told) in &mut self.unmatched {
            if !std::mem::replace(is_told, true) {
                tell(&name.to_string_lossy(), LogEvent::Missing);
            }
        }
        for (name, log) in &mut self.logs {
            log.poll(&mut self.rules, &self.options, &mut take, &mut |event| {
                tell(name, event);
            })?;
        }
        Ok(())
    }

    /// The logs that are followed.
    pub fn logs(&self) -> impl Iterator<Item = &str> {
        self.logs.keys().map(String::as_str)
    }

    /// How far each log has been read.
    pub fn places(&self) -> BTreeMap<String, Place> {
        let logs = self.logs.iter();
        let place =
            |(name, log): (&String, &FollowedLog)| Some((name.clone(), log.place()?.clone()));
        logs.filter_map(place).collect()
    }
}
