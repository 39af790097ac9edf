//! Several workloads side by side, each a site of its own.

use crate::error::GenerateError;
use crate::generator::Generator;
use crate::single_site::addresses;
use hotset_trace::{NO_OBJECT, Objects, PathTable, Request, Requests, Trace, TraceOrigin};

/// Sites that run at the same time: their requests interleave by time, every trace beginning at the
/// start of the first.
pub struct Mix {
    /// Name and workload of each site. The sites of a workload that has several are named
    /// `NAME-SITE`.
    pub sites: Vec<(String, Box<dyn Generator>)>,
}

impl Generator for Mix {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        let mut mixed = MixedTrace::default();
        for (index, (name, generator)) in self.sites.iter().enumerate() {
            mixed.add(name, generator.generate(seed.wrapping_add(index as u64))?)?;
        }
        mixed.into_trace()
    }
}

/// A trace at hand stands for itself, so that imported or stored ones can be mixed.
impl Generator for Trace {
    fn generate(&self, _seed: u64) -> Result<Trace, GenerateError> {
        Ok(self.clone())
    }
}

#[derive(Default)]
struct MixedTrace {
    sites: Vec<String>,
    objects: Objects,
    clients: u32,
    /// Whether a part names its clients.
    has_names: bool,
    start_us: Option<i64>,
    requests: Vec<Request>,
}

impl MixedTrace {
    fn add(&mut self, name: &str, trace: Trace) -> Result<(), GenerateError> {
        if trace.origin == TraceOrigin::Untimed {
            return Err(GenerateError::Untimed(name.to_owned()));
        }
        let fits = |count: usize, limit: usize, what| {
            if count < limit {
                Ok(())
            } else {
                Err(GenerateError::TooMany(what))
            }
        };
        fits(
            self.sites.len() + trace.sites.len(),
            usize::from(u16::MAX),
            "sites",
        )?;
        fits(
            self.objects.len() + trace.objects.len(),
            NO_OBJECT as usize,
            "objects",
        )?;
        // A trace of keys alone names no clients, and has one all the same.
        let highest = trace.requests.client.iter().max();
        let clients = highest.map_or(0, |it| *it as usize + 1);
        let clients = clients.max(trace.clients.len());
        fits(self.clients as usize + clients, MOST_CLIENTS, "clients")?;
        fits(
            self.requests.len() + trace.requests.len(),
            u32::MAX as usize,
            "requests",
        )?;
        // None of these is cut short: the limits above fit the types.
        self.add_requests(
            &trace.requests,
            self.sites.len() as u16,
            self.objects.len() as u32,
        );
        self.add_objects(&trace.objects, self.sites.len() as u16);
        self.clients += clients as u32;
        self.has_names |= !trace.clients.is_empty();
        for site in site_names(name, &trace.sites) {
            if self.sites.contains(&site) {
                return Err(GenerateError::TwoSites(site));
            }
            self.sites.push(site);
        }
        Ok(())
    }

    fn add_requests(&mut self, requests: &Requests, first_site: u16, first_object: u32) {
        let Some(start) = requests.time_us.first() else {
            return;
        };
        // The first gap of a Poisson process is kept: days start together, requests need not.
        let start = start.div_euclid(DAY_US) * DAY_US;
        let shift = *self.start_us.get_or_insert(start) - start;
        self.requests.extend((0..requests.len()).map(|row| {
            let request = requests.get(row);
            let is_file = request.object != NO_OBJECT;
            Request {
                time_us: request.time_us + shift,
                client: request.client + self.clients,
                site: request.site + first_site,
                object: if is_file {
                    request.object + first_object
                } else {
                    NO_OBJECT
                },
                ..request
            }
        }));
    }

    fn add_objects(&mut self, objects: &Objects, first_site: u16) {
        self.objects
            .site
            .extend(objects.site.iter().map(|site| site + first_site));
        self.objects.size.extend_from_slice(&objects.size);
        objects
            .path
            .iter()
            .for_each(|path| self.objects.path.push(path));
    }

    fn into_trace(mut self) -> Result<Trace, GenerateError> {
        self.requests.sort_by_key(|request| request.time_us);
        let mut requests = Requests::default();
        self.requests
            .into_iter()
            .for_each(|request| requests.push(request));
        Ok(Trace {
            sites: self.sites,
            clients: match self.has_names {
                true => addresses(self.clients),
                false => PathTable::default(),
            },
            objects: self.objects,
            requests,
            ..Trace::default()
        })
    }
}

const DAY_US: i64 = 86_400_000_000;
/// Addresses of 10.0.0.0/8.
const MOST_CLIENTS: usize = 1 << 24;

fn site_names(name: &str, inner: &[String]) -> Vec<String> {
    match inner {
        [_] => vec![name.to_owned()],
        several => several
            .iter()
            .map(|site| format!("{name}-{site}"))
            .collect(),
    }
}
