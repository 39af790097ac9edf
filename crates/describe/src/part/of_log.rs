//! From logs that are read alone to a part.

use std::collections::HashMap;
use std::path::PathBuf;

use hotset_trace::read::{
    CountingRule, Evidence, LogAlone, MAX_HOST_SITES, NotFoundCount, OnProgress, ReadOptions,
    SourceSummary, client_key_check, read_one_by_one,
};
use hotset_trace::sessions::CONNECTION_GAP_US;
use hotset_trace::{Trace, TraceOrigin};

use super::{
    Client, ClientKey, Log, Object, Part, PartError, PathCounts, Place, Rules, Scope, Site,
    Spelling, UnreadRequest,
};
use crate::{SliceCounts, connections::rows_by_time, slice_counts::SiteCounts};

/// How logs are read for a part.
#[derive(Clone, Copy, Debug)]
pub struct PartOptions<'a> {
    /// How the reader reads. A rule for sites may meet nothing in these logs.
    pub reading: &'a ReadOptions,
    /// The machine that the logs are of, put in front of their names.
    pub node: Option<&'a str>,
}

impl Part {
    /// Reads logs into a part.
    ///
    /// # Errors
    /// [`PartError`]: an option or a log whose results cannot be merged, or a log that cannot be read.
    pub fn read(
        logs: &[PathBuf],
        options: &PartOptions<'_>,
        progress: OnProgress<'_>,
    ) -> Result<Part, PartError> {
        refuse_unmergeable(options.reading)?;
        let mut parts = Vec::new();
        let twins = read_one_by_one(logs, options.reading, progress, |log| {
            refuse_unordered(&log)?;
            parts.push(Part::of_log(&log, options));
            Ok::<(), PartError>(())
        })?;
        let mut part = Part::joined(parts, None)?.ok_or(PartError::Nothing)?;
        part.twins = named_twins(twins, options.node);
        let file = &part.logs[0].first;
        part.check_hosts(file)?;
        Ok(part)
    }

    pub(super) fn of_log(log: &LogAlone, options: &PartOptions<'_>) -> Part {
        Part::by_rules(log, Rules::of(options.reading), options.node)
    }

    /// What a log that was read by `rules` on `node` contributes.
    pub(super) fn by_rules(log: &LogAlone, rules: Rules, node: Option<&str>) -> Part {
        let LogAlone {
            trace,
            summary,
            evidence,
        } = log;
        let scopes = Scopes::of(evidence);
        let places = Places::of(trace, evidence.begins_us);
        let counts = SliceCounts::of(trace, 0..trace.requests.len());
        let names = |name: &str| with_node(name, node);
        let mut sites = Sites::of(trace, counts);
        sites.add_objects(trace, evidence, &scopes, &places);
        sites.add_clients(trace, &places);
        let unread = sites.unread(trace, evidence, &scopes, &places);
        let not_found = evidence.not_found.as_ref();
        let not_found = not_found.map(|counts| by_name(counts, trace));
        Part {
            rules,
            used_rules: evidence.used_rules.clone(),
            logs: vec![Log {
                begins_us: evidence.begins_us,
                first: summary
                    .sources
                    .first()
                    .map_or_else(String::new, |it| names(&it.file)),
                name: names(&evidence.log),
                rule: evidence.log_rule as u32,
                requests: summary.requests,
                sources: summary
                    .sources
                    .iter()
                    .map(|it| on_node(it.clone(), node))
                    .collect(),
                heads: evidence.heads.clone(),
            }],
            twins: Vec::new(),
            not_files: summary.not_files,
            scopes: scopes.sorted,
            sites: sites.sites,
            unread,
            not_found,
        }
    }

    /// Refuses more virtual hosts than there are sites for without rules.
    pub(super) fn check_hosts(&self, file: &str) -> Result<(), PartError> {
        match self.rules.sites.is_empty() && self.sites.len() > MAX_HOST_SITES {
            true => Err(PartError::TooManyHosts {
                file: file.to_owned(),
                limit: MAX_HOST_SITES,
            }),
            false => Ok(()),
        }
    }
}

/// Files that were not read, as parts have them.
pub(super) fn named_twins(twins: Vec<SourceSummary>, node: Option<&str>) -> Vec<String> {
    let mut twins: Vec<String> = twins.into_iter().map(|twin| on_node(twin, node)).collect();
    twins.sort();
    twins
}

