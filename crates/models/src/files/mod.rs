//! Works: operations of one or more clients on files, read from text and simulated on a network file system.
//!
//! ```
//! use hotset_models::files::{Mounted, Work, simulate};
//! use hotset_models::remote::{Line, Protocol};
//! use hotset_models::remote::nfs::{Mount, Version};
//! use hotset_scenario::Profile;
//!
//! let text = "on-server data 1 4096\nopen data/0 r\nread data/0 4096\nclose data/0\n";
//! let work = Work::parse(text, "small.work".as_ref())?;
//! let profile = Profile::named_or_file("ssd")?;
//! let mounted = Mounted {
//!     mount: Mount {
//!         version: Version::V3,
//!         protocol: Protocol::Tcp,
//!         read_bytes: 1 << 20,
//!         write_bytes: 1 << 20,
//!         attributes_s: None,
//!         sync: false,
//!     },
//!     client: "web1",
//!     line: &|_| Line::default(),
//!     profile: &profile,
//!     is_async: false,
//! };
//! let result = simulate(&work, &mounted, &|| true)?;
//! assert_eq!(result.clients[0].calls["read"], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | deed | place |
//! | --- | --- |
//! | a work, read from its file | `work.rs`; a path of it: `path.rs` |
//! | the work on a mount, operation by operation; on several servers | `simulate.rs`; `parallel.rs` |
//! | why either cannot be | `error.rs` |

mod error;
mod parallel;
mod path;
mod simulate;
mod work;

pub use error::WorkError;
pub use parallel::{simulate_cluster, simulate_parallel};
pub use simulate::{ClientResult, FilesResult, Mounted, simulate};
pub use work::{OnServer, Operation, Step, Work};
