//! A job that is measured and simulated: clients that read or write records.

use hotset_models::fio::Operation;
use hotset_probe::nfs::NfsOperation;
use hotset_probe::size_name;

/// Clients that each read or write records of one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub writes: bool,
    pub record_bytes: u64,
    pub clients: u64,
}

impl Cell {
    /// All cells: reads before writes.
    pub fn all(records: &[u64], clients: &[u64]) -> Vec<Self> {
        let mut all = Vec::new();
        for writes in [false, true] {
            for &record_bytes in records {
                all.extend(clients.iter().map(|&clients| Self {
                    writes,
                    record_bytes,
                    clients,
                }));
            }
        }
        all
    }

    /// `read-4K-2`.
    pub fn name(&self) -> String {
        let operation = if self.writes { "write" } else { "read" };
        format!(
            "{operation}-{}-{}",
            size_name(self.record_bytes),
            self.clients
        )
    }

    /// What clients ask for.
    pub fn asks(&self) -> NfsOperation {
        match self.writes {
            true => NfsOperation::Write,
            false => NfsOperation::Read,
        }
    }

    /// As figures have it.
    pub fn operation(&self) -> Operation {
        match self.writes {
            true => Operation::Write,
            false => Operation::Read,
        }
    }
}
