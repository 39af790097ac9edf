//! The `hotset` command: which files of your web sites to hold in memory, and what that buys.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    hotset_cli::prepare();
    hotset_cli::run(env::args_os()).into()
}
