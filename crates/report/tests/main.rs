//! Tests of reports, through the public surface.

mod csv;
mod databases;
mod monitoring;
mod page;
mod plan_file;
mod reading;
mod replay;
mod sample;
mod schemas;
mod terminal;
mod views;
