//! One file a command: what it takes and what it does.

pub mod apply;
pub mod compare;
pub mod config;
pub mod demo;
pub mod describe;
pub mod exec;
pub mod experiment;
pub mod generate;
pub mod import;
pub mod lab;
pub mod live;
pub mod merge;
pub mod model;
pub mod net;
pub mod part;
pub mod plan;
pub mod probe;
pub mod release;
pub mod replay;
pub mod reproduce;
pub mod run;
pub mod simulate;
pub mod status;
pub mod sweep;
pub mod validate;
