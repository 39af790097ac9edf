//! Keyword arguments as options for reading logs.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use hotset_actions::{ClientKey, FormatNames, WrittenTime, check_rule, client_key, period};
use hotset_trace::read::{FormatChoice, ReadOptions};
use hotset_trace::{Period, Zone};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::argument::Arg;
use crate::errors::{self, OptionError, option};

/// Options for reading logs, and whether there are any: a trace folder takes none.
pub struct Reading {
    /// For the reader.
    pub options: ReadOptions,
    /// Whether any was given: one that is None was not.
    pub is_given: bool,
}

/// Keyword arguments that are taken one by one.
pub struct Given<'py>(Bound<'py, PyDict>);

impl<'py> Given<'py> {
    /// Those of a call.
    pub fn of(py: Python<'py>, given: Option<&Bound<'py, PyDict>>) -> PyResult<Given<'py>> {
        let given = given.map(|given| given.copy()).transpose()?;
        Ok(Given(given.unwrap_or_else(|| PyDict::new(py))))
    }

    /// The names and values of a mapping called `name`, in its order; none where it is absent or None.
    pub fn pairs<T: for<'a> FromPyObject<'a, 'a, Error: Into<PyErr>>>(
        &self,
        name: &str,
    ) -> PyResult<Vec<(String, T)>> {
        let Some(value) = self.0.get_item(name)? else {
            return Ok(Vec::new());
        };
        self.0.del_item(name)?;
        if value.is_none() {
            return Ok(Vec::new());
        }
        let items = value
            .call_method0("items")
            .and_then(|items| items.try_iter()?.collect());
        let items: Vec<Bound<'py, PyAny>> = items.map_err(|_| option(name, "give a mapping"))?;
        let pair = |item: Bound<'py, PyAny>| item.extract::<(String, T)>();
        let pairs: PyResult<_> = items.into_iter().map(pair).collect();
        pairs.map_err(|error| option(name, error))
    }

    /// The value of `name`; nothing where it is absent or None.
    pub fn take<T: for<'a> FromPyObject<'a, 'a, Error: Into<PyErr>>>(
        &self,
        name: &str,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.0.get_item(name)? else {
            return Ok(None);
        };
        self.0.del_item(name)?;
        if value.is_none() {
            return Ok(None);
        }
        let value = value.extract::<T>();
        value.map(Some).map_err(|error| {
            let error: PyErr = error.into();
            option(name, error)
        })
    }

    /// The value of `name`, parsed from its text.
    fn parse<T: FromStr<Err: Display>>(&self, name: &str) -> PyResult<Option<T>> {
        let text: Option<String> = self.take(name)?;
        text.map(|text| parse(name, &text)).transpose()
    }

    /// The values of `name`, each parsed from its text.
    fn parse_all<T: FromStr<Err: Display>>(&self, name: &str) -> PyResult<Vec<T>> {
        let texts: Option<Vec<String>> = self.take(name)?;
        let texts = texts.unwrap_or_default();
        texts.iter().map(|text| parse(name, text)).collect()
    }

    /// Refuses what nobody took, and says `why`.
    pub fn refuse_rest(&self, why: &str) -> PyResult<()> {
        match self.0.keys().iter().next() {
            Some(name) => Err(OptionError::new_err(format!("{name}: {why}"))),
            None => Ok(()),
        }
    }
}

/// The value of an option, from its text.
pub fn parse<T: FromStr<Err: Display>>(name: &str, text: &str) -> PyResult<T> {
    text.parse().map_err(|error| option(name, error))
}

impl Reading {
    /// From the keyword arguments of a call.
    pub fn of(given: Option<&Bound<'_, PyDict>>) -> PyResult<Reading> {
        let Some(given) = given else {
            return Ok(Reading {
                options: ReadOptions::default(),
                is_given: false,
            });
        };
        let given = Given(given.copy()?);
        let threads: Option<usize> = given.take("threads")?;
        let is_given = given.0.values().iter().any(|value| !value.is_none());
        let mut options = ReadOptions {
            format: choice(&given)?,
            accepts_guess: given.take("guess")?.unwrap_or_default(),
            log_zone: given.parse("log_time_zone")?,
            counting: given.parse("rule")?.unwrap_or_default(),
            query: given.parse("query")?.unwrap_or_default(),
            sites: given.parse_all("sites")?,
            roots: given.parse_all("roots")?,
            order: given.parse("order")?.unwrap_or_default(),
            strict: given.take("strict")?.unwrap_or_default(),
            max_rejected_share: given.take("max_rejected")?,
            ..ReadOptions::default()
        };
        given.refuse_rest(
            "is no option; the options for reading logs are format, log_format, time_format, json_keys, guess, log_time_zone, \
             sites, roots, query, rule, order, strict, max_rejected and threads",
        )?;
        if let Some(threads) = threads {
            let why = "write how many threads may read, at least 1";
            options.threads = NonZeroUsize::new(threads).ok_or_else(|| option("threads", why))?;
        }
        check_share(options.max_rejected_share)?;
        check_together(&options)?;
        Ok(Reading { options, is_given })
    }

