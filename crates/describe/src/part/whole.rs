//! From a part to the description of its logs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use hotset_trace::read::{
    NotFiles, NotFound, ReadSummary, SourceSummary, check_rules, rules_in_words,
};
use hotset_trace::{MAX_TOTAL_BYTES, Trace, TraceOrigin, Zone};
use jiff::Timestamp;

use super::{
    Client, ClientKey, Object, Part, PartError, Place, Site, Spelling, UnreadRequest,
    merge::joined_connections,
};
use crate::{
    ClientNames, DescribeOptions, Description, SliceCounts,
    connections::Connections,
    curve::Curves,
    describe::describe_counts,
    slice_counts::{NOT_MODIFIED, SiteCounts},
};

/// Keys of [`crate::SiteDescription`] that parts do not give.
const CURVE: &str = "miss_ratio_curve";
const NOT_FOUND: &str = "not_found";

impl Part {
    /// Describes its logs as [`crate::describe()`] describes their trace, read in the order of their names, and tells how they
    /// were read. [`Description::left_out`] names what is missing.
    ///
    /// # Errors
    /// [`PartError`]: a rule met nothing in all logs, or sizes do not add up. `file` is the name of the part, for messages.
    pub fn describe(
        &self,
        file: &str,
        zone: &Zone,
    ) -> Result<(Description, ReadSummary), PartError> {
        let whole = self.checked_whole(file)?;
        let summary = self.summary(&whole);
        let options = DescribeOptions {
            rejected_lines: summary.rejected_lines,
            client_names: ClientNames::of_logs(self.rules.clients == ClientKey::None),
            not_found: Some(&summary.not_found),
            zone,
            ..DescribeOptions::default()
        };
        let mut description = describe_counts(
            &whole.trace,
            &whole.counts,
            self.connections(&whole),
            Curves::default(),
            &options,
        );
        description.left_out = [Some(CURVE), self.not_found.is_none().then_some(NOT_FOUND)]
            .into_iter()
            .flatten()
            .map(Cow::Borrowed)
            .collect();
        Ok((description, summary))
    }

