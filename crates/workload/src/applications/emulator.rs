//! What the client emulators of RUBiS and RUBBoS have in common.

use std::time::Duration;

use crate::sessions::{Field, Mix, SessionLength, Spelling, ThinkTime, Value, pages_of};

/// Think time of both emulators (`TPCWthinkTime` of their TransitionTable.java). Above 70 s it asks at once, once in 22,000
/// pages; here it is cut there.
const THINK: ThinkTime = ThinkTime {
    mean: Duration::from_secs(7),
    most: Duration::from_secs(70),
};
/// Most pages of a session (`workload_maximum_number_of_transitions` of rubis.properties).
const MOST_PAGES: u64 = 1000;

/// The mixes of tables by their names, as the emulators run them; `fields` of a page by its name.
pub(super) fn mixes_of(tables: &[(&str, &str)], fields: impl Fn(&str) -> Vec<Field>) -> Vec<Mix> {
    let mix = |(name, table): &(&str, &str)| {
        let mut pages = pages_of(table);
        for page in &mut pages {
            page.fields = fields(&page.name);
        }
        Mix {
            name: (*name).to_owned(),
            think: THINK,
            session: SessionLength {
                most_pages: Some(MOST_PAGES),
                ..SessionLength::default()
            },
            shares_of: 1.0,
            pages,
        }
    };
    tables.iter().map(mix).collect()
}

/// A field with a whole number, each as likely.
pub(super) fn numbers(name: &str, from: u64, to: u64) -> Field {
    field(name, Value::Numbers(from, to.max(from), Spelling::Digits))
}

/// A field with letters.
pub(super) fn letters(name: &str, from: usize, to: usize) -> Field {
    field(name, Value::Letters(from, to))
}

fn field(name: &str, value: Value) -> Field {
    Field {
        name: name.to_owned(),
        share: 1.0,
        value,
    }
}
