//! Whether tables that were read say what a part can say: merging and describing rely on it.

use std::collections::BTreeMap;

use hotset_trace::read::SourceSummary;
use hotset_trace::sessions::CONNECTION_GAP_US;
use jiff::Timestamp;

use super::{Client, Object, Part, Place, Site};

/// Most requests of a part: a part that says more would make sums of many parts overflow.
const MOST_REQUESTS: u64 = 1 << 48;

type CheckResult = Result<(), &'static str>;

fn ensure(is_so: bool, what_is_not: &'static str) -> CheckResult {
    if is_so { Ok(()) } else { Err(what_is_not) }
}

impl Part {
    /// Says what is wrong with it, if anything is.
    pub(super) fn check(&self) -> CheckResult {
        let rules = &self.rules;
        let (sites, roots) = rules.parsed();
        let parsed = [sites.len(), self.used_rules.len(), roots.len()];
        let given = [rules.sites.len(), rules.sites.len(), rules.roots.len()];
        ensure(parsed == given, "its rules are none")?;
        ensure(!self.logs.is_empty(), "it has no logs")?;
        ensure(
            self.logs.is_sorted_by(|a, b| a.order() < b.order()),
            "its logs are out of order",
        )?;
        for source in self.source_texts() {
            let summary: Option<SourceSummary> = serde_json::from_str(source).ok();
            let is_small = |it: &SourceSummary| {
                let counts = [
                    it.lines,
                    it.requests,
                    it.without_request,
                    it.rejected_lines,
                    it.steps_back.count,
                ];
                counts.iter().all(|&count| count <= MOST_REQUESTS)
            };
            ensure(
                summary.as_ref().is_some_and(is_small),
                "a file of its logs is not described",
            )?;
        }
        ensure(self.twins.is_sorted(), "its files are out of order")?;
        ensure(
            self.scopes.is_sorted_by(|a, b| a < b),
            "its hosts are out of order",
        )?;
        ensure(
            self.sites.is_sorted_by(|a, b| a.name < b.name),
            "its sites are out of order",
        )?;
        let requests = sum(self
            .sites
            .iter()
            .flat_map(|site| site.status_codes.values().copied()));
        ensure(
            requests <= MOST_REQUESTS,
            "it has more requests than any log",
        )?;
        self.sites
            .iter()
            .try_for_each(|site| self.check_site(site))?;
        self.check_unread()?;
        self.check_not_found()
    }

    /// Running maxima are only compared, and may be any numbers.
    fn check_place(&self, place: Place) -> CheckResult {
        let is_place = (place.log as usize) < self.logs.len() && place.row < MOST_REQUESTS;
        ensure(is_place, "a request has no place")
    }

    fn check_site(&self, site: &Site) -> CheckResult {
        let requests = site.requests();
        let methods = &site.methods;
        let of_methods = sum([methods.get, methods.head, methods.post, methods.other]);
        let of_minutes = sum(site.minutes.iter().map(|(_, requests)| requests));
        let of_clients = sum(site.clients.iter().map(|client| client.counts.requests));
        let are_equal = [of_methods, of_minutes, of_clients]
            .iter()
            .all(|&count| count == requests);
        ensure(are_equal, "counts of requests differ")?;
        let are_fewer = sum(site.objects.iter().map(|object| object.accesses)) <= requests
            && site.not_file_requests <= requests
            && site.not_modified_without_file <= site.not_file_requests;
        ensure(are_fewer, "it counts more than its requests")?;
        let are_minutes = site
            .minutes
            .iter()
            .all(|(minute, _)| is_time(minute.saturating_mul(60_000_000)));
        let is_span = site.span.is_none_or(|it| {
            it.first_us <= it.last_us && is_time(it.first_us) && is_time(it.last_us)
        });
        ensure(are_minutes && is_span, "a time is none")?;
        ensure(
            (requests > 0) == (site.first.is_some() && site.span.is_some()),
            "a site has no first request",
        )?;
        site.first.map_or(Ok(()), |place| self.check_place(place))?;
        ensure(
            site.objects.is_sorted_by(|a, b| a.path < b.path),
            "its files are out of order",
        )?;
        site.objects
            .iter()
            .try_for_each(|object| self.check_object(object))?;
        ensure(
            site.clients.is_sorted_by(|a, b| a.name < b.name),
            "its clients are out of order",
        )?;
        site.clients
            .iter()
            .try_for_each(|client| self.check_client(client))
    }

    fn check_object(&self, object: &Object) -> CheckResult {
        let spellings = &object.spellings;
        ensure(
            object.accesses > 0 && !spellings.is_empty(),
            "a file was not read",
        )?;
        ensure(
            spellings.is_sorted_by(|a, b| a.key() < b.key()),
            "spellings are out of order",
        )?;
        for spelling in spellings {
            ensure(
                (spelling.scope as usize) < self.scopes.len(),
                "a file has no host",
            )?;
            self.check_place(spelling.first)?;
        }
        Ok(())
    }

    fn check_client(&self, client: &Client) -> CheckResult {
        let connections = &client.connections;
        let are_times = connections
            .iter()
            .all(|&(first, last)| first <= last && is_time(first) && is_time(last));
        let are_apart =
            connections.is_sorted_by(|a, b| b.0.saturating_sub(a.1) > CONNECTION_GAP_US);
        let is_counted = client.counts.requests >= connections.len() as u64;
        ensure(
            are_times && are_apart && is_counted && !connections.is_empty(),
            "connections are none",
        )?;
        self.check_place(client.first)
    }

    fn check_unread(&self) -> CheckResult {
        ensure(
            self.unread.is_sorted_by(|a, b| a.at < b.at),
            "requests are out of order",
        )?;
        let mut requests: Vec<(u64, u64)> = vec![(0, 0); self.sites.len()];
        for unread in &self.unread {
            self.check_place(unread.at)?;
            ensure(
                (unread.scope as usize) < self.scopes.len(),
                "a request has no host",
            )?;
            let counts = requests
                .get_mut(unread.site as usize)
                .ok_or("a request has no site")?;
            *counts = (counts.0 + 1, counts.1 + u64::from(unread.is_not_modified));
        }
        let are_counted = |(site, &(all, not_modified)): (&Site, &(u64, u64))| {
            all <= site.not_file_requests && not_modified <= site.not_modified_without_file
        };
        ensure(
            self.sites.iter().zip(&requests).all(are_counted),
            "requests were not counted",
        )?;
        ensure(
            self.unread.len() as u64 <= self.not_files.not_read_before,
            "requests were not counted",
        )
    }

    fn check_not_found(&self) -> CheckResult {
        let mut requests: BTreeMap<&str, u64> = BTreeMap::new();
        for ((site, _), count) in self.not_found.iter().flatten() {
            let sum = requests.entry(site).or_default();
            *sum = sum.saturating_add(*count);
        }
        let answered = |name: &str| {
            let site = self.sites.iter().find(|site| site.name == name);
            site.and_then(|site| site.status_codes.get(&404))
                .copied()
                .unwrap_or(0)
        };
        ensure(
            requests
                .iter()
                .all(|(site, count)| *count <= answered(site)),
            "paths answered 404 were not counted",
        )
    }
}

/// Whether it is within the years that times can be written in.
fn is_time(us: i64) -> bool {
    Timestamp::from_microsecond(us).is_ok()
}

fn sum(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}
