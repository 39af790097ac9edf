//! Tests of the models of stores, through the public surface.

mod copying;
mod devices;
mod disk;
mod faults;
mod fio;
mod iolog;
mod job_files;
mod mapped;
mod multi_generational;
mod nets;
mod nets_drawn;
mod offsets;
mod placed;
mod raid;
mod read_ahead;
mod read_ahead_policies;
mod schedulers;
mod sending;
mod sent_files;
mod shared_processors;
mod storage;
mod support;
mod tiers;
mod two_lists;
