//! The document on diskless web servers, simulated: twins of its workloads on its machines.
//!
//! | deed | place |
//! | --- | --- |
//! | which twins, at which rates; the settings of `experiments/diskless-simulated` | `settings` |
//! | a twin as requests at their times | `traffic` |
//! | the machines, of which a twin of a part of the day has a part of the memory | `machines` |
//! | a web server by where its files are: table 2 | `placement` |
//! | several web servers behind one file server | `sharing` |
//! | what the disks deliver: table 3 | `rates` |

mod machines;
mod placement;
mod rates;
mod settings;
mod sharing;
mod traffic;

pub(super) use placement::{Placed, WITH_SWAP, placed};
pub(super) use rates::{RATE_ROWS, Rate, rates};
pub(super) use settings::SETTINGS;
pub(super) use sharing::{RISE, Shared, shared};
