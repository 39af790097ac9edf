//! Sites whose pages an application makes with a database, visited by emulated browsers, in simulated time.
//!
//! A page takes processor time of a web server, of an application with a limited number of workers, and of a database. It looks for
//! pages of tables: in the buffer pool, then through the page cache or past it on the disk. Then it waits for the database's log where it
//! has changed something. Files of other sites may be asked for beside it, on the same processors, memory and disk. So may pages of a second
//! application with a database server of its own.
//!
//! | deed | place |
//! | --- | --- |
//! | pages, tables and what they run on | `site.rs` |
//! | who visits which page next, and when | `visits.rs` |
//! | pages of tables: which is looked for, and what the buffer pool has of them | `pool.rs` |
//! | the database's log, synced for several at once | `log.rs` |
//! | workers of the application, and who waits for one | `workers.rs` |
//! | a browser and the page that it waits for | `browser.rs` |
//! | files of other sites, asked for by the clock | `neighbour.rs` |
//! | images of a page | `images.rs` |
//! | what is counted | `counts.rs` |
//! | all that is under way | `state.rs` |
//! | a page from its request to its answer; a file | `way.rs`; `sending.rs` |
//! | the run, event by event | `run.rs` |

mod browser;
mod counts;
mod images;
mod log;
mod neighbour;
mod pool;
mod run;
mod sending;
mod site;
mod state;
mod visits;
mod way;
mod workers;

pub use counts::FileUse;
pub use run::{Measured, simulate, simulate_with_uses};
pub use site::{DynamicSite, Images, Machine, Page, Second, Table, Tier};
pub use visits::{Visit, Visits};