    /// Sets what stands for clients: what was logged, or pseudonyms of a key.
    pub fn name_clients(
        &mut self,
        keep_clients: bool,
        client_key: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.is_given |= keep_clients || client_key.is_some();
        self.options.keep_clients = keep_clients;
        match client_key {
            Some(_) if keep_clients => Err(OptionError::new_err(
                "client_key, keep_clients: give one of them",
            )),
            Some(given) => {
                self.options.client_key = key(given)?;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Refuses options that do not go together, as the command does.
fn check_together(options: &ReadOptions) -> PyResult<()> {
    let names_format = matches!(
        options.format,
        Some(FormatChoice::Known(_) | FormatChoice::Custom(_))
    );
    if options.accepts_guess && names_format {
        return Err(OptionError::new_err(
            "guess, format, log_format: give one of them",
        ));
    }
    if options.strict && options.max_rejected_share.is_some() {
        return Err(OptionError::new_err(
            "strict, max_rejected: give one of them",
        ));
    }
    check_rule(options).map_err(errors::job)
}

fn choice(given: &Given<'_>) -> PyResult<Option<FormatChoice>> {
    let names = FormatNames {
        known: given.parse("format")?,
        pattern: given.take("log_format")?,
        time_format: given.take("time_format")?,
        json_keys: given.parse("json_keys")?,
    };
    let named = [
        names.known.is_some(),
        names.pattern.is_some(),
        names.json_keys.is_some(),
    ];
    if named.into_iter().filter(|named| *named).count() > 1 {
        return Err(OptionError::new_err(
            "format, log_format, json_keys: give one of them",
        ));
    }
    if names.time_format.is_some() && names.pattern.is_none() {
        return Err(option("time_format", "goes with log_format"));
    }
    if let Some(name) = names.misplaced_name() {
        let why =
            format!("takes a format string; for the format called {name} write format={name:?}");
        return Err(option("log_format", why));
    }
    names.choice().map_err(|why| option("log_format", why))
}

fn check_share(share: Option<f64>) -> PyResult<()> {
    match share {
        Some(share) if !(0.0..=1.0).contains(&share) => {
            Err(option("max_rejected", "write a share from 0 to 1"))
        }
        _ => Ok(()),
    }
}

/// One path, or several.
pub struct Paths(Vec<PathBuf>);

impl Paths {
    /// All of them.
    ///
    /// # Errors
    /// There are none.
    pub fn all(self, name: &str) -> PyResult<Vec<PathBuf>> {
        match self.0.is_empty() {
            true => Err(option(name, "name at least one")),
            false => Ok(self.0),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Paths> {
        if let Ok(path) = given.extract() {
            return Ok(Paths(vec![path]));
        }
        let Ok(several) = given.extract::<Vec<Bound<'_, PyAny>>>() else {
            return Err(no_path(&given));
        };
        let paths = several
            .iter()
            .map(|one| one.extract().map_err(|_| no_path(one)));
        paths.collect::<PyResult<_>>().map(Paths)
    }
}

fn no_path(given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name();
    let kind = kind.map_or_else(|_| "this".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "a path is a str, bytes or os.PathLike, not {kind}: give one or a list of them"
    ))
}

/// A zone by its name; UTC where none is given.
pub fn zone(name: Option<Arg<String>>) -> PyResult<Zone> {
    name.map_or(Ok(Zone::UTC), |name| parse("time_zone", &name.0))
}

/// The period between two times, each a text or a `datetime`.
pub fn period_of(
    start: Option<&Bound<'_, PyAny>>,
    end: Option<&Bound<'_, PyAny>>,
    zone: &Zone,
) -> PyResult<Period> {
    let time = |name: &str, time: Option<&Bound<'_, PyAny>>| {
        time.map(|time| written(name, time)).transpose()
    };
    let period = period(time("start", start)?, time("end", end)?, zone);
    let period = period.map_err(|why| option("start, end", why))?;
    period.ok_or_else(|| {
        let why = "the period ends before it begins: write the earlier time first";
        option("start, end", why)
    })
}

fn written(name: &str, time: &Bound<'_, PyAny>) -> PyResult<WrittenTime> {
    let text = match time.cast::<PyString>() {
        Ok(text) => text.to_string(),
        // A datetime or date, or what else writes itself as ISO 8601.
        Err(_) => match time.call_method0("isoformat") {
            Ok(text) => text.to_string(),
            Err(_) => return Err(option(name, "give a text or a datetime")),
        },
    };
    parse(name, &text)
}

/// A key of pseudonyms as 32 hexadecimal digits or 16 bytes.
pub fn key(given: &Bound<'_, PyAny>) -> PyResult<ClientKey> {
    if let Ok(bytes) = given.cast::<PyBytes>() {
        let key = bytes.as_bytes().try_into();
        return key.map_err(|_| option("client_key", "give 16 bytes"));
    }
    let hex: String = given
        .extract()
        .map_err(|_| option("client_key", "give 32 hexadecimal digits or 16 bytes"))?;
    client_key(&hex).map_err(|why| option("client_key", why))
}
