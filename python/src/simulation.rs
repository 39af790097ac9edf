//! `hotset.simulate` and what it gives.

use std::path::PathBuf;

use hotset_api::simulate::{Simulated, Simulation as Asked, accesses_of};
use hotset_cache::PolicyKind;
use hotset_report::{Style, View};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::plan::{part, size_text};
use crate::reading::{self, Reading, period_of, zone};
use crate::traffic::{Given, Traffic};
use crate::{errors, result, work};

/// Hit ratios and mean response of a cache.
#[pyclass(frozen, module = "hotset")]
pub struct Simulation(Simulated);

impl Simulation {
    fn view(&self) -> &dyn View {
        match &self.0 {
            Simulated::Whole(view) => view,
            Simulated::Sampled(view) => view,
        }
    }
}

#[pymethods]
impl Simulation {
    /// Share of the file reads that the cache answers; estimated where samples were asked for.
    #[getter]
    fn hit_ratio(&self) -> f64 {
        match &self.0 {
            Simulated::Whole(view) => view.hit_ratio,
            Simulated::Sampled(view) => view.hit_ratio,
        }
    }

    /// Mean response, microseconds; none where it was not simulated.
    #[getter]
    fn mean_us(&self) -> Option<f64> {
        match &self.0 {
            Simulated::Whole(view) => Some(view.mean_us),
            Simulated::Sampled(_) => None,
        }
    }

    /// The keys and values that `hotset simulate trace --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result::to_dict(py, self.view())
    }

    /// What `hotset simulate trace --json` prints.
    fn to_json(&self) -> PyResult<String> {
        result::to_json(self.view())
    }

    /// Writes JSON, which `compare` reads.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let json = result::to_json(self.view())?;
        py.detach(|| result::write(&path, json.as_bytes()))
    }

    fn _repr_html_(&self) -> String {
        result::to_text_frame(&self.view().terminal(Style {
            colour: false,
            width: None,
        }))
    }

    fn __repr__(&self) -> String {
        format!("<hotset.Simulation, hit ratio {:.4}>", self.hit_ratio())
    }
}

/// Runs the file reads through a cache, as `hotset simulate trace` does.
#[pyfunction]
#[pyo3(signature = (traffic, *, memory, policy=None, unit=None, backing="hdd", sampled=None, seed=0, start=None, end=None,
    time_zone=None, progress=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn simulate(
    py: Python<'_>,
    traffic: Given,
    memory: Bound<'_, PyAny>,
    policy: Option<&str>,
    unit: Option<&str>,
    backing: &str,
    sampled: Option<f64>,
    seed: u64,
    start: Option<Bound<'_, PyAny>>,
    end: Option<Bound<'_, PyAny>>,
    time_zone: Option<&str>,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Simulation> {
    let zone = zone(time_zone)?;
    let usual = match sampled {
        Some(_) => PolicyKind::Lru,
        None => PolicyKind::TwoList,
    };
    let policy = policy
        .map(|name| reading::parse("policy", name))
        .transpose()?;
    let asked = Asked {
        policy: policy.unwrap_or(usual),
        memory: reading::parse("memory", &size_text(&memory)?)?,
        unit: unit.map(|name| reading::parse("unit", name)).transpose()?,
        backing: backing.to_owned(),
        sampled: sampled.map(|share| part("sampled", share)).transpose()?,
        seed,
    };
    asked.check().map_err(errors::job)?;
    let mut reading = Reading::of(reading)?;
    reading.options.period = period_of(start.as_ref(), end.as_ref(), &zone)?;
    let traffic = Traffic::of(traffic, reading)?;
    work::run(py, progress.as_ref(), move |watch| {
        let names = traffic.names();
        let (accesses, reading) = accesses_of(traffic.read(watch)?, &names).map_err(errors::job)?;
        let simulated = asked.run(&accesses, reading, zone, true);
        simulated.map(Simulation).map_err(errors::job)
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Simulation>()?;
    module.add_function(wrap_pyfunction!(simulate, module)?)
}
