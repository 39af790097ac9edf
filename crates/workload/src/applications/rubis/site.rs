//! How large the auction site of RUBiS is.

use std::ops::RangeInclusive;

use crate::applications::engine::Engine;

/// Regions of the distribution's `ebay_regions.txt`.
pub(super) const REGIONS: u64 = 62;
/// Categories of its `ebay_simple_categories.txt`.
pub(super) const CATEGORIES: u64 = 20;

/// Counts of its distribution (`database_number_of_users`, `database_number_of_old_items`, and the sum of its categories' items).
const USERS: u64 = 1_000_000;
const OLD_ITEMS: u64 = 500_000;
const ITEMS: u64 = 32_667;

/// Bytes of a row with its indexes, in tables of InnoDB, by the lengths of its columns; not measured. An item has its mean
/// number of bids, and a comment.
const USER_BYTES: f64 = 250.0;
const ITEM_BYTES: f64 = 8192.0 + 10.0 * 80.0 + 1200.0;

/// The auction site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rubis {
    /// Users.
    pub users: u64,
    /// Items that are being sold.
    pub items: u64,
    /// Items that were sold.
    pub old_items: u64,
}

impl Rubis {
    /// The site whose tables take about so many bytes: its counts are to each other as in the distribution, but for the items that
    /// are being sold where those are given.
    pub fn of_bytes(bytes: u64, items: Option<u64>, _engine: Engine) -> Rubis {
        let whole = Rubis {
            users: USERS,
            items: ITEMS,
            old_items: OLD_ITEMS,
        };
        let share = bytes as f64 / whole.bytes();
        let part = |count: u64| ((count as f64 * share).round() as u64).max(1);
        Rubis {
            users: part(USERS),
            items: items.unwrap_or_else(|| part(ITEMS)),
            old_items: part(OLD_ITEMS),
        }
    }

    /// What its tables are estimated to take, with any engine.
    pub fn estimated_bytes(&self, _engine: Engine) -> u64 {
        self.bytes().round() as u64
    }

    /// Numbers of the items that are being sold: behind those that were, so that new ones have numbers of their own.
    pub(super) fn being_sold(&self) -> RangeInclusive<u64> {
        self.old_items + 1..=self.old_items + self.items
    }

    fn bytes(&self) -> f64 {
        let items = (self.items + self.old_items) as f64;
        self.users as f64 * USER_BYTES + items * ITEM_BYTES
    }
}
