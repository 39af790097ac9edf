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

/// What the tables take with their indexes. A customer comes with two addresses, and 0.9 orders with payments and lines; an item
/// with a quarter of an author.
struct TableBytes {
    tables: f64,
    customer: f64,
    item: f64,
}

/// Measured of 10,000 items up to class 1, and of 100,000 items in class 2 for InnoDB (MariaDB 10.11, Debian 12, 2026). InnoDB's
/// tables have pages in reserve.
fn table_bytes(engine: Engine) -> TableBytes {
    let [tables, customer, item] = match engine {
        Engine::Innodb => [5.2e6, 1395.0, 830.0],
        Engine::Myisam => [0.0, 1207.0, 712.0],
        Engine::Aria => [0.0, 1298.0, 764.0],
    };
    TableBytes {
        tables,
        customer,
        item,
    }
}

impl Tpcw {
    /// The shop with so many items whose tables take about so many bytes.
    ///
    /// Customers fill what items leave; there are at least ten.
    pub fn of_bytes(bytes: u64, items: u64, engine: Engine) -> Tpcw {
        let of = table_bytes(engine);
        let room = bytes as f64 - of.tables - items as f64 * of.item;
        // Tens, so that nine tenths are whole orders.
        let tens = (room / of.customer / 10.0).round().max(1.0);
        Tpcw {
            items,
            customers: 10 * tens as u64,
        }
    }

    /// What its tables are estimated to take.
    pub fn estimated_bytes(&self, engine: Engine) -> u64 {
        let of = table_bytes(engine);
        let rows = self.customers as f64 * of.customer + self.items as f64 * of.item;
        (of.tables + rows).round() as u64
    }
}
