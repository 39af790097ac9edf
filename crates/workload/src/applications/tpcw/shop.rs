//! How large the shop of TPC-W is.

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
