//! Parts put together. Tables are sorted by their keys, so that two of them merge in one pass.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;

use hotset_cache::Stop;
use hotset_trace::read::{NotFiles, NotFound, ReadError};
use hotset_trace::sessions::CONNECTION_GAP_US;

use super::{
    Client, Log, Object, Part, PartError, PathCounts, Place, Rules, Site, Spelling, UnreadRequest,
};

impl Part {
    /// Merges parts, each with the name of its file. The result does not depend on their order.
    ///
    /// # Errors
    /// [`PartError`]: nothing to merge, other rules or keys, or a log that is in two of them.
    pub fn merge(parts: Vec<(String, Part)>) -> Result<Part, PartError> {
        Part::merge_until(parts, None)
    }

    /// [`Part::merge`], until `stop` is asked.
    ///
    /// # Errors
    /// As [`Part::merge`], and [`ReadError::Interrupted`].
    pub fn merge_until(parts: Vec<(String, Part)>, stop: Option<&Stop>) -> Result<Part, PartError> {
        refuse_other_rules(&parts)?;
        refuse_twice(&parts)?;
        let last = parts
            .last()
            .map(|(file, _)| file.clone())
            .unwrap_or_default();
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        let part = Part::joined(parts, stop)?.ok_or(PartError::Nothing)?;
        part.check_hosts(&last)?;
        Ok(part)
    }

    /// Merges parts of the same rules and of different logs, two by two: each row is copied only as often as the number of
    /// parts can be halved.
    pub(super) fn joined(
        mut parts: Vec<Part>,
        stop: Option<&Stop>,
    ) -> Result<Option<Part>, ReadError> {
        while parts.len() > 1 {
            let mut rest = parts.into_iter();
            let mut halved = Vec::new();
            while let Some(left) = rest.next() {
                if stop.is_some_and(Stop::is_asked) {
                    return Err(ReadError::Interrupted);
                }
                halved.push(match rest.next() {
                    Some(right) => left.join(right),
                    None => left,
                });
            }
            parts = halved;
        }
        Ok(parts.pop())
    }

    fn join(mut self, mut other: Part) -> Part {
        let (logs, left, right) =
            merged_keys(self.logs, other.logs, |a, b| a.order().cmp(&b.order()));
        let (scopes, left_scopes, right_scopes) = merged_keys(self.scopes, other.scopes, Ord::cmp);
        let (left_sites, right_sites) = site_places(&self.sites, &other.sites);
        for (sites, unread, to_log, to_scope, to_site) in [
            (
                &mut self.sites,
                &mut self.unread,
                left,
                left_scopes,
                left_sites,
            ),
            (
                &mut other.sites,
                &mut other.unread,
                right,
                right_scopes,
                right_sites,
            ),
        ] {
            sites.iter_mut().for_each(|site| site.move_places(&to_log));
            spellings(sites).for_each(|it| it.scope = to_scope[it.scope as usize]);
            for it in unread {
                it.at.move_to(&to_log);
                it.scope = to_scope[it.scope as usize];
                it.site = to_site[it.site as usize];
            }
        }

        let mut twins = self.twins;
        twins.append(&mut other.twins);
        twins.sort();
        Part {
            rules: self.rules,
            used_rules: self
                .used_rules
                .iter()
                .zip(&other.used_rules)
                .map(|(a, b)| a | b)
                .collect(),
            logs,
            twins,
            not_files: added(self.not_files, other.not_files),
            scopes,
            sites: merged(
                self.sites,
                other.sites,
                |a, b| a.name.cmp(&b.name),
                Site::add,
            ),
            unread: merged(
                self.unread,
                other.unread,
                |a: &UnreadRequest, b| a.at.cmp(&b.at),
                |_, _| {},
            ),
            not_found: both(self.not_found, other.not_found),
        }
    }
}

/// Two sorted tables as one; rows of the same key are joined.
fn merged<T>(
    left: Vec<T>,
    right: Vec<T>,
    order: impl Fn(&T, &T) -> Ordering,
    join: impl Fn(&mut T, T),
) -> Vec<T> {
    let mut table = Vec::with_capacity(left.len().max(right.len()));
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    loop {
        let next = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => order(a, b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return table,
        };
        let row = match next {
            Ordering::Greater => right.next(),
            _ => left.next(),
        };
        table.extend(row);
        if next == Ordering::Equal
            && let (Some(row), Some(same)) = (table.last_mut(), right.next())
        {
            join(row, same);
        }
    }
}

