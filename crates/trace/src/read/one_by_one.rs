//! Logs that are read one by one, so that what is made of each can be put together later, and elsewhere.
//!
//! Read together, logs share tables, and what a request is can depend on requests of other logs: a file that is asked for with HEAD
//! counts as a file once any log has read it. Read alone, a log tells beside its rows what of them depends on others.

use super::clients::pseudonym;
use super::error::{ReadError, Unusable};
use super::evidence::Evidence;
use super::inputs::{self, Meter};
use super::log_file::LogFile;
use super::merge::Merge;
use super::options::ReadOptions;
use super::query::QueryRule;
use super::reading::{OnProgress, Progress, is_key_only, open};
use super::roots::{RootRule, Roots};
use super::rotation::{self, log_of};
use super::rows::Rows;
use super::sites::{SiteRule, Sites};
use super::summary::{ReadSummary, SourceSummary};
use super::twins::{self, DistinctFiles};
use super::{access::CountingRule, rules_in_words as words};
use crate::{Requests, Trace};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Without rules for sites, as many virtual hosts are sites of their own; which ones depends on the order of all requests.
pub const MAX_HOST_SITES: usize = super::sites::MAX_HOST_SITES;

/// A log, all its rotated files together, read as if there were no other.
#[derive(Debug)]
pub struct LogAlone {
    /// Its requests and what they name.
    pub trace: Trace,
    /// How it was read.
    pub summary: ReadSummary,
    /// What its requests may be in the presence of other logs.
    pub evidence: Evidence,
}

/// Reads the logs of `inputs` as [`super::read`] does, but each by itself, and hands them to `sink`. Rules for sites and roots
/// may meet nothing: [`check_rules`] is for whoever knows all logs. Returns the files that were not read, as another holds the
/// same in another compression.
///
/// # Errors
/// [`ReadError`] turned into the sink's error, or what the sink returned.
pub fn read_one_by_one<E: From<ReadError>>(
    inputs: &[PathBuf],
    options: &ReadOptions,
    progress: OnProgress<'_>,
    mut sink: impl FnMut(LogAlone) -> Result<(), E>,
) -> Result<Vec<SourceSummary>, E> {
    let mut inputs = inputs::expand(inputs)?;
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    let meter = Meter::default();
    let sites = Sites::new(options.sites.clone())?;
    let DistinctFiles { files, twins } = twins::part(open(inputs, &sites, options, &meter)?);
    let total_bytes = files.iter().map(|file| file.input.length).sum();
    let mut all = ReadSummary::default();
    for files in rotation::logs(files) {
        let files = files.into_iter().map(|(_, file)| file).collect();
        let before = all.requests;
        let mut tell = |requests| {
            progress(Progress {
                bytes: meter.bytes(),
                total_bytes,
                requests: before + requests,
            })
        };
        let log = read_alone(files, options, &meter, &mut tell)?;
        all.requests += log.summary.requests;
        for source in &log.summary.sources {
            all.add_source(source.clone());
        }
        sink(log)?;
    }
    refuse_without_requests(&all)?;
    Ok(twins.into_iter().map(|(_, twin)| twin).collect())
}

fn refuse_without_requests(all: &ReadSummary) -> Result<(), ReadError> {
    match all.sources.first() {
        Some(first) if all.requests == 0 => Err(ReadError::NoRequests {
            file: first.file.clone(),
            lines: all.lines,
            why: Unusable::of(all),
        }),
        _ => Ok(()),
    }
}

/// Reads the files of one log; `tell` is told the number of its requests so far.
pub(super) fn read_alone(
    files: Vec<LogFile>,
    options: &ReadOptions,
    meter: &Meter,
    tell: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<LogAlone, ReadError> {
    let about = about(&files);
    let sites = Sites::new(options.sites.clone())?;
    let mut rows = Rows::new(options, sites, Roots::new(options.roots.clone())?);
    rows.keep_evidence();
    let mut merge = Merge::new(files, options, meter.clone());
    let mut requests = Requests::default();
    while merge.fill(&mut rows, &mut requests, usize::MAX)? {
        if tell(rows.rows()).is_break() {
            return Err(ReadError::Interrupted);
        }
    }
    let mut summary = ReadSummary {
        logs: merge.logs(),
        ..rows.summary()
    };
    merge
        .finish()
        .into_iter()
        .for_each(|it| summary.add_source(it));
    let (trace, found) = rows.finish_alone();
    Ok(LogAlone {
        trace: Trace { requests, ..trace },
        evidence: Evidence {
            has_keys: summary
                .sources
                .iter()
                .any(|it| it.lines > 0 && is_key_only(it)),
            log: about.log,
            log_rule: about.log_rule,
            begins_us: about.begins_us,
            heads: about.heads,
            ..found
        },
        summary,
    })
}

/// What its files tell of a log before they are read.
fn about(files: &[LogFile]) -> Evidence {
    let first = files.first();
    Evidence {
        log: first.map_or_else(String::new, |file| log_of(&file.input.path)),
        log_rule: first.map_or(0, |file| file.log_rule),
        begins_us: first.map_or(i64::MIN, |file| file.first_us),
        heads: files.iter().map(|file| file.head_hash).collect(),
        ..Evidence::default()
    }
}

/// Refuses rules for sites that met no request, and roots of sites that there are not, as reading all logs together does.
///
/// # Errors
/// [`ReadError`] with the rule.
pub fn check_rules(
    sites: &[SiteRule],
    used: &[bool],
    roots: &[RootRule],
    names: &[String],
) -> Result<(), ReadError> {
    if let Some((unused, _)) = sites.iter().zip(used).find(|(_, used)| !**used) {
        return Err(unused.unused());
    }
    roots.iter().try_for_each(|root| root.check(names))
}

/// The rules by which requests were counted, as [`ReadSummary::rules`] has them.
pub fn rules_in_words(query: QueryRule, has_roots: bool, has_no_sizes: bool) -> Vec<String> {
    words::rules(CountingRule::Default, query, has_roots, has_no_sizes)
}

/// Tells keys of pseudonyms apart without giving them away: the pseudonym of a name that no client has.
pub fn client_key_check(key: &[u8; 16]) -> String {
    pseudonym(key, b"\0hotset client key")
}
