//! Tests of descriptions and parts, through the public surface.

mod describe;
mod logs_of_machines;
mod merge;
mod parts;
mod pieces;
mod real_logs;
mod trace_parts;
mod zipf;
