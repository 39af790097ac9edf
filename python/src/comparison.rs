//! `hotset.compare` and what it gives.

use std::path::PathBuf;

use hotset_actions::compare::{self, CompareResult, Options};
use hotset_report::ComparisonView;
use pyo3::prelude::*;

use crate::argument::{self, Arg};
use crate::errors::{self, option};
use crate::table::Table;
use crate::{result, result_tables, work};

/// Outcomes side by side.
#[pyclass(frozen, module = "hotset")]
pub struct Comparison(CompareResult);

impl Comparison {
    fn view(&self) -> ComparisonView<'_> {
        self.0.view()
    }
}

#[pymethods]
impl Comparison {
    /// Names of the outcomes; the first is the baseline.
    #[getter]
    fn names(&self) -> Vec<String> {
        let outcomes = self.0.chosen.outcomes.iter();
        outcomes.map(|outcome| outcome.name.clone()).collect()
    }

    /// The outcomes, one a row.
    #[getter]
    fn outcomes(&self) -> PyResult<Table> {
        result_tables::compared(&self.0.side_by_side)
    }

    /// The keys and values that `hotset compare --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result::to_dict(py, &self.view())
    }

    /// What `hotset compare --json` prints.
    fn to_json(&self) -> PyResult<String> {
        result::to_json(&self.view())
    }

    /// Writes the result as JSON, or as the report's page where `path` ends in `.html`.
    fn save(&self, py: Python<'_>, path: Arg<PathBuf>) -> PyResult<()> {
        py.detach(|| result::save(&path.0, &self.view()))
    }

    fn _repr_html_(&self) -> String {
        result::to_frame(&self.view())
    }

    fn __repr__(&self) -> String {
        format!("<hotset.Comparison of {}>", self.names().join(", "))
    }
}

/// Lays outcomes beside each other, as `hotset compare` does.
///
/// Arguments:
///     documents: files with outcomes, each "FILE", or "FILE:NAME" for one outcome of several.
///     seed: of the confidence intervals.
///
/// Returns:
///     A `Comparison`, the first outcome being what the others are compared with.
#[pyfunction(name = "compare")]
#[pyo3(signature = (documents, *, seed=0))]
fn compare_documents(
    py: Python<'_>,
    documents: Arg<Vec<PathBuf>>,
    #[pyo3(from_py_with = argument::number)] seed: u64,
) -> PyResult<Comparison> {
    let documents = documents.0;
    if documents.is_empty() {
        return Err(option("documents", "name at least one file with outcomes"));
    }
    let text = |path: PathBuf| path.into_os_string().into_string();
    let names: Result<Vec<String>, _> = documents.into_iter().map(text).collect();
    let names = names.map_err(|_| option("documents", "names have to be UTF-8"))?;
    let options = Options {
        documents: names,
        seed,
        ..Options::default()
    };
    work::run(py, None, move |_| {
        let compared = compare::run(&options).map_err(errors::job)?;
        Ok(Comparison(compared))
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Comparison>()?;
    module.add_function(wrap_pyfunction!(compare_documents, module)?)
}
