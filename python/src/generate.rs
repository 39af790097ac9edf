//! `hotset.generate`: workloads that are made up.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use hotset_actions::Input;
use hotset_actions::generate::{
    ALPHA, AVERAGE_SIZE_OBJECTS, CONNECTIONS, OBJECTS, RATE, REQUESTS, SHIFT_EVERY, SIZE,
    WORKING_SET, check_memory_for,
};
use hotset_machine::file;
use hotset_trace::read::CountingRule;
use hotset_workload::access_log::{LogStyle, check_sites, write_log};
use hotset_workload::{
    AverageSize, GenerateError, Generator, Load, Mix, Shifting, SingleFile, SpecWeb99, Twin, Zipf,
    directories,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::argument::{self, Arg};
use crate::errors::{self, SaveError, option};
use crate::reading::{self, Given};
use crate::trace::Trace;
use crate::work;

/// Files of a directory of SPECweb99: four classes of nine (SPECweb99 Release 1.02, run and reporting rules).
const DIRECTORY_FILES: u64 = 36;

/// What makes the trace of a seed.
type Make = Box<dyn FnOnce(u64) -> Result<hotset_trace::Trace, GenerateError> + Send>;

/// A number of bytes, or a text such as `64KiB`.
#[derive(FromPyObject)]
enum Size {
    #[pyo3(transparent)]
    Bytes(u64),
    #[pyo3(transparent)]
    Text(String),
}

/// Parameters of a workload, taken one by one.
struct Parameters<'py> {
    given: Given<'py>,
    /// Requests and files that they ask for.
    counts: (u64, u64),
}

impl Parameters<'_> {
    fn or<T: for<'a> FromPyObject<'a, 'a, Error: Into<PyErr>>>(
        &self,
        name: &str,
        usual: T,
    ) -> PyResult<T> {
        Ok(self.given.take(name)?.unwrap_or(usual))
    }

    fn size(&self, name: &str, usual: &str) -> PyResult<u64> {
        match self.or(name, Size::Text(usual.to_owned()))? {
            Size::Bytes(bytes) => Ok(bytes),
            Size::Text(text) => {
                hotset_scenario::parse_bytes(&text).map_err(|error| option(name, error))
            }
        }
    }

    fn requests(&mut self) -> PyResult<u64> {
        self.counts.0 = self.or("requests", REQUESTS)?;
        Ok(self.counts.0)
    }

    fn objects(&mut self, usual: u32) -> PyResult<u32> {
        let objects = self.or("objects", usual)?;
        self.counts.1 = objects.into();
        Ok(objects)
    }

    fn load(&mut self) -> PyResult<Load> {
        Ok(Load::new(self.requests()?, self.or("rate", RATE)?))
    }

    fn zipf(&mut self) -> PyResult<Zipf> {
        let class: Option<usize> = self.given.take("zipf_class")?;
        if let Some(class) = class {
            let zipf = Zipf::class(class, self.load()?);
            let zipf = zipf.map_err(|error| option("zipf_class", error))?;
            return self.correlated(zipf);
        }
        let zipf = Zipf::new(
            self.or("alpha", ALPHA)?,
            self.objects(OBJECTS)?,
            self.size("working_set", WORKING_SET)?,
            self.load()?,
        );
        self.correlated(zipf)
    }

    /// With the rank correlation of size and popularity that is given, if one is.
    fn correlated(&self, zipf: Zipf) -> PyResult<Zipf> {
        Ok(Zipf {
            size_correlation: self.or("size_correlation", zipf.size_correlation)?,
            ..zipf
        })
    }

    fn mix(&self) -> PyResult<Make> {
        let sites: Vec<(String, Trace)> = self.given.pairs("sites")?;
        if sites.len() < 2 {
            return Err(option(
                "sites",
                "give the traces of two sites or more, by name",
            ));
        }
        for (name, trace) in &sites {
            check_mixable(name, trace)?;
        }
        let site = |(name, trace): (String, Trace)| {
            let generator: Box<dyn Generator> = Box::new(trace.into_input().trace);
            (name, generator)
        };
        Ok(Box::new(move |seed| {
            let sites = sites.into_iter().map(site).collect();
            Mix { sites }.generate(seed)
        }))
    }

    /// The generator called `workload`.
    fn generator(&mut self, workload: &str) -> PyResult<Make> {
        Ok(match workload {
            "single-file" => make(SingleFile {
                size_bytes: self.size("size", SIZE)?,
                load: self.load()?,
            }),
            "average-size" => make(AverageSize {
                mean_bytes: self.size("size", SIZE)?,
                objects: self.objects(AVERAGE_SIZE_OBJECTS)?,
                load: self.load()?,
            }),
            "zipf" => make(self.zipf()?),
            "shifting" => make(Shifting {
                zipf: self.zipf()?,
                shift_every: self.or("shift_every", SHIFT_EVERY)?,
                share: self.or("share", 1.0)?,
            }),
            "specweb99" => {
                let connections = self.or("connections", CONNECTIONS)?;
                self.counts.1 = u64::from(directories(connections)) * DIRECTORY_FILES;
                make(SpecWeb99 {
                    connections,
                    requests: self.requests()?,
                })
            }
            "twin" => {
                let name: Option<String> = self.given.take("name")?;
                let name = name.ok_or_else(|| option("name", "name the day of traffic"))?;
                make(Twin {
                    workload: reading::parse("name", &name)?,
                    scale: self.or("scale", 1.0)?,
                })
            }
            "mix" => self.mix()?,
            _ => {
                let known = "single-file, average-size, zipf, shifting, specweb99, twin and mix";
                return Err(option(
                    "workload",
                    format!("{workload:?} is none; there are {known}"),
                ));
            }
        })
    }
}

