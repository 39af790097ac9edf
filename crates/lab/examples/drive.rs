//! The process that plays a seeking disk, for tests: `drive OPTIONS`.

use hotset_lab::LabError;
use hotset_lab::disk::seeking::{Options, serve};

fn main() -> Result<(), LabError> {
    let argument = std::env::args().next_back().unwrap_or_default();
    serve(&Options::parse(&argument)?)
}
