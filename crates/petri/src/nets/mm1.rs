//! The M/M/1 queue.

use super::entry::{Entry, RHO, Values};
use super::mg1;
use crate::{Delay, Net, NetError};

pub(super) const ENTRY: Entry = Entry {
    name: "mm1",
    about: "one server, exponential service of 1 ms, Poisson arrivals",
    parameters: &[RHO],
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    mg1::single_server("mm1", values.get("rho"), Delay::exponential(1e-3))
}
