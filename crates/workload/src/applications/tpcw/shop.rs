//! How large the shop of TPC-W is.

use crate::applications::engine::Engine;

/// Customers of one emulated browser (TPC-W, clause 4.3.1).
pub const CUSTOMERS_PER_BROWSER: u64 = 2880;
/// Digits of the syllables that titles and authors' names begin with (TPC-W, clauses 4.7.1 and 4.7.2).
pub(super) const SEARCHED_DIGITS: u8 = 7;

/// The bookshop of TPC-W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tpcw {
    /// Items on sale. They decide what of the database is hot.
    pub items: u64,
    /// Customers. They decide how large the database is.
    pub customers: u64,
}

impl Tpcw {
    /// Addresses: two a customer (TPC-W, clause 4.3.1), as are all counts here.
    pub fn addresses(&self) -> u64 {
        2 * self.customers
    }

    /// Orders: 0.9 a customer.
    pub fn orders(&self) -> u64 {
        self.customers * 9 / 10
    }

    /// Authors: a quarter of the items.
    pub fn authors(&self) -> u64 {
        (self.items / 4).max(1)
    }

    /// Different beginnings of titles, each of five items.
    pub fn title_names(&self) -> u64 {
        (self.items / 5).max(1)
    }

    /// Different last names of authors.
    pub fn author_names(&self) -> u64 {
        (self.items / 10).max(1)
    }
}

/// Bytes that MariaDB takes for a row of each table with its indexes, in tables of InnoDB: measured of 100,000 items and 184,320
/// customers, whose tables took 398 MB (MariaDB 10.11, Debian 12, 2026). An order has its payment, and three lines.
const CUSTOMER_BYTES: f64 = 570.0 + 2.0 * 193.0 + 0.9 * (259.0 + 3.0 * 169.0);
const ITEM_BYTES: f64 = 800.0 + 600.0 / 4.0;
/// What tables of MyISAM take beside those of InnoDB: the same ones took 301 MB. Those of Aria are taken to be as large.
const WITHOUT_TRANSACTIONS: f64 = 301.0 / 398.0;

impl Tpcw {
    /// The shop with so many items whose tables take about so many bytes.
    ///
    /// Customers fill what items leave; there are at least ten.
    pub fn of_bytes(bytes: u64, items: u64, engine: Engine) -> Tpcw {
        let room = bytes as f64 / share_of_innodb(engine) - items as f64 * ITEM_BYTES;
        // Tens, so that nine tenths are whole orders.
        let tens = (room / CUSTOMER_BYTES / 10.0).round().max(1.0);
        Tpcw {
            items,
            customers: 10 * tens as u64,
        }
    }

    /// What its tables are estimated to take.
    pub fn estimated_bytes(&self, engine: Engine) -> u64 {
        let in_innodb = self.customers as f64 * CUSTOMER_BYTES + self.items as f64 * ITEM_BYTES;
        (in_innodb * share_of_innodb(engine)).round() as u64
    }
}

fn share_of_innodb(engine: Engine) -> f64 {
    match engine {
        Engine::Innodb => 1.0,
        Engine::Myisam | Engine::Aria => WITHOUT_TRANSACTIONS,
    }
}
