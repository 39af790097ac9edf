//! Sessions of emulated browsers: which page follows which, how long people think, how long they stay.
//!
//! A [`Mix`] is read from a TOML file ([`read`]) or comes with a benchmark. A [`Walk`] follows it page by page. What a
//! browser fills into forms is a [`Field`] of its page.
//!
//! | deed | place |
//! | --- | --- |
//! | what a mix consists of | `mix.rs` |
//! | a mix from TOML, and as TOML | `file.rs`, `text.rs` |
//! | which page is next; the share of each page in a long walk | `walk.rs`, `stationary.rs` |
//! | a browser, of which only the types of pages matter | `browser.rs` |
//! | think times and lengths of sessions | `times.rs` |
//! | what is filled in; uneven choices of TPC-W | `fields.rs`, `nurand.rs` |
//! | transition tables as text | `table.rs` |

mod browser;
mod fields;
mod file;
mod mix;
mod nurand;
mod stationary;
mod table;
mod text;
mod times;
mod walk;

pub use browser::{Browser, page_shares};
pub use fields::{Field, Spelling, Value, filled};
pub use file::{parse, read};
pub use mix::{Mix, Next, PageType, Transition};
pub use nurand::{NuRand, syllables};
pub use stationary::stationary;
pub(crate) use table::pages_of;
pub use text::to_toml;
pub use times::{SessionLength, ThinkTime};
pub use walk::{Step, Walk};
