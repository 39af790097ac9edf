//! Arguments whose values do not fit, whatever the conversion raises.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// An argument. A value that does not fit, such as a negative number of bytes or a text that is not Unicode, is a `TypeError`
/// that names the argument; Python's own conversions raise other errors for some of them.
pub struct Arg<T>(pub T);

impl<'a, 'py, T: FromPyObject<'a, 'py, Error: Into<PyErr>>> FromPyObject<'a, 'py> for Arg<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Arg<T>> {
        let fitting = given.extract::<T>().map(Arg);
        fitting.map_err(|error| as_type_error(given.py(), error.into()))
    }
}

/// A number that has a default, which only bare types show in Python's signature.
pub fn number(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    given
        .extract()
        .map_err(|error| as_type_error(given.py(), error))
}

fn as_type_error(py: Python<'_>, error: PyErr) -> PyErr {
    match error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyOverflowError>(py) {
        true => PyTypeError::new_err(error.value(py).to_string()),
        false => error,
    }
}
