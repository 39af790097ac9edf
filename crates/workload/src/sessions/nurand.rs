//! Uneven choices as TPC-W makes them.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The uneven choice of a number (TPC-W, clause 2.1.13): ((random 0 … A | random from … to) mod (to − from + 1)) + from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NuRand {
    /// A, a power of two less one.
    pub a: u64,
    /// Smallest number.
    pub from: u64,
    /// Largest number.
    pub to: u64,
}

/// Customers up to which A is 1023; above, each fourfold has a fourfold A (TPC-W, table of A for C_ID).
const CUSTOMERS: u64 = 10_000;
const CUSTOMER_A: u64 = 1023;
/// Most items and A (TPC-W, table of A for I_ID).
const ITEM_A: [(u64, u64); 4] = [
    (1000, 63),
    (10_000, 511),
    (100_000, 4095),
    (1_000_000, 32_767),
];
/// A for more items.
const MOST_ITEMS_A: u64 = 524_287;

impl NuRand {
    /// A customer of so many.
    pub fn of_customers(customers: u64) -> NuRand {
        let mut a = CUSTOMER_A;
        let mut most = CUSTOMERS;
        while customers >= most {
            a = a * 4 + 3;
            most *= 4;
        }
        NuRand {
            a,
            from: 1,
            to: customers.max(1),
        }
    }

    /// An item of so many.
    pub fn of_items(items: u64) -> NuRand {
        let row = ITEM_A.iter().find(|(most, _)| items <= *most);
        NuRand {
            a: row.map_or(MOST_ITEMS_A, |(_, a)| *a),
            from: 1,
            to: items.max(1),
        }
    }

    /// Draws a number.
    pub fn draw(&self, random: &mut Pcg64Mcg) -> u64 {
        let any = random.random_range(self.from..=self.to.max(self.from));
        let uneven = random.random_range(0..=self.a) | any;
        uneven % (self.to.max(self.from) - self.from + 1) + self.from
    }
}

/// TPC-W's DigSyl: a syllable for each digit of a number that zeros fill up to `digits` (clause 4.6.2.10).
pub fn syllables(number: u64, digits: usize) -> String {
    const SYLLABLES: [&str; 10] = ["BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG"];
    let digits = format!("{number:0digits$}");
    let digits = digits.bytes().map(|digit| usize::from(digit - b'0'));
    digits.map(|digit| SYLLABLES[digit]).collect()
}
