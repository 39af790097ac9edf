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

/// What the tables take with their indexes. An item comes with its comment, and one that is being sold with ten bids too.
struct TableBytes {
    tables: f64,
    user: f64,
    item: f64,
    bids: f64,
}

/// Measured of class 1, and of class 2 for InnoDB (MariaDB 10.11, Debian 12, 2026). InnoDB's tables have pages in reserve.
fn table_bytes(engine: Engine) -> TableBytes {
    let [tables, user, item, bids] = match engine {
        Engine::Innodb => [1.5e6, 183.0, 8300.0 + 1400.0, 880.0],
        Engine::Myisam => [0.0, 132.0, 7617.0 + 1171.0, 652.0],
        Engine::Aria => [0.0, 143.0, 8230.0 + 1430.0, 801.0],
    };
    TableBytes {
        tables,
        user,
        item,
        bids,
    }
}

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
    pub fn of_bytes(bytes: u64, items: Option<u64>, engine: Engine) -> Rubis {
        let whole = Rubis {
            users: USERS,
            items: ITEMS,
            old_items: OLD_ITEMS,
        };
        let room = bytes as f64 - table_bytes(engine).tables;
        let share = room.max(0.0) / whole.row_bytes(engine);
        let part = |count: u64| ((count as f64 * share).round() as u64).max(1);
        Rubis {
            users: part(USERS),
            items: items.unwrap_or_else(|| part(ITEMS)),
            old_items: part(OLD_ITEMS),
        }
    }

    /// What its tables are estimated to take.
    pub fn estimated_bytes(&self, engine: Engine) -> u64 {
        (table_bytes(engine).tables + self.row_bytes(engine)).round() as u64
    }

    /// Numbers of the items that are being sold: behind those that were, so that new ones have numbers of their own.
    pub(super) fn being_sold(&self) -> RangeInclusive<u64> {
        self.old_items + 1..=self.old_items + self.items
    }

    fn row_bytes(&self, engine: Engine) -> f64 {
        let of = table_bytes(engine);
        let items = (self.items + self.old_items) as f64;
        self.users as f64 * of.user + items * of.item + self.items as f64 * of.bids
    }
}
