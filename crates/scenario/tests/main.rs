//! Tests of scenarios and profiles, through the public surface.

mod application_profiles;
mod cluster_stores;
mod cost_line;
mod databases;
mod durations;
mod events;
mod file_servers;
mod links;
mod node_needs;
mod parallel_stores;
mod placement_changes;
mod placements;
mod profiles;
mod reference_page;
mod scenarios;
mod server_profiles;
mod settings;
mod sizes;
mod toml_files;
mod variations;
mod writers;
