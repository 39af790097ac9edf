//! The Python module `hotset._hotset`: the libraries of hotset as Python objects.
//!
//! | deed | file |
//! | --- | --- |
//! | keyword arguments become options for reading logs | `reading` |
//! | work runs without the interpreter's lock, and ends on Ctrl-C | `work` |
//! | an error of a library becomes an exception | `errors` |
//! | a result becomes a `dict`, JSON, a page | `result` |
//! | logs become a trace | `trace` |
//! | a trace is described | `description` |
//! | logs become a part, parts become one | `part` |

mod description;
mod errors;
mod part;
mod reading;
mod result;
mod trace;
mod work;

use pyo3::prelude::*;

/// What the module holds.
#[pymodule]
fn _hotset(module: &Bound<'_, PyModule>) -> PyResult<()> {
    work::quieten_caught_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    description::add_to(module)?;
    part::add_to(module)?;
    trace::add_to(module)
}
