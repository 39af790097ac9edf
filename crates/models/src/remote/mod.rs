//! Files on other machines: what a client's kernel asks of file servers, and what that puts on the links.
//!
//! | deed | place |
//! | --- | --- |
//! | how a file is opened | `opening.rs` |
//! | messages as packets of a connection | `connection.rs` |
//! | NFS, versions 3 and 4 | [`nfs`] |

mod connection;
pub mod nfs;
mod opening;

pub use connection::{BothWays, Line};
pub use opening::{Access, Opening};
