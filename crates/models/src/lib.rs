//! Models of what stores are made of, on a clock of the caller's: nothing here waits, reads or writes.
//!
//! | deed | place |
//! | --- | --- |
//! | the way of reads and writes through Linux, for whoever waits on whatever calendar | [`storage`], [`calendar`] |
//! | what stays in memory; what is read ahead | [`page_cache`]; [`read_ahead`] |
//! | when dirty pages are written, and who waits for that | [`write_back`] |
//! | where a file's blocks are; how requests for them are served | [`file_system`]; [`block`] |
//! | how a drive moves its head | [`disk`] |
//! | files on other machines: NFS, PVFS 1 and OrangeFS, Lustre, GlusterFS and MooseFS | [`remote`] |
//! | switches between machines, and by which of them messages go | [`switches`] |
//! | jobs of fio, read and simulated | [`fio`] |
//! | works: operations on files, read and simulated | [`files`] |
//! | the same way drawn as Petri nets, page by page | [`nets`] |
//! | clients, proxies and web servers, each with the way of its reads | [`tiers`] |
//! | pages that an application makes with a database | [`dynamic`] |
//! | the same calculated by formulas, without simulating | [`calculate`] |

pub mod block;
pub mod calculate;
pub mod calendar;
mod costs;
pub mod disk;
mod divisor;
pub mod dynamic;
pub mod file_system;
pub mod files;
pub mod fio;
mod machine;
pub mod nets;
mod numbered;
pub mod page_cache;
mod quantiles;
pub mod read_ahead;
pub mod remote;
mod station;
pub mod storage;
pub mod switches;
pub mod tiers;
pub mod write_back;
