//! The kinds of experiments, a folder each. Its name is the kind's in experiment files, with underscores.
//!
//! | deed | place |
//! | --- | --- |
//! | a way of using a node's memory | `shared_node/arms` |
//! | values in job files of an experiment | `fio_jobs/template` |
//! | stores that jobs run on, and their benches | `fio_jobs/stores`, `fio_jobs/bench` |
//! | what the model is told of a store of the lab | `fio_jobs/store_profile` |
//! | files in pieces | `fio_jobs/ageing` |
//! | a file is handed to a socket | `file_sending/way` |
//! | a parameter that is varied; how its effect is ranked | `sensitivity/case`, `sensitivity/tables` |

pub(crate) mod file_sending;
pub(crate) mod file_systems;
pub(crate) mod fio_jobs;
pub(crate) mod sensitivity;
pub mod shared_node;
