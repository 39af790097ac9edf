//! Costs of requests in time order, in bounded memory.

/// Cells a series never exceeds. A cell is short beside the trace, so that the block length can be
/// chosen finely, and 1000 resamples of as many cells still take milliseconds.
const MAX_CELLS: usize = 4096;

/// The costs of consecutive requests as sums over equally long runs of requests (cells).
///
/// Memory is bounded: when the cells are used up, neighbours are joined and cells become twice as
/// long. Two series of the same length therefore have the same cells, whatever their costs, and can
/// be compared request run by request run.
#[derive(Clone, Debug, PartialEq)]
pub struct CostSeries {
    sums: Vec<f64>,
    requests: u64,
    /// Requests a full cell holds; only the last cell may hold fewer.
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
        if self.requests == self.cell_requests * self.sums.len() as u64 {
            self.open_cell();
        }
        if let Some(last) = self.sums.last_mut() {
            *last += cost;
        }
        self.requests += 1;
    }

    fn open_cell(&mut self) {
        if self.sums.len() == MAX_CELLS {
            self.sums = self.sums.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.cell_requests *= 2;
        }
        self.sums.push(0.0);
    }

    /// Number of requests.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Sum of all costs.
    pub fn total(&self) -> f64 {
        self.sums.iter().sum()
    }

    /// Mean cost of a request, or `None` for an empty series.
    pub fn mean(&self) -> Option<f64> {
        (self.requests > 0).then(|| self.total() / self.requests as f64)
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