/// Options that make figures depend on the order of all requests in ways that a part does not carry.
pub(super) fn refuse_unmergeable(options: &ReadOptions) -> Result<(), PartError> {
    let refuse = |what, why| Err(PartError::CannotMerge { what, why });
    if options.counting != CountingRule::Default {
        return refuse(
            "--rule c1",
            "the requests that it drops have places in the order of all",
        );
    }
    if !options.period.is_all() {
        return refuse(
            "a period",
            "the requests outside it have places in the order of all",
        );
    }
    if options.query == hotset_trace::read::QueryRule::Keep
        && options.sites.iter().any(|site| site.is_by_path())
    {
        return refuse(
            "--query keep with --site by URL path",
            "whether a request is for a file may change its site",
        );
    }
    Ok(())
}

pub(super) fn refuse_unordered(log: &LogAlone) -> Result<(), PartError> {
    let has_rows = !log.trace.requests.is_empty();
    // Requests before the first time get the numbers of their rows for times.
    let begins_without_time = log.trace.requests.time_us.first() == Some(&0);
    let detail = if log.evidence.has_keys {
        "holds keys of a cache and no requests of HTTP"
    } else if has_rows && (log.trace.origin == TraceOrigin::Untimed || begins_without_time) {
        "its first request has no time"
    } else {
        return Ok(());
    };
    let first = log.summary.sources.first();
    let file = first.map(|it| it.file.clone()).unwrap_or_default();
    Err(PartError::NoOrder { file, detail })
}

impl Rules {
    pub(super) fn of(options: &ReadOptions) -> Rules {
        Rules {
            query: options.query,
            sites: (options.sites.iter())
                .map(|it| it.text().to_owned())
                .collect(),
            roots: (options.roots.iter())
                .map(|it| it.text().to_owned())
                .collect(),
            clients: match options.keep_clients {
                true => ClientKey::None,
                false => ClientKey::Check(client_key_check(&options.client_key)),
            },
        }
    }
}

pub(super) fn with_node(name: &str, node: Option<&str>) -> String {
    node.map_or_else(|| name.to_owned(), |node| format!("{node}:{name}"))
}

fn on_node(mut source: SourceSummary, node: Option<&str>) -> String {
    source.file = with_node(&source.file, node);
    source.same_as = source.same_as.map(|name| with_node(&name, node));
    // A summary is made of texts and numbers, which always are JSON.
    serde_json::to_string(&source).unwrap_or_default()
}

fn by_name(counts: &[NotFoundCount], trace: &Trace) -> PathCounts {
    let named = |(site, path, requests): &NotFoundCount| {
        (
            (trace.sites[usize::from(*site)].clone(), path.clone()),
            *requests,
        )
    };
    counts.iter().map(named).collect()
}

/// Scopes in their order, and where each scope of the log is among them.
struct Scopes {
    sorted: Vec<Scope>,
    of_log: Vec<u32>,
}

impl Scopes {
    fn of(evidence: &Evidence) -> Scopes {
        let scope = |host: &Vec<u8>| Scope {
            log_rule: evidence.log_rule as u32,
            host: host.as_slice().into(),
        };
        let given: Vec<Scope> = evidence.hosts.iter().map(scope).collect();
        let mut sorted = given.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let place = |scope: &Scope| sorted.binary_search(scope).unwrap_or_default() as u32;
        let of_log = given.iter().map(place).collect();
        Scopes { sorted, of_log }
    }
}

/// Where rows stand in the order of all requests.
#[derive(Default)]
pub(super) struct Places(Vec<i64>);

impl Places {
    pub(super) fn of(trace: &Trace, begins_us: i64) -> Places {
        let mut high = begins_us;
        let running = |&time: &i64| {
            high = high.max(time);
            high
        };
        Places(trace.requests.time_us.iter().map(running).collect())
    }

    /// The running maximum of times at a row.
    pub(super) fn high_us(&self, row: usize) -> Option<i64> {
        self.0.get(row).copied()
    }

    fn at(&self, row: u64) -> Place {
        Place {
            high_us: self.0[row as usize],
            log: 0,
            row,
        }
    }
}

/// Sites in the order of their names, and where each site of the log is among them.
struct Sites {
    sites: Vec<Site>,
    of_log: Vec<usize>,
    accesses: Vec<u64>,
}

