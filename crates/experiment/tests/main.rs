//! Tests of experiments, through the public surface.

mod clients;
mod closed_loops;
mod collection;
mod cost_lines;
mod database_restarts;
mod databases;
mod document_machines;
mod file_sending;
mod file_systems;
mod fio_jobs;
mod kept;
mod nfs_timed;
mod open_trace;
mod place;
mod pollution;
mod reproduce;
mod sensitivity;
mod served_sites;
mod tiers;
mod tiers_results;
mod validate;
