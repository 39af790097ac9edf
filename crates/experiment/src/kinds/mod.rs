//! The kinds of experiments, a folder each. Its name is the kind's in experiment files, with underscores.

pub(crate) mod file_sending;
pub(crate) mod file_systems;
pub(crate) mod fio_jobs;
pub(crate) mod sensitivity;
pub mod shared_node;
