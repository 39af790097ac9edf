//! Tests of replay, through the public surface.

mod arrivals;
mod capture;
mod client;
mod descriptors;
mod endpoints;
mod misbehaving_servers;
mod reference_client;
mod responses;
mod schedule;
mod schedules;
mod sessions;
mod support;
mod tls;
