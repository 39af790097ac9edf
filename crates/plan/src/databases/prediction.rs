//! What a measurement with one buffer pool says of reads with another, beside what was measured with that.

use serde::Serialize;

use super::measured::ServerUse;
use super::pool::Pool;

/// Reads of a server's tables of InnoDB with a larger buffer pool than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PoolPrediction {
    /// Name of the server.
    pub database: String,
    /// The buffer pool that it was measured with before, bytes.
    pub from_pool_bytes: u64,
    /// The buffer pool that it was measured with last, bytes.
    pub pool_bytes: u64,
    /// Pages that the tables were to read in an hour then, by the earlier measurement.
    pub predicted_reads_per_hour: f64,
    /// Pages that they have read.
    pub reads_per_hour: f64,
}

impl PoolPrediction {
    /// Of a server before, and as it was measured last. None where its pool is not larger, or reads were not counted.
    #[must_use]
    pub fn of(before: &ServerUse, last: &ServerUse) -> Option<Self> {
        let is_known = before.lacks.is_none() && last.lacks.is_none();
        if !is_known || last.pool_bytes <= before.pool_bytes {
            return None;
        }
        let predicted = Pool::of(before).reads(last.pool_bytes);
        let measured: Vec<f64> = last.tables.iter().map(|it| it.reads_per_hour).collect();
        Some(Self {
            database: last.name.clone(),
            from_pool_bytes: before.pool_bytes,
            pool_bytes: last.pool_bytes,
            predicted_reads_per_hour: of_innodb(before, &predicted),
            reads_per_hour: of_innodb(last, &measured),
        })
    }
}

fn of_innodb(server: &ServerUse, reads: &[f64]) -> f64 {
    let tables = server.tables.iter().zip(reads);
    tables
        .filter(|(table, _)| table.is_innodb)
        .map(|(_, reads)| reads)
        .sum()
}