    /// The tables of all logs together, if sizes add up and each rule met something.
    pub(super) fn checked_whole(&self, file: &str) -> Result<Whole<'_>, PartError> {
        self.check_sizes(file)?;
        let whole = Whole::of(self);
        self.check_rules(&whole)?;
        Ok(whole)
    }

    fn check_rules(&self, whole: &Whole<'_>) -> Result<(), PartError> {
        // They were rules when the part was made or read.
        let (sites, roots) = self.rules.parsed();
        Ok(check_rules(
            &sites,
            &self.used_rules,
            &roots,
            &whole.trace.sites,
        )?)
    }

    fn check_sizes(&self, file: &str) -> Result<(), PartError> {
        let size = |object: &Object| u128::from(object.size.size());
        let files: u128 = self.objects().map(size).sum();
        let bytes_read = |it: &Object| size(it) * u128::from(it.accesses);
        let read: u128 = self.objects().map(bytes_read).sum();
        let sites = self.sites.iter();
        let answered: u128 = sites.map(|site| u128::from(site.response_bytes)).sum();
        match [files, read, answered]
            .iter()
            .all(|&bytes| bytes <= u128::from(MAX_TOTAL_BYTES))
        {
            true => Ok(()),
            false => Err(PartError::TooLarge {
                file: file.to_owned(),
                limit: MAX_TOTAL_BYTES,
            }),
        }
    }

    fn objects(&self) -> impl Iterator<Item = &Object> {
        self.sites.iter().flat_map(|site| &site.objects)
    }

    fn objects_with_sites(&self) -> impl Iterator<Item = (usize, &Object)> {
        let sites = self.sites.iter().enumerate();
        sites.flat_map(|(index, site)| site.objects.iter().map(move |object| (index, object)))
    }

    pub(super) fn summary(&self, whole: &Whole<'_>) -> ReadSummary {
        let has_no_sizes =
            self.objects().next().is_some() && self.objects().all(|it| it.size.bytes() == 0);
        let time = |us| Timestamp::from_microsecond(us).ok();
        let span = whole.counts.total().span;
        let mut summary = ReadSummary {
            rules: rules_in_words(self.rules.query, !self.rules.roots.is_empty(), has_no_sizes),
            query_rule: self.rules.query,
            logs: self.logs.len() as u64,
            requests: self.sites.iter().map(Site::requests).sum(),
            first: span.and_then(|span| time(span.first_us)),
            last: span.and_then(|span| time(span.last_us)),
            accesses: self.objects().map(|object| object.accesses).sum(),
            not_files: NotFiles {
                not_read_before: self.not_files.not_read_before - whole.read_elsewhere,
                ..self.not_files
            },
            not_found: self.most_not_found(whole),
            ..ReadSummary::default()
        };
        self.sources()
            .into_iter()
            .for_each(|source| summary.add_source(source));
        summary
    }

    /// Its files in the order of their names.
    fn sources(&self) -> Vec<SourceSummary> {
        let texts = self.source_texts();
        let mut sources: Vec<SourceSummary> =
            texts.flat_map(|text| serde_json::from_str(text)).collect();
        sources.sort_by(|a, b| Path::new(&a.file).cmp(Path::new(&b.file)));
        sources
    }

    fn most_not_found(&self, whole: &Whole<'_>) -> NotFound {
        let names = &whole.trace.sites;
        let ids: HashMap<&str, u16> = names
            .iter()
            .zip(0..)
            .map(|(name, id)| (name.as_str(), id))
            .collect();
        let counts = self.not_found.iter().flatten();
        let counts = counts.filter_map(|((site, path), &requests)| {
            Some((*ids.get(site.as_str())?, path.clone(), requests))
        });
        NotFound::of_counts(counts, |site| names[usize::from(site)].as_str())
    }

    /// Connections of each site, and of all: those of a client at several sites are one where they are not apart.
    fn connections(&self, whole: &Whole<'_>) -> Connections {
        let of_site = |&site: &usize| {
            self.sites[site]
                .clients
                .iter()
                .map(|it| it.connections.len() as u64)
                .sum()
        };
        let mut of_clients: HashMap<&[u8], Vec<(i64, i64)>> = HashMap::new();
        for client in self.sites.iter().flat_map(|site| &site.clients) {
            let all = of_clients.entry(&client.name).or_default();
            *all = joined_connections(all, &client.connections);
        }
        Connections {
            sites: whole.sites.iter().map(of_site).collect(),
            total: Some(of_clients.values().map(|all| all.len() as u64).sum()),
        }
    }

    /// Sites in the order in which reading all logs together meets them: that of the rules, then of the first requests.
    fn sites_in_order(&self) -> Vec<usize> {
        let name_of = |rule: &String| rule.split_once('=').map(|(name, _)| name.to_owned());
        let ruled: Vec<String> = self.rules.sites.iter().filter_map(name_of).collect();
        let rank = |site: &Site| {
            let rule = ruled.iter().position(|name| *name == site.name);
            (rule.unwrap_or(usize::MAX), site.first.is_none(), site.first)
        };
        let mut order: Vec<usize> = (0..self.sites.len()).collect();
        order.sort_by_key(|&site| rank(&self.sites[site]));
        order
    }
}

/// The tables of the trace that all logs together would be, without its requests, and what is counted of it.
pub(super) struct Whole<'a> {
    pub(super) trace: Trace,
    counts: SliceCounts,
    /// Index of [`Part::sites`] of each site.
    sites: Vec<usize>,
    /// Requests for files that only other logs have read before.
    read_elsewhere: u64,
    pub(super) clients: HashMap<&'a [u8], u32>,
}

