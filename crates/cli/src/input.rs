//! What every command that reads traffic takes, and how it becomes a trace.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hotset_describe::DescribeOptions;
use hotset_trace::formats::FormatKind;
use hotset_trace::formats::custom::Pattern;
use hotset_trace::read::{
    self, CountingRule, FormatChoice, Order, QueryRule, ReadError, ReadOptions, ReadSummary,
    RootRule, SiteRule,
};
use hotset_trace::sessions::{Sessions, sessions};
use hotset_trace::{Trace, store};

use crate::output::Usage;
use crate::progress::Bar;

/// A parser of `--option` values that completions and help can list.
pub fn one_of<T, E>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = E> + Clone + Send + Sync + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// Logs and how to read them.
#[derive(clap::Args)]
pub struct InputArgs {
    /// Access logs (plain, gzip, zstd, bzip2 or xz), patterns, `-` for standard input, or one trace
    /// folder
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// What `--site` says.
#[derive(Clone, Debug)]
enum SiteArg {
    /// How requests come to belong to a site.
    Rule(SiteRule),
    /// The name of a site, where a command takes some of the sites only.
    Name(String),
}

impl FromStr for SiteArg {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<SiteArg, ReadError> {
        if text.is_empty() || text.contains('=') {
            return text.parse().map(SiteArg::Rule);
        }
        Ok(SiteArg::Name(text.into()))
    }
}

/// How logs are read.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading logs")]
pub struct ReadingArgs {
    /// Format of the logs; detected where not given
    #[arg(long, value_name = "NAME", conflicts_with = "log_format", hide_possible_values = true,
        value_parser = one_of::<FormatKind, _>(FormatKind::ALL.map(|kind| kind.name())))]
    format: Option<FormatKind>,
    /// Format of the logs as an nginx `log_format` or Apache `LogFormat` string
    #[arg(long, value_name = "STRING")]
    log_format: Option<String>,
    /// Times in the --log-format string that are not in its server's usual form (strftime)
    #[arg(long, value_name = "STRFTIME", requires = "log_format")]
    time_format: Option<String>,
    /// A site: NAME=GLOB by URL path, NAME=host:GLOB by virtual host, NAME=log:GLOB by log file;
    /// may be repeated, the first match counts
    #[arg(long = "site", value_name = "NAME=GLOB")]
    sites: Vec<SiteArg>,
    /// A site's document root, SITE=DIR, or an alias, SITE:/prefix/=DIR; may be repeated
    #[arg(long = "root", value_name = "SITE=DIR")]
    roots: Vec<RootRule>,
    /// URLs with a query: auto (stripped for static types and files under a root, else no file),
    /// exclude (no file), strip, keep
    #[arg(long, value_name = "RULE", default_value = "auto", hide_possible_values = true,
        value_parser = one_of::<QueryRule, _>(["auto", "exclude", "strip", "keep"]))]
    query: QueryRule,
    /// What counts: default (access = GET answered 200 or 206 for a file) or c1 (every request
    /// without a query, a file being path + size)
    #[arg(long, value_name = "RULE", default_value = "default", hide_possible_values = true,
        value_parser = one_of::<CountingRule, _>(["default", "c1"]))]
    rule: CountingRule,
    /// Order of requests: log (as served) or time
    #[arg(long, value_name = "ORDER", default_value = "log", hide_possible_values = true,
        value_parser = one_of::<Order, _>(["log", "time"]))]
    order: Order,
    /// Treat the first line that cannot be read as an error
    #[arg(long)]
    strict: bool,
}

impl ReadingArgs {
    /// The reader's options, for a command that takes all sites.
    pub fn options(&self) -> Result<ReadOptions> {
        if let Some(name) = self.site_names().next() {
            // Reading it as a rule says what is wrong with it.
            name.parse::<SiteRule>()
                .map_err(|error| Usage(error.to_string()))?;
        }
        self.options_beside_names()
    }

    /// The reader's options, for a command that takes only the sites of [`Self::site_names`].
    pub fn options_beside_names(&self) -> Result<ReadOptions> {
        Ok(ReadOptions {
            format: self.format_choice()?,
            counting: self.rule,
            query: self.query,
            sites: self.site_rules().cloned().collect(),
            roots: self.roots.clone(),
            order: self.order,
            strict: self.strict,
            ..ReadOptions::default()
        })
    }

    /// Sites that are named without a rule.
    pub fn site_names(&self) -> impl Iterator<Item = &str> {
        self.sites.iter().filter_map(|site| match site {
            SiteArg::Name(name) => Some(name.as_str()),
            SiteArg::Rule(_) => None,
        })
    }

    fn site_rules(&self) -> impl Iterator<Item = &SiteRule> {
        self.sites.iter().filter_map(|site| match site {
            SiteArg::Rule(rule) => Some(rule),
            SiteArg::Name(_) => None,
        })
    }

    fn format_choice(&self) -> Result<Option<FormatChoice>> {
        if let Some(kind) = self.format {
            return Ok(Some(FormatChoice::Known(kind)));
        }
        let Some(pattern) = &self.log_format else {
            return Ok(None);
        };
        let custom = Pattern::compile(pattern, self.time_format.as_deref())
            .map_err(|error| Usage(format!("--log-format: {error}")))?;
        Ok(Some(FormatChoice::Custom(custom)))
    }

