//! Tests of plans, through the public surface.

mod advice;
mod baseline;
mod choices;
mod closed_loop;
mod curve;
mod databases;
mod definition;
mod edges;
mod evaluate;
mod groups;
mod nodes;
mod online;
mod order;
mod page_cache;
mod proposal;
mod real_logs;
mod sampled;
mod search;
mod shifting_popularity;
mod starving;
mod stop;
mod support;
mod targets;
mod verdict;
mod writers;
