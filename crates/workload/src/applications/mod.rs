//! Web applications with databases, one benchmark a folder behind [`Application`].
//!
//! | deed | place |
//! | --- | --- |
//! | what a benchmark has to say | `application.rs` |
//! | its tables, pages and mixes | `tpcw`, `rubis`, `rubbos` |

mod application;
mod emulator;
mod rubbos;
mod rubis;
mod tpcw;

pub use application::Application;
pub use rubbos::Rubbos;
pub use rubis::Rubis;
pub use tpcw::{CUSTOMERS_PER_BROWSER, Tpcw};
