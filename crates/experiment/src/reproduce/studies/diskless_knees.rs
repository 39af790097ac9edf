//! C section 4: at which rates times to the first byte break away.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::published_table::PublishedTable;

/// Table 2, published and simulated.
pub(super) struct Knees<'k> {
    pub table: &'k PublishedTable,
    pub cells: &'k [ReproducedCell],
}

/// The 95th percentile has risen so much over that of the lowest rate: as the document's has of Olympics on a local disk between 970 and 1164 requests
/// a second, and between 776 and 970 without a disk.
const KNEE: f64 = 4.0;
/// Proxy breaks down where the 95th percentile is beyond this, milliseconds: between 20 s and 15 minutes in the document, where it does.
const BREAKS_DOWN_MS: f64 = 10_000.0;

impl Knees<'_> {
    /// The document's claims about them.
    pub fn claims(&self) -> Vec<DocumentClaim> {
        vec![
            self.olympics(),
            self.nyse(),
            self.proxy(),
            self.no_single_limit(),
        ]
    }

    /// Rates and simulated 95th percentiles of a workload, rising.
    fn points(&self, workload: &str, node: &str) -> Vec<(f64, f64)> {
        let rows = self.table.rows().filter(|row| row.name() == workload);
        let points = rows.filter_map(|row| {
            let name = format!("{} {}x", row.name(), row.text("scale"));
            let column = format!("p95 {node}");
            let mut cells = self.cells.iter();
            let cell = cells.find(|cell| cell.row == name && cell.column == column)?;
            Some((row.figure("rate_rps")?, cell.simulated?))
        });
        points.collect()
    }

    /// The first rate at which the simulated 95th percentile is beyond a bound; infinite where none is. Nothing where nothing is simulated.
    fn first_beyond(points: &[(f64, f64)], bound_ms: f64) -> Option<f64> {
        if points.is_empty() {
            return None;
        }
        let beyond = points.iter().find(|(_, p95_ms)| *p95_ms > bound_ms);
        Some(beyond.map_or(f64::INFINITY, |(rate, _)| *rate))
    }

    /// The knee of a workload: see [`KNEE`].
    fn knee(&self, workload: &str, node: &str) -> Option<f64> {
        let points = self.points(workload, node);
        let (_, lowest_ms) = points.first()?;
        Self::first_beyond(&points, KNEE * lowest_ms)
    }

    fn olympics(&self) -> DocumentClaim {
        let knee = self.knee("olympics98", "local");
        DocumentClaim::new(
            "Olympics: the knee is near 1000 requests a second",
            "C §4, figure 7",
            knee.map(|knee| (776.0..=1164.0).contains(&knee)),
            in_words(
                knee,
                "the 95th percentile of the local node is four times that of the lowest rate",
            ),
        )
    }

    fn nyse(&self) -> DocumentClaim {
        let points = self.points("nyse", "local");
        let p95_ms = |rate: f64| {
            let point = points.iter().find(|(of, _)| *of == rate);
            point.map(|(_, p95_ms)| *p95_ms)
        };
        let rise = p95_ms(512.0)
            .zip(p95_ms(256.0))
            .map(|(most, knee)| most / knee);
        DocumentClaim::new(
            "NYSE: a slight knee begins at 250 requests a second",
            "C §4, figure 8",
            rise.map(|rise| (1.1..2.5).contains(&rise)),
            rise.map_or_else(
                || NOT_SIMULATED.to_owned(),
                |rise| format!("Simulated: from 256 to 512 requests a second the local node's 95th percentile rises {rise:.2} times, in the document 1.35 times."),
            ),
        )
    }

    fn proxy(&self) -> DocumentClaim {
        let breaks = ["local", "nfs", "dsa"].map(|node| {
            let points = self.points("proxy", node);
            Self::first_beyond(&points, BREAKS_DOWN_MS)
        });
        let [Some(local), Some(nfs), Some(dsa)] = breaks else {
            return Self::of_proxy(None, NOT_SIMULATED.to_owned());
        };
        let holds = local.is_infinite() && nfs == 90.0 && dsa == 45.0;
        let rate = |rate: f64| match rate.is_finite() {
            true => format!("at {rate:.0} requests a second"),
            false => "nowhere".to_owned(),
        };
        let why = format!(
            "Simulated: beyond 10 s at the 95th percentile the local node is {}, that over NFS {}, the diskless one {}.",
            rate(local),
            rate(nfs),
            rate(dsa)
        );
        Self::of_proxy(Some(holds), why)
    }

    fn of_proxy(holds: Option<bool>, why: String) -> DocumentClaim {
        DocumentClaim::new(
            "Proxy: no knee locally, one above 60 requests a second over NFS and one above 30 without a disk",
            "C §4, figure 9",
            holds,
            why,
        )
    }

    fn no_single_limit(&self) -> DocumentClaim {
        let olympics = self.knee("olympics98", "dsa");
        let points = self.points("proxy", "dsa");
        let proxy = Self::first_beyond(&points, BREAKS_DOWN_MS);
        let both = olympics.zip(proxy);
        DocumentClaim::new(
            "neither requests nor bytes a second alone are the limit: knees are at 5500 KB/s and 500 KB/s",
            "C §4, figures 10 and 11",
            both.map(|(olympics, proxy)| olympics.is_finite() && proxy < olympics / 2.0),
            both.map_or_else(
                || NOT_SIMULATED.to_owned(),
                |(olympics, proxy)| {
                    format!("Simulated: the diskless node gives out at {olympics:.0} requests a second of Olympics, and at {proxy:.0} of Proxy.")
                },
            ),
        )
    }
}

/// A knee in words.
fn in_words(knee: Option<f64>, what: &str) -> String {
    match knee {
        None => NOT_SIMULATED.to_owned(),
        Some(knee) if knee.is_finite() => {
            format!("Simulated: {what} from {knee:.0} requests a second on.")
        }
        Some(_) => format!("Simulated: at no rate is it so that {what}."),
    }
}

/// Why a claim is not judged.
pub(super) const NOT_SIMULATED: &str = "Not simulated: there is no folder of experiments.";
