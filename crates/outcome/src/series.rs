//! Costs of requests in time order, in bounded memory.

use serde::{Deserialize, Serialize};

/// Cells a series never exceeds. A cell is short beside the trace, so that the block length can be
/// chosen finely, and 1000 resamples of as many cells still take milliseconds.
const MAX_CELLS: usize = 4096;

/// Cells a document keeps of a series: a report of many sites stays readable, and blocks of a tenth of
/// them still leave tens of cells to a block.
const DOCUMENT_CELLS: usize = 512;

/// Sums are written to the thousandth of a microsecond: no clock or cost model tells less.
const DOCUMENT_PARTS_PER_US: f64 = 1000.0;

/// More microseconds than thirty thousand years have; sums of what is below stay finite.
pub(crate) const LARGEST: f64 = 1e18;

/// The costs of consecutive requests as sums over equally long runs of requests (cells).
///
/// Memory is bounded: when the cells are used up, neighbours are joined and cells become twice as
/// long. Two series of the same length therefore have the same cells, whatever their costs, and can
/// be compared request run by request run.
///
/// Serialises to `requests`, `cell_requests` and `sums_us`, joined to at most 512 cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(try_from = "Written", into = "Written")]
pub struct CostSeries {
    sums: Vec<f64>,
    /// Requests spanned.
    requests: u64,
    /// Consecutive requests in a cell, a power of two; the last cell may hold fewer.
    cell_requests: u64,
}

impl Default for CostSeries {
    fn default() -> Self {
        Self {
            sums: Vec::new(),
            requests: 0,
            cell_requests: 1,
        }
    }
}

impl CostSeries {
    /// Appends the cost of the next request, in any unit; sites of unequal weight multiply it in.
    pub fn push(&mut self, cost: f64) {
        let room = self.cell_requests.saturating_mul(self.sums.len() as u64);
        if self.requests >= room {
            self.open_cell();
        }
        if let Some(last) = self.sums.last_mut() {
            *last += cost;
        }
        self.requests = self.requests.saturating_add(1);
    }

    fn open_cell(&mut self) {
        if self.sums.len() == MAX_CELLS {
            self.join_neighbours();
        }
        self.sums.push(0.0);
    }

    fn join_neighbours(&mut self) {
        self.sums = self.sums.chunks(2).map(|pair| pair.iter().sum()).collect();
        self.cell_requests = self.cell_requests.saturating_mul(2);
    }

    /// A series of `requests` requests that cost nothing yet, to be filled by [`CostSeries::add`] in
    /// any order: the same cells as pushing them in order makes.
    pub fn of_requests(requests: u64) -> Self {
        let mut cell_requests = 1;
        while requests.div_ceil(cell_requests) > MAX_CELLS as u64 {
            cell_requests *= 2;
        }
        Self {
            sums: vec![0.0; requests.div_ceil(cell_requests) as usize],
            requests,
            cell_requests,
        }
    }

    /// Adds to the cost of the `index`-th request; one beyond the last is left out.
    pub fn add(&mut self, index: u64, cost: f64) {
        if let Some(sum) = self.sums.get_mut((index / self.cell_requests) as usize) {
            *sum += cost;
        }
    }

    /// Two series of requests that were served side by side, as one: their cells alternate by how far
    /// each series is, every request counting its cell's mean.
    pub fn interleaved(a: &CostSeries, b: &CostSeries) -> CostSeries {
        let mut cells: Vec<_> = [a, b].into_iter().flat_map(CostSeries::placed).collect();
        cells.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut series = CostSeries::default();
        for (_, length, sum) in cells {
            (0..length).for_each(|_| series.push(sum / length as f64));
        }
        series
    }

    /// Each cell's end as a share of the series, its length and its sum.
    fn placed(&self) -> impl Iterator<Item = (f64, u64, f64)> {
        let lengths = self.cell_lengths().into_iter().map(|length| length as u64);
        let cells = lengths.zip(&self.sums).enumerate();
        cells.map(|(cell, (length, &sum))| {
            let end = cell as u64 * self.cell_requests + length;
            (end as f64 / self.requests as f64, length, sum)
        })
    }

    /// The series with cells of at least `cell_requests` requests.
    pub(crate) fn coarsened(&self, cell_requests: u64) -> CostSeries {
        let mut series = self.clone();
        while series.cell_requests < cell_requests {
            series.join_neighbours();
        }
        series
    }

    /// Requests that a full cell holds, a power of two; only the last cell may hold fewer.
    pub fn cell_requests(&self) -> u64 {
        self.cell_requests
    }

    /// Number of requests.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Mean cost of a request, or `None` for an empty series.
    pub fn mean(&self) -> Option<f64> {
        (self.requests > 0).then(|| self.sums.iter().sum::<f64>() / self.requests as f64)
    }

    /// Consecutive requests in at most `most` runs: how many each has, and the mean cost of one.
    pub fn runs(&self, most: usize) -> Vec<(f64, f64)> {
        let cells = self.sums.len().div_ceil(most.max(1)).max(1);
        let lengths = self.cell_lengths();
        let runs = self.sums.chunks(cells).zip(lengths.chunks(cells));
        runs.map(|(sums, lengths)| {
            let requests: f64 = lengths.iter().sum();
            (requests, sums.iter().sum::<f64>() / requests)
        })
        .collect()
    }

    pub(crate) fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// Requests in each cell, in the order of [`CostSeries::sums`].
    pub(crate) fn cell_lengths(&self) -> Vec<f64> {
        let full = |cell: u64| (self.requests - cell * self.cell_requests).min(self.cell_requests);
        (0..self.sums.len() as u64)
            .map(|cell| full(cell) as f64)
            .collect()
    }
}

/// A series as documents have it.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Written {
    /// Requests spanned.
    requests: u64,
    /// Consecutive requests in a cell, a power of two; the last cell may hold fewer.
    cell_requests: u64,
    /// Sum of the times of each cell, microseconds.
    sums_us: Vec<f64>,
}

impl From<CostSeries> for Written {
    fn from(mut series: CostSeries) -> Written {
        while series.sums.len() > DOCUMENT_CELLS {
            series.join_neighbours();
        }
        let rounded = |us: f64| (us * DOCUMENT_PARTS_PER_US).round() / DOCUMENT_PARTS_PER_US;
        Written {
            requests: series.requests,
            cell_requests: series.cell_requests,
            sums_us: series.sums.into_iter().map(rounded).collect(),
        }
    }
}

impl TryFrom<Written> for CostSeries {
    type Error = String;

    fn try_from(written: Written) -> Result<CostSeries, String> {
        let Written {
            requests,
            cell_requests,
            sums_us,
        } = written;
        if !cell_requests.is_power_of_two() {
            return Err(format!(
                "cell_requests is {cell_requests}, not a power of two"
            ));
        }
        if sums_us.len() > MAX_CELLS || sums_us.len() as u64 != requests.div_ceil(cell_requests) {
            return Err(format!(
                "{} sums_us do not fit {requests} requests in cells of {cell_requests}",
                sums_us.len()
            ));
        }
        if let Some(sum) = sums_us.iter().find(|sum| !(0.0..=LARGEST).contains(*sum)) {
            return Err(format!("sums_us has {sum}, which cannot be a cost"));
        }
        Ok(CostSeries {
            sums: sums_us,
            requests,
            cell_requests,
        })
    }
}