/// Refuses requests that another rule than the default one has counted: the mix could not say so.
fn check_mixable(name: &str, trace: &Trace) -> PyResult<()> {
    match trace.input().summary.counting_rule {
        CountingRule::Default => Ok(()),
        CountingRule::C1 => Err(option(
            "sites",
            format!(
                "{name} was read by rule c1, by which other requests count than in a mix; read its log without that"
            ),
        )),
    }
}

fn make(generator: impl Generator + Send + 'static) -> Make {
    Box::new(move |seed| generator.generate(seed))
}

/// Makes up a trace, as `hotset generate` does; the same arguments and seed give the same trace.
///
/// Arguments:
///     workload: "single-file", "average-size", "zipf", "shifting", "specweb99", "twin" or "mix".
///     seed: of all that is drawn.
///     log: also write the requests to this file, as an access log.
///     log_style: layout of its lines: "common", "combined" or "vhost-combined".
///     parameters: those of the workload, by name:
///         single-file: size, requests, rate.
///         average-size: size, objects, requests, rate.
///         zipf: zipf_class, or alpha, objects and working_set; size_correlation, requests, rate.
///         shifting: those of zipf; shift_every, share.
///         specweb99: connections, requests.
///         twin: name ("olympics98", "nyse" or "proxy"), scale.
///         mix: sites, a dict of traces by name.
///
/// Returns:
///     A `Trace`.
#[pyfunction]
#[pyo3(signature = (workload, *, seed=0, log=None, log_style=None, **parameters))]
fn generate(
    py: Python<'_>,
    workload: Arg<String>,
    #[pyo3(from_py_with = argument::number)] seed: u64,
    log: Option<Arg<PathBuf>>,
    log_style: Option<Arg<String>>,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Trace> {
    let workload = workload.0.as_str();
    let style = log_style.map(|name| reading::parse("log_style", &name.0));
    let style = style.transpose()?.unwrap_or(LogStyle::Combined);
    let mut parameters = Parameters {
        given: Given::of(py, parameters)?,
        counts: (0, 0),
    };
    let make = parameters.generator(workload)?;
    parameters
        .given
        .refuse_rest(&format!("is no parameter of {workload}"))?;
    let (requests, objects) = parameters.counts;
    work::run(py, None, move |_| {
        check_memory_for(requests, objects).map_err(errors::job)?;
        let trace = make(seed).map_err(|error| option("workload", error))?;
        let trace = Trace::new(Input::of_trace(trace));
        if let Some(path) = log {
            save_log(&trace, style, &path.0)?;
        }
        Ok(trace)
    })
}

/// Writes the log whole or not at all.
fn save_log(trace: &Trace, style: LogStyle, path: &Path) -> PyResult<()> {
    let trace = &trace.input().trace;
    check_sites(trace, style).map_err(|error| option("log_style", error))?;
    let written = file::write_with(path, |file| {
        write_log(trace, style, None, &mut BufWriter::new(file))
    });
    written.map_err(|error| {
        SaveError::new_err(format!("{}: cannot be written: {error}", path.display()))
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(generate, module)?)
}