/// Two sorted tables of keys as one, and where the rows of each went.
fn merged_keys<T>(
    left: Vec<T>,
    right: Vec<T>,
    order: impl Fn(&T, &T) -> Ordering,
) -> (Vec<T>, Vec<u32>, Vec<u32>) {
    let (mut to_left, mut to_right) = (vec![0; left.len()], vec![0; right.len()]);
    // (the row, its number on the left, its number on the right)
    let of = |table: Vec<T>| table.into_iter().enumerate();
    let left = of(left)
        .map(|(number, row)| (row, Some(number), None))
        .collect();
    let right = of(right)
        .map(|(number, row)| (row, None, Some(number)))
        .collect();
    let rows: Vec<(T, Option<usize>, Option<usize>)> = merged(
        left,
        right,
        |a, b| order(&a.0, &b.0),
        |row, same| row.2 = same.2,
    );
    let keys = rows
        .into_iter()
        .enumerate()
        .map(|(place, (row, of_left, of_right))| {
            of_left
                .into_iter()
                .for_each(|number: usize| to_left[number] = place as u32);
            of_right
                .into_iter()
                .for_each(|number: usize| to_right[number] = place as u32);
            row
        });
    (keys.collect(), to_left, to_right)
}

/// Where the sites of each side go when they are merged.
fn site_places(left: &[Site], right: &[Site]) -> (Vec<u32>, Vec<u32>) {
    let names = |sites: &[Site]| sites.iter().map(|site| site.name.clone()).collect();
    let (_, left, right) = merged_keys::<String>(names(left), names(right), Ord::cmp);
    (left, right)
}

fn spellings(sites: &mut [Site]) -> impl Iterator<Item = &mut Spelling> {
    let objects = sites.iter_mut().flat_map(|site| &mut site.objects);
    objects.flat_map(|object| &mut object.spellings)
}

impl Place {
    fn move_to(&mut self, logs: &[u32]) {
        self.log = logs[self.log as usize];
    }
}

impl Site {
    fn move_places(&mut self, logs: &[u32]) {
        self.first.iter_mut().for_each(|place| place.move_to(logs));
        self.clients
            .iter_mut()
            .for_each(|client| client.first.move_to(logs));
        let objects = self.objects.iter_mut();
        let spellings = objects.flat_map(|object| &mut object.spellings);
        spellings.for_each(|spelling| spelling.first.move_to(logs));
    }

    fn add(&mut self, other: Site) {
        self.first = self.first.into_iter().chain(other.first).min();
        add(&mut self.not_file_requests, other.not_file_requests);
        add(
            &mut self.not_modified_without_file,
            other.not_modified_without_file,
        );
        add(&mut self.response_bytes, other.response_bytes);
        self.methods.merge(&other.methods);
        for (status, requests) in other.status_codes {
            add(self.status_codes.entry(status).or_default(), requests);
        }
        self.minutes.merge(&other.minutes);
        self.span = match (self.span, other.span) {
            (Some(one), Some(other)) => Some(one.union(other)),
            (one, other) => one.or(other),
        };
        let objects = std::mem::take(&mut self.objects);
        self.objects = merged(
            objects,
            other.objects,
            |a, b| a.path.cmp(&b.path),
            Object::add,
        );
        let clients = std::mem::take(&mut self.clients);
        self.clients = merged(
            clients,
            other.clients,
            |a, b| a.name.cmp(&b.name),
            Client::add,
        );
    }
}

impl Object {
    fn add(&mut self, other: Object) {
        add(&mut self.accesses, other.accesses);
        self.size = self.size.max(other.size);
        let spellings = std::mem::take(&mut self.spellings);
        let earliest = |one: &mut Spelling, same: Spelling| one.first = one.first.min(same.first);
        self.spellings = merged(
            spellings,
            other.spellings,
            |a, b| a.key().cmp(&b.key()),
            earliest,
        );
    }
}

impl Client {
    fn add(&mut self, other: Client) {
        self.first = self.first.min(other.first);
        self.counts
            .add(other.counts.requests, other.counts.response_bytes);
        self.connections = joined_connections(&self.connections, &other.connections);
    }
}

