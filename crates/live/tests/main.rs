//! Tests of held files and the runner, through the public surface.

mod automatic;
mod ceiling;
mod changes;
mod churn;
mod clients;
mod configuration;
mod copy_reads;
mod forget;
mod http;
mod look_schedule;
mod pacing;
mod path_watch;
mod preview;
mod refusals;
mod request;
mod run;
mod server;
mod simulated_run;
mod sites;
mod targets;