impl<'a> Whole<'a> {
    fn of(part: &'a Part) -> Whole<'a> {
        let mut whole = Whole {
            trace: Trace {
                origin: TraceOrigin::Timed,
                ..Trace::default()
            },
            counts: SliceCounts::default(),
            sites: part.sites_in_order(),
            read_elsewhere: 0,
            clients: HashMap::new(),
        };
        whole.number_clients(part);
        whole.number_objects(part);
        for &site in &whole.sites {
            let site = &part.sites[site];
            whole.trace.sites.push(site.name.clone());
            whole.counts.sites.push(site.counts(&whole.clients));
        }
        whole.count_reads_elsewhere(part);
        whole
    }

    fn number_clients(&mut self, part: &'a Part) {
        let mut firsts: HashMap<&[u8], Place> = HashMap::new();
        for Client { name, first, .. } in part.sites.iter().flat_map(|site| &site.clients) {
            let known = firsts.entry(name).or_insert(*first);
            *known = (*known).min(*first);
        }
        let mut clients: Vec<(Place, &[u8])> = firsts
            .into_iter()
            .map(|(name, first)| (first, name))
            .collect();
        clients.sort_unstable();
        for (id, (_, name)) in clients.into_iter().enumerate() {
            self.trace.clients.push(name);
            self.clients.insert(name, id as u32);
        }
    }

    fn number_objects(&mut self, part: &Part) {
        let mut objects: Vec<(Option<Place>, u16, &Object)> = Vec::new();
        for (id, &site) in self.sites.iter().enumerate() {
            let of_site = part.sites[site].objects.iter();
            objects.extend(of_site.map(|object| (object.first(), id as u16, object)));
        }
        objects.sort_by_key(|(first, site, _)| (*first, *site));
        for (_, site, object) in objects {
            self.trace.objects.site.push(site);
            self.trace.objects.size.push(object.size.size());
            self.trace.objects.path.push(&object.path);
            self.counts.accesses.push(object.accesses);
        }
    }

    /// Requests for files that their own log had not read are for files if another had.
    fn count_reads_elsewhere(&mut self, part: &Part) {
        let mut id_of = vec![0; part.sites.len()];
        self.sites
            .iter()
            .enumerate()
            .for_each(|(id, &site)| id_of[site] = id);
        for (unread, ..) in read_elsewhere(part) {
            let counts = &mut self.counts.sites[id_of[unread.site as usize]];
            counts.not_file_requests -= 1;
            counts.not_modified_without_file -= u64::from(unread.is_not_modified);
            self.read_elsewhere += 1;
        }
    }
}

/// Requests for a spelling that their own logs had not read before.
#[derive(Default)]
struct UnreadSpelling<'a> {
    unread: Vec<&'a UnreadRequest>,
    /// Its first read in any log, and the site and path of the file.
    read: Option<(Place, usize, &'a [u8])>,
}

/// Requests for files that only other logs had read before them, each with the index of the file's site and its path.
pub(super) fn read_elsewhere(part: &Part) -> Vec<(&UnreadRequest, usize, &[u8])> {
    let mut found = Vec::new();
    for UnreadSpelling { unread, read } in waiting(part).into_values() {
        let Some((first, site, path)) = read else {
            continue;
        };
        let after = unread.into_iter().filter(|unread| first < unread.at);
        found.extend(after.map(|unread| (unread, site, path)));
    }
    found
}

fn waiting(part: &Part) -> HashMap<(u32, &[u8]), UnreadSpelling<'_>> {
    let mut waiting: HashMap<(u32, &[u8]), UnreadSpelling<'_>> = HashMap::new();
    for unread in &part.unread {
        waiting
            .entry((unread.scope, &unread.target))
            .or_default()
            .unread
            .push(unread);
    }
    for (site, object) in part.objects_with_sites() {
        for Spelling {
            scope,
            target,
            first,
        } in &object.spellings
        {
            let target = target.as_deref().unwrap_or(&object.path);
            if let Some(of_target) = waiting.get_mut(&(*scope, target)) {
                let read = (*first, site, &*object.path);
                of_target.read = of_target.read.into_iter().chain([read]).min();
            }
        }
    }
    waiting
}

impl Site {
    /// What is counted of it, with the ids of clients.
    fn counts(&self, ids: &HashMap<&[u8], u32>) -> SiteCounts {
        let mut counts = SiteCounts {
            requests: self.requests(),
            not_file_requests: self.not_file_requests,
            not_modified_requests: self.status_codes.get(&NOT_MODIFIED).copied().unwrap_or(0),
            not_modified_without_file: self.not_modified_without_file,
            response_bytes: self.response_bytes,
            methods: self.methods,
            status_codes: self.status_codes.clone(),
            span: self.span,
            minutes: self.minutes.clone(),
            ..SiteCounts::default()
        };
        for (&status, &requests) in &self.status_codes {
            counts.status_classes.count(status, requests);
        }
        let clients = self.clients.iter();
        counts.clients = clients
            .map(|client| (ids[&*client.name], client.counts))
            .collect();
        counts
    }
}