/// Connections of one client, of which those with no more than a connection's gap between them are one.
///
/// Requests within a connection are at most the gap apart, so a request of the other side that lies within it, or at most the
/// gap away, belongs to it: merged intervals are the connections of all requests together.
pub(super) fn joined_connections(left: &[(i64, i64)], right: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::with_capacity(all.len());
    for (first, last) in all {
        match joined.last_mut() {
            Some((_, end)) if first.saturating_sub(*end) <= CONNECTION_GAP_US => {
                *end = last.max(*end)
            }
            _ => joined.push((first, last)),
        }
    }
    joined
}

/// Counts of both; none where more paths come together than can be kept, which then is so in any order.
fn both(left: Option<PathCounts>, right: Option<PathCounts>) -> Option<PathCounts> {
    let (mut all, other) = (left?, right?);
    for (path, requests) in other {
        add(all.entry(path).or_default(), requests);
    }
    (all.len() <= NotFound::MOST_PATHS).then_some(all)
}

fn add(count: &mut u64, more: u64) {
    *count = count.saturating_add(more);
}

fn added(one: NotFiles, other: NotFiles) -> NotFiles {
    NotFiles {
        other_method: one.other_method.saturating_add(other.other_method),
        other_status: one.other_status.saturating_add(other.other_status),
        query: one.query.saturating_add(other.query),
        not_under_root: one.not_under_root.saturating_add(other.not_under_root),
        not_read_before: one.not_read_before.saturating_add(other.not_read_before),
        no_target: one.no_target.saturating_add(other.no_target),
    }
}

fn refuse_other_rules(parts: &[(String, Part)]) -> Result<(), PartError> {
    let Some((first, rest)) = parts.split_first() else {
        return Err(PartError::Nothing);
    };
    for (file, part) in rest {
        if part.rules.clients != first.1.rules.clients {
            return Err(PartError::OtherKey {
                file: file.clone(),
                other: first.0.clone(),
            });
        }
        let (found, expected) = (options(&part.rules), options(&first.1.rules));
        if found != expected {
            let (file, other) = (file.clone(), first.0.clone());
            return Err(PartError::OtherRules {
                file,
                found,
                other,
                expected,
            });
        }
    }
    Ok(())
}

/// The options that make such rules.
fn options(rules: &Rules) -> String {
    let sites = rules.sites.iter().map(|rule| format!(" --site {rule}"));
    let roots = rules.roots.iter().map(|rule| format!(" --root {rule}"));
    let rest: String = sites.chain(roots).collect();
    format!("--query {}{rest}", rules.query)
}

/// Refuses logs that two parts hold: by the names of their files, by what they hold, and by the log they are rotated from.
fn refuse_twice(parts: &[(String, Part)]) -> Result<(), PartError> {
    let (mut by_first, mut by_content, mut by_name) =
        (HashMap::new(), HashMap::new(), HashMap::new());
    for (index, (file, part)) in parts.iter().enumerate() {
        for log in &part.logs {
            let this = (index, log);
            let (file, first) = (file.clone(), log.first.clone());
            let same_file = in_other(&mut by_first, &log.first, this);
            // Logs without requests may well be the same.
            let same_content = match log.requests {
                0 => None,
                requests => in_other(&mut by_content, (&log.heads, requests), this),
            };
            if let Some((other, _)) = same_file.or(same_content) {
                let other = parts[other].0.clone();
                return Err(PartError::Twice {
                    file,
                    log: first,
                    other,
                });
            }
            if let Some((other, same)) = in_other(&mut by_name, (log.rule, &log.name), this) {
                let (other, other_log) = (parts[other].0.clone(), same.first.clone());
                return Err(PartError::SplitLog {
                    file,
                    log: first,
                    other,
                    other_log,
                });
            }
        }
    }
    Ok(())
}

/// The log of another part that is known by the same key.
fn in_other<'a, K: Eq + Hash>(
    known: &mut HashMap<K, (usize, &'a Log)>,
    key: K,
    log: (usize, &'a Log),
) -> Option<(usize, &'a Log)> {
    known.insert(key, log).filter(|(other, _)| *other != log.0)
}
