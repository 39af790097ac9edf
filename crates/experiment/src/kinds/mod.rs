//! The kinds of experiments, a folder each: `pollution` is the kind shared-node, the others are called as in experiment files.
//!
//! | deed | place |
//! | --- | --- |
//! | a way of using a node's memory | `pollution/arms` |
//! | values in job files of an experiment | `fio_jobs/template` |
//! | jobs run on stores, round after round, and are simulated | the table in `jobs` |
//! | files in pieces | `fio_jobs/ageing` |
//! | a file is handed to a socket | `file_sending/way` |
//! | clients of NFS in user space ask a server; what calls cost | `nfs_timed/bench`; `nfs_timed/costs` |
//! | files laid over several stores | `served_sites/spread` |
//! | an application with a database; how its memory is used | `databases/bench`, `databases/section` |
//! | such servers are restarted; when they are warm again | `databases/restarting`, `databases/warmth` |
//! | a parameter that is varied; how its effect is ranked | `sensitivity/case`, `sensitivity/tables` |

pub(crate) mod databases;
pub(crate) mod file_sending;
pub(crate) mod file_systems;
pub(crate) mod fio_jobs;
pub(crate) mod jobs;
pub(crate) mod nfs_timed;
pub(crate) mod open_trace;
pub mod pollution;
pub(crate) mod sensitivity;
pub(crate) mod served_sites;
pub(crate) mod tiers;
