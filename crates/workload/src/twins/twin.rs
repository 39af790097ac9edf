//! A workload's twin, put together from its counts, sizes and arrivals.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::table::{Carried, Workload};
use super::{arrivals, counts, file_sizes};
use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::single_site::{addresses, numbered_files, request, whole_file};
use hotset_trace::{Requests, Trace};

/// The day that each of the document's logs covers.
const DAY_MINUTES: f64 = 1440.0;

/// A twin of a workload.
///
/// Scale 1 is the whole day. A smaller twin keeps the rows *average rate*, *peak rate* and *requests
/// per connection*, and with them mean file size, mean response size, and every byte figure relative
/// to the others; *files*, *file size*, *requests*, *response size* and the *bytes for 97/98/99 %* are
/// the table's times the scale, as is what a cache of 1 GB serves, and it lasts the day times the scale. The scale is rounded so that
/// this is a whole number of minutes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twin {
    /// What to imitate.
    pub workload: Workload,
    /// Above 0, at most 1.
    pub scale: f64,
}

impl Twin {
    /// How long the twin lasts.
    pub fn minutes(&self) -> u32 {
        (DAY_MINUTES * self.scale).round() as u32
    }

    /// What the twin should measure: the table's rows at this scale.
    pub fn target(&self) -> Workload {
        let scale = f64::from(self.minutes()) / DAY_MINUTES;
        let known = self.workload;
        Workload {
            files: (known.files as f64 * scale).round() as u64,
            requests: (known.requests as f64 * scale).round() as u64,
            file_bytes: known.file_bytes * scale,
            response_bytes: known.response_bytes * scale,
            bytes_for_share: known.bytes_for_share.map(|bytes| bytes * scale),
            cacheable: known.cacheable.map(|known| Carried {
                bytes: known.bytes * scale,
                ..known
            }),
            ..known
        }
    }

    fn too_small(&self, detail: &'static str) -> GenerateError {
        GenerateError::Scale {
            workload: self.workload.name,
            scale: self.scale,
            detail,
        }
    }
}

impl Generator for Twin {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        require(
            self.scale > 0.0 && self.scale <= 1.0,
            "scale",
            self.scale,
            "above 0 and at most 1",
        )?;
        let target = self.target();
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let popularity = counts::popularity(target.files, target.requests, &target.carried())
            .ok_or_else(|| self.too_small("requests and files"))?;
        let sizes = file_sizes::sizes(&target, &popularity, &mut random).ok_or_else(|| {
            self.too_small("bytes of files, responses, and for 97/98/99 % of requests")
        })?;
        let asked = shuffled_requests(&popularity.counts, &mut random);
        let arrivals = arrivals::arrivals(&target, self.minutes() as usize, &mut random)
            .ok_or_else(|| self.too_small("the rate of the busiest minute"))?;
        let mut requests = Requests::default();
        for ((time_us, client), object) in arrivals.requests.into_iter().zip(asked) {
            requests.push(request(time_us, client, whole_file(object, &sizes)));
        }
        Ok(Trace {
            sites: vec![target.name.to_owned()],
            clients: addresses(arrivals.clients),
            objects: numbered_files(sizes),
            requests,
            ..Trace::default()
        })
    }
}

/// Every object as often as it is asked for, in random order.
fn shuffled_requests(counts: &[u64], random: &mut Pcg64Mcg) -> Vec<u32> {
    let repeated =
        |(object, count): (usize, &u64)| std::iter::repeat_n(object as u32, *count as usize);
    let mut asked: Vec<u32> = counts.iter().enumerate().flat_map(repeated).collect();
    asked.shuffle(random);
    asked
}
