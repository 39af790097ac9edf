//! Tests of reports, through the public surface.

mod csv;
mod numbers;
mod page;
mod plan_file;
mod plots;
mod reading;
mod replay;
mod sample;
mod schemas;
mod tables;
mod terminal;
mod views;
