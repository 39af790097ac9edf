//! The Python module `hotset._hotset`: the libraries of hotset as Python objects.
//!
//! | deed | file |
//! | --- | --- |
//! | keyword arguments become options for reading logs | `reading` |
//! | work runs without the interpreter's lock, shows progress in a notebook, and ends on Ctrl-C | `work`, `hotset/_progress.py` |
//! | an argument that does not fit is refused | `argument` |
//! | an error of a library becomes an exception, with the names of Python's options | `errors`, `words` |
//! | a result becomes a `dict`, JSON, a page | `result` |
//! | logs or a trace folder are checked and read; they become a trace | `source`; `trace` |
//! | a trace is described; a description is pickled | `description`; `pickled` |
//! | logs become a part, parts become one | `part` |
//! | ranges of a large log become its part | `pieces` |
//! | requests of logs are carried elsewhere and become a trace | `trace_part` |
//! | what a job takes: logs, a trace folder, or a trace | `traffic` |
//! | tables of a trace go out, data frames come in | `table`, `frame` |
//! | tables of results go out | `result_tables` |
//! | a trace is planned for, run through a cache | `plan`, `simulation` |
//! | a scenario is simulated, once or at the points of a grid | `scenario`, `sweep` |
//! | traces are made up | `generate` |
//! | results of any of them side by side | `comparison` |

mod argument;
mod comparison;
mod description;
mod errors;
mod frame;
mod generate;
mod part;
mod pickled;
mod pieces;
mod plan;
mod reading;
mod result;
mod result_tables;
mod scenario;
mod simulation;
mod source;
mod sweep;
mod table;
mod trace;
mod trace_part;
mod traffic;
mod words;
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
    pieces::add_to(module)?;
    trace_part::add_to(module)?;
    table::add_to(module)?;
    plan::add_to(module)?;
    simulation::add_to(module)?;
    scenario::add_to(module)?;
    sweep::add_to(module)?;
    comparison::add_to(module)?;
    generate::add_to(module)?;
    trace::add_to(module)
}
