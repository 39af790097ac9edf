//! The tree of exceptions, and which of them an error of a library is.

use std::error::Error;

use hotset_describe::PartError as Unmergeable;
use hotset_scenario::ProfileError;
use hotset_trace::folder::FolderError;
use hotset_trace::read::ReadError;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::words::{self, in_python};

create_exception!(
    hotset,
    HotsetError,
    PyException,
    "Whatever hotset refuses or cannot do; the message names the input, the place and the fix."
);
create_exception!(
    hotset,
    OptionError,
    HotsetError,
    "An option that means nothing, or does not go with another."
);
create_exception!(
    hotset,
    LogError,
    HotsetError,
    "A log or trace folder that cannot be read."
);
create_exception!(
    hotset,
    PartError,
    HotsetError,
    "A part that cannot be made, read or merged."
);
create_exception!(
    hotset,
    JobError,
    HotsetError,
    "A plan, simulation or comparison that what was given does not allow."
);
create_exception!(
    hotset,
    FrameError,
    HotsetError,
    "A data frame that is no trace."
);
create_exception!(
    hotset,
    SaveError,
    HotsetError,
    "A result that cannot be written to where it was told to go."
);
create_exception!(
    hotset,
    InternalError,
    HotsetError,
    "A fault of hotset itself."
);

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("HotsetError", py.get_type::<HotsetError>())?;
    module.add("OptionError", py.get_type::<OptionError>())?;
    module.add("LogError", py.get_type::<LogError>())?;
    module.add("PartError", py.get_type::<PartError>())?;
    module.add("JobError", py.get_type::<JobError>())?;
    module.add("FrameError", py.get_type::<FrameError>())?;
    module.add("SaveError", py.get_type::<SaveError>())?;
    module.add("InternalError", py.get_type::<InternalError>())
}

/// What `error` says, on one line.
pub fn said(error: &(dyn Error + 'static)) -> String {
    in_python(&hotset_actions::one_line(error))
}

/// An option called `name` and what is wrong with it.
pub fn option(name: &str, why: impl std::fmt::Display) -> PyErr {
    OptionError::new_err(format!("{name}: {why}"))
}

pub fn read(error: ReadError) -> PyErr {
    LogError::new_err(said(&error))
}

pub fn part(error: Unmergeable) -> PyErr {
    match error {
        Unmergeable::Read(error) => read(error),
        Unmergeable::CannotMerge { .. } => OptionError::new_err(said(&error)),
        error => PartError::new_err(said(&error)),
    }
}

/// What a job refuses.
pub fn job(error: hotset_actions::JobError) -> PyErr {
    let said = words::said(&error.message());
    if error.is_usage() || error.find::<ProfileError>().is_some() {
        OptionError::new_err(said)
    } else if error.find::<ReadError>().is_some() || error.find::<FolderError>().is_some() {
        LogError::new_err(said)
    } else {
        JobError::new_err(said)
    }
}

/// A failure that no input can bring about.
pub fn internal(error: impl Error + 'static) -> PyErr {
    InternalError::new_err(said(&error))
}
