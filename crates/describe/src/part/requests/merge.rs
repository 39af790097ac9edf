//! Rows of several logs as one trace.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::path::Path;

use hotset_trace::read::{LogAlone, ReadSummary};
use hotset_trace::{NO_OBJECT, Requests, Trace};

use super::TracePart;
use crate::part::of_log::{Places, with_node};
use crate::part::whole::{Whole, read_elsewhere};
use crate::part::{ClientKey, Part, PartError};

/// The trace of all logs, as one process reads it that is given them in the order of their names.
#[derive(Debug)]
pub struct MergedTrace {
    /// The requests in log order and what they name.
    pub trace: Trace,
    /// How they were read.
    pub summary: ReadSummary,
    /// Whether clients are addresses as logged.
    pub keeps_clients: bool,
}

impl TracePart {
    /// Merges parts, each with its name for messages. The result does not depend on their order.
    ///
    /// # Errors
    /// As [`Part::merge`] and [`Part::describe`].
    pub fn merge(parts: Vec<(String, TracePart)>) -> Result<MergedTrace, PartError> {
        let by_time = parts.iter().any(|(_, part)| part.by_time);
        let first = parts
            .first()
            .map(|(name, _)| name.clone())
            .unwrap_or_default();
        let (mut counted, mut logs) = (Vec::new(), Vec::new());
        for (name, part) in parts {
            counted.push((name, part.counted()?));
            let TracePart {
                node, logs: more, ..
            } = part;
            logs.extend(more.into_iter().map(|log| (node.clone(), log)));
        }
        let counted = Part::merge(counted)?;
        let whole = counted.checked_whole(&first)?;
        let summary = counted.summary(&whole);
        let requests = in_order(Names::of(&counted, &whole).renamed(&counted, logs));
        Ok(MergedTrace {
            trace: Trace {
                requests: if by_time { sorted(&requests) } else { requests },
                ..whole.trace
            },
            summary,
            keeps_clients: counted.rules.clients == ClientKey::None,
        })
    }
}

/// Ids of the whole by name.
struct Names<'a> {
    sites: HashMap<&'a str, u16>,
    clients: &'a HashMap<&'a [u8], u32>,
    objects: HashMap<(u16, &'a [u8]), u32>,
    /// Files that only other logs had read before, by the log and the row that asks for them.
    read_elsewhere: HashMap<usize, Vec<(usize, u32)>>,
}

impl<'a> Names<'a> {
    fn of(counted: &'a Part, whole: &'a Whole<'a>) -> Names<'a> {
        let (sites, objects) = (&whole.trace.sites, &whole.trace.objects);
        let files = objects.site.iter().copied().zip(objects.path.iter());
        let mut names = Names {
            sites: sites.iter().map(String::as_str).zip(0..).collect(),
            clients: &whole.clients,
            objects: files.zip(0..).collect(),
            read_elsewhere: HashMap::new(),
        };
        for (unread, site, path) in read_elsewhere(counted) {
            let site = names.sites[counted.sites[site].name.as_str()];
            let of_log = names
                .read_elsewhere
                .entry(unread.at.log as usize)
                .or_default();
            of_log.push((unread.at.row as usize, names.objects[&(site, path)]));
        }
        names
    }

    /// The rows of each log in the order of logs, with the ids of the whole.
    fn renamed(
        &self,
        counted: &Part,
        logs: Vec<(Option<String>, LogAlone)>,
    ) -> Vec<(Requests, Places)> {
        let mut renamed: Vec<(Requests, Places)> = Vec::new();
        renamed.resize_with(counted.logs.len(), Default::default);
        for (node, log) in logs {
            let (begins_us, first) = (log.evidence.begins_us, first_file(&log, node.as_deref()));
            let order = (begins_us, Path::new(&first));
            let place = counted.logs.binary_search_by(|log| log.order().cmp(&order));
            // Each log was counted.
            if let Ok(place) = place {
                renamed[place] = self.rows(log.trace, begins_us, place);
            }
        }
        renamed
    }

    fn rows(&self, trace: Trace, begins_us: i64, log: usize) -> (Requests, Places) {
        let places = Places::of(&trace, begins_us);
        let sites: Vec<u16> = trace
            .sites
            .iter()
            .map(|name| self.sites[name.as_str()])
            .collect();
        let clients: Vec<u32> = trace
            .clients
            .iter()
            .map(|name| self.clients[name])
            .collect();
        let files = trace.objects.site.iter().zip(trace.objects.path.iter());
        let objects: Vec<u32> = files
            .map(|(&site, path)| self.objects[&(sites[usize::from(site)], path)])
            .collect();
        let mut rows = trace.requests;
        rows.site
            .iter_mut()
            .for_each(|site| *site = sites[usize::from(*site)]);
        rows.client
            .iter_mut()
            .for_each(|client| *client = clients[*client as usize]);
        for object in rows
            .object
            .iter_mut()
            .filter(|object| **object != NO_OBJECT)
        {
            *object = objects[*object as usize];
        }
        for &(row, object) in self.read_elsewhere.get(&log).into_iter().flatten() {
            rows.object[row] = object;
        }
        (rows, places)
    }
}

fn first_file(log: &LogAlone, node: Option<&str>) -> String {
    let first = log.summary.sources.first();
    first.map_or_else(String::new, |source| with_node(&source.file, node))
}

/// Rows of several logs by (running maximum of times, log, row).
fn in_order(logs: Vec<(Requests, Places)>) -> Requests {
    let mut all = Requests::default();
    let mut taken = vec![0; logs.len()];
    let key = |log: usize, row: usize| Some((logs[log].1.high_us(row)?, log));
    let firsts = (0..logs.len()).filter_map(|log| key(log, 0));
    let mut next: BinaryHeap<Reverse<(i64, usize)>> = firsts.map(Reverse).collect();
    while let Some(Reverse((_, log))) = next.pop() {
        let until = next.peek().map(|next| next.0);
        let mut end = taken[log] + 1;
        while key(log, end).is_some_and(|key| until.is_none_or(|until| key < until)) {
            end += 1;
        }
        all.extend_from_rows(&logs[log].0, taken[log]..end);
        taken[log] = end;
        next.extend(key(log, end).map(Reverse));
    }
    all
}

/// Rows by time; those of the same time stay in order.
fn sorted(rows: &Requests) -> Requests {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| rows.time_us[row]);
    let mut sorted = Requests::default();
    order.into_iter().for_each(|row| sorted.push(rows.get(row)));
    sorted
}