impl Sites {
    fn of(trace: &Trace, counts: SliceCounts) -> Sites {
        let SliceCounts { sites, accesses } = counts;
        let mut order: Vec<usize> = (0..sites.len()).collect();
        order.sort_by_key(|&site| &trace.sites[site]);
        let mut of_log = vec![0; sites.len()];
        order
            .iter()
            .enumerate()
            .for_each(|(place, &site)| of_log[site] = place);
        let sites = order
            .iter()
            .map(|&site| Site::of(&trace.sites[site], &sites[site]))
            .collect();
        Sites {
            sites,
            of_log,
            accesses,
        }
    }

    fn add_objects(
        &mut self,
        trace: &Trace,
        evidence: &Evidence,
        scopes: &Scopes,
        places: &Places,
    ) {
        let mut objects: Vec<Object> = (0..trace.objects.len())
            .map(|id| Object {
                path: trace.objects.path.get(id).into(),
                accesses: self.accesses[id],
                size: evidence.sizes[id],
                spellings: Vec::new(),
            })
            .collect();
        for read in &evidence.first_reads {
            objects[read.object as usize].spellings.push(Spelling {
                scope: scopes.of_log[read.scope as usize],
                target: read.target.clone(),
                first: places.at(read.row),
            });
        }
        for (object, &site) in objects.into_iter().zip(&trace.objects.site) {
            self.sites[self.of_log[usize::from(site)]]
                .objects
                .push(object);
        }
        for object in self.sites.iter_mut().flat_map(|site| &mut site.objects) {
            object.spellings.sort_by(|a, b| a.key().cmp(&b.key()));
        }
        self.sites
            .iter_mut()
            .for_each(|site| site.objects.sort_by(|a, b| a.path.cmp(&b.path)));
    }

    /// First requests, and connections, of clients and sites.
    fn add_clients(&mut self, trace: &Trace, places: &Places) {
        let requests = &trace.requests;
        let mut known: HashMap<(u16, u32), usize> = HashMap::new();
        let mut met: Vec<(u16, Client)> = Vec::new();
        for row in rows_by_time(requests).into_iter().map(|row| row as usize) {
            let key = (requests.site[row], requests.client[row]);
            let index = *known.entry(key).or_insert_with(|| {
                let name = trace.clients.get(key.1 as usize).into();
                let first = places.at(row as u64);
                met.push((
                    key.0,
                    Client {
                        name,
                        first,
                        counts: Default::default(),
                        connections: Vec::new(),
                    },
                ));
                met.len() - 1
            });
            let client = &mut met[index].1;
            client.first = client.first.min(places.at(row as u64));
            client.counts.add(1, requests.bytes[row]);
            client.see(requests.time_us[row]);
        }
        for (site, client) in met {
            let site = &mut self.sites[self.of_log[usize::from(site)]];
            site.first = site.first.into_iter().chain([client.first]).min();
            site.clients.push(client);
        }
        self.sites
            .iter_mut()
            .for_each(|site| site.clients.sort_by(|a, b| a.name.cmp(&b.name)));
    }

    fn unread(
        &self,
        trace: &Trace,
        evidence: &Evidence,
        scopes: &Scopes,
        places: &Places,
    ) -> Vec<UnreadRequest> {
        let unread = evidence.unread.iter().map(|it| UnreadRequest {
            at: places.at(it.row),
            scope: scopes.of_log[it.scope as usize],
            target: it.target.clone(),
            site: self.of_log[usize::from(trace.requests.site[it.row as usize])] as u32,
            is_not_modified: it.is_not_modified,
        });
        unread.collect()
    }
}

impl Site {
    fn of(name: &str, counts: &SiteCounts) -> Site {
        Site {
            name: name.to_owned(),
            first: None,
            not_file_requests: counts.not_file_requests,
            not_modified_without_file: counts.not_modified_without_file,
            response_bytes: counts.response_bytes,
            methods: counts.methods,
            status_codes: counts.status_codes.clone(),
            minutes: counts.minutes.clone(),
            span: counts.span,
            objects: Vec::new(),
            clients: Vec::new(),
        }
    }
}

impl Client {
    /// Takes a request at a time that is not before those seen.
    fn see(&mut self, time_us: i64) {
        match self.connections.last_mut() {
            Some((_, last)) if time_us.saturating_sub(*last) <= CONNECTION_GAP_US => {
                *last = time_us
            }
            _ => self.connections.push((time_us, time_us)),
        }
    }
}

impl Spelling {
    pub(super) fn key(&self) -> (u32, Option<&[u8]>) {
        (self.scope, self.target.as_deref())
    }
}