    /// Whether any option asks for more than the defaults, which only logs can be given.
    fn is_default(&self) -> bool {
        self.format.is_none()
            && self.log_format.is_none()
            && self.site_rules().next().is_none()
            && self.roots.is_empty()
            && self.query == QueryRule::default()
            && self.rule == CountingRule::default()
            && self.order == Order::default()
            && !self.strict
    }
}

/// A trace and, where it was read from logs just now, how that went.
pub struct Input {
    pub trace: Trace,
    pub summary: ReadSummary,
    /// The connection of each request, where a trace folder has them.
    connections: Option<Vec<u32>>,
}

impl Input {
    /// How to describe it.
    pub fn describe_options(&self) -> DescribeOptions<'_> {
        DescribeOptions {
            rejected_lines: self.summary.rejected_lines,
            connections: self.connections.as_deref(),
            ..DescribeOptions::default()
        }
    }
}

impl Input {
    /// Connections and arrivals: those of the trace folder, else rebuilt with `seed`.
    pub fn sessions(&self, seed: u64) -> Sessions {
        let Some(connection) = &self.connections else {
            return sessions(&self.trace.requests, seed);
        };
        Sessions {
            connection: connection.clone(),
            time_us: self.trace.requests.time_us.clone(),
            connections: connection.iter().max().map_or(0, |highest| highest + 1),
        }
    }

    /// The files that were read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let sources = self.summary.sources.iter();
        sources.map(|source| Path::new(&source.file))
    }
}

impl InputArgs {
    /// Reads the logs, or the trace folder.
    pub fn read(&self) -> Result<Input> {
        self.read_with(&self.reading.options()?)
    }

    /// Reads the logs by `options`, or the trace folder.
    pub fn read_with(&self, options: &ReadOptions) -> Result<Input> {
        if let Some(folder) = self.trace_folder()? {
            let trace = store::read(folder)?;
            let summary = summary_of_folder(folder, &trace)?;
            let connections = store::read_connections(folder)?;
            return Ok(Input {
                trace,
                summary,
                connections,
            });
        }
        let mut bar = Bar::bytes("reading");
        let (trace, summary) = read::read(&self.logs, options, &mut |progress| {
            bar.set_of(progress.bytes, progress.total_bytes);
            ControlFlow::Continue(())
        })?;
        Ok(Input {
            trace,
            summary,
            connections: None,
        })
    }

    /// The trace folder, where that is what was given.
    pub fn trace_folder(&self) -> Result<Option<&Path>> {
        let Some(folder) = self.logs.iter().find(|path| is_trace_folder(path)) else {
            return Ok(None);
        };
        if self.logs.len() > 1 {
            bail!(Usage(format!(
                "{} is a trace folder: give it alone, or give logs only",
                folder.display()
            )));
        }
        if !self.reading.is_default() {
            bail!(Usage(format!(
                "{} is a trace folder, read already: options about reading logs belong to the \
                 `hotset import` that made it",
                folder.display()
            )));
        }
        Ok(Some(folder))
    }
}

fn is_trace_folder(path: &Path) -> bool {
    path.join("trace.json").is_file()
}

/// What is known of how the requests of a trace folder were read.
fn summary_of_folder(folder: &Path, trace: &Trace) -> Result<ReadSummary> {
    let manifest = store::read_manifest(folder)?;
    let summary: Option<ReadSummary> = serde_json::from_value(manifest.provenance.summary).ok();
    Ok(summary.unwrap_or_else(|| ReadSummary {
        rules: manifest.provenance.rules,
        requests: trace.requests.len() as u64,
        accesses: manifest.accesses,
        ..ReadSummary::default()
    }))
}

/// The accesses of a trace: object ids and times in log order.
pub struct AccessColumns {
    pub objects: Vec<u32>,
    pub times_us: Vec<i64>,
}

impl AccessColumns {
    /// Picks the rows that count as accesses.
    ///
    /// # Errors
    /// There are none: nothing could be held or cached.
    pub fn of(input: &Input, name: &str) -> Result<AccessColumns> {
        let requests = &input.trace.requests;
        let rows = (0..requests.len()).filter(|&row| requests.access[row]);
        let (objects, times_us): (Vec<u32>, Vec<i64>) = rows
            .map(|row| (requests.object[row], requests.time_us[row]))
            .unzip();
        if objects.is_empty() {
            bail!(no_access(name, &input.summary));
        }
        Ok(AccessColumns { objects, times_us })
    }
}

/// What to call the input in messages: its first name.
pub fn name_of(logs: &[PathBuf]) -> Result<String> {
    let first = logs.first().context("no input")?;
    Ok(if first == Path::new("-") {
        "standard input".into()
    } else {
        first.display().to_string()
    })
}

/// Why nothing can be held or cached, and what to try.
fn no_access(name: &str, summary: &ReadSummary) -> String {
    let outside = summary.not_files.not_under_root;
    let hint = if outside > 0 {
        format!("{outside} name no file under the root; does --root name the document root?")
    } else {
        let rule = summary.rules.first().map_or("no rule", String::as_str);
        format!("{rule}; is --query or --rule too strict?")
    };
    format!(
        "{name}: {} requests, none of which reads a file: {hint}",
        summary.requests
    )
}
