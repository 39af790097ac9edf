//! How logs are read: the options, and the reader's settings that they become.

use std::str::FromStr;

use anyhow::{Result, bail};
use hotset_actions::{FormatNames, check_rule};
use hotset_trace::Zone;
use hotset_trace::formats::FormatKind;
use hotset_trace::formats::json::JsonKeys;
use hotset_trace::read::{
    CountingRule, FormatChoice, Order, QueryRule, ReadError, ReadOptions, RootRule, SiteRule,
};
use strum::VariantNames as _;

use crate::option_values::{one_of, whole_or_part};
use crate::output::Usage;

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

/// How the lines of logs are read.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading logs")]
pub struct FormatArgs {
    /// Format of the logs; detected by default
    #[arg(long, value_name = "NAME", conflicts_with = "log_format", hide_possible_values = true,
        value_parser = one_of::<FormatKind, _>(FormatKind::ALL.iter().map(|kind| kind.name())))]
    format: Option<FormatKind>,
    /// Format of the logs as an nginx or Apache format string
    ///
    /// An nginx `log_format` or Apache `LogFormat` string.
    #[arg(long, value_name = "STRING")]
    log_format: Option<String>,
    /// Format of the logs as JSON, by the keys of its fields
    ///
    /// As in time=ts,uri=request.uri,status=status,bytes=size; also method, host, client, request, query, protocol,
    /// duration (seconds).
    #[arg(long, value_name = "FIELD=KEY,…", conflicts_with_all = ["format", "log_format"])]
    json_keys: Option<JsonKeys>,
    /// How the --log-format string writes times (strftime)
    ///
    /// Where that is not its server's default.
    #[arg(long, value_name = "STRFTIME", requires = "log_format")]
    time_format: Option<String>,
    /// Read a log in no known format by a guess at its format
    ///
    /// The report shows the guess.
    #[arg(long, conflicts_with_all = ["format", "log_format"])]
    guess: bool,
    /// Zone of the times in the logs that name none [default: UTC]
    ///
    /// Europe/Berlin, +02:00, or local.
    #[arg(long, value_name = "ZONE")]
    log_time_zone: Option<Zone>,
}

/// How logs are read.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading logs")]
pub struct ReadingArgs {
    #[command(flatten)]
    format: FormatArgs,
    /// A site: NAME=GLOB by URL path; may be repeated
    ///
    /// NAME=host:GLOB is by virtual host, NAME=log:GLOB by log file. The first that matches takes the request.
    #[arg(long = "site", value_name = "NAME=GLOB")]
    sites: Vec<SiteArg>,
    /// A site's document root: DIR, or SITE=DIR; may be repeated
    ///
    /// DIR alone is that of the only site; SITE:/prefix/=DIR is an alias.
    #[arg(long = "root", value_name = "[SITE=]DIR")]
    roots: Vec<RootRule>,
    /// What URLs with a query are
    ///
    /// auto: for static types and files under a root the query is stripped, all others are not files. exclude: none
    /// is a file. strip: the query is left out. keep: each query is a file of its own.
    #[arg(long, value_name = "RULE", default_value = "auto", hide_possible_values = true,
        value_parser = one_of::<QueryRule, _>(QueryRule::VARIANTS.iter().copied()))]
    query: QueryRule,
    /// Which requests are accesses
    ///
    /// default: GET answered 200 or 206 for a file. c1: all without a query; path and size tell files apart.
    #[arg(long, value_name = "RULE", default_value = "default", hide_possible_values = true,
        value_parser = one_of::<CountingRule, _>(CountingRule::VARIANTS.iter().copied()))]
    rule: CountingRule,
    /// Order of requests: log (as served) or time
    #[arg(long, value_name = "ORDER", default_value = "log", hide_possible_values = true,
        value_parser = one_of::<Order, _>(Order::VARIANTS.iter().copied()))]
    order: Order,
    /// Stop at the first line that cannot be read
    #[arg(long)]
    strict: bool,
    /// Go on if at most this share of lines cannot be read
    ///
    /// Such as 50%, of each log. [default: 10%, or half of a log with fewer than 20 such lines]
    #[arg(long, value_name = "PERCENT", conflicts_with = "strict", value_parser = whole_or_part)]
    max_rejected: Option<f64>,
}

impl FormatArgs {
    /// The reader's options, as far as they are about single lines.
    pub fn options(&self) -> Result<ReadOptions> {
        Ok(ReadOptions {
            format: self.choice()?,
            accepts_guess: self.guess,
            log_zone: self.log_time_zone.clone(),
            ..ReadOptions::default()
        })
    }

    fn choice(&self) -> Result<Option<FormatChoice>> {
        let names = self.names();
        if let Some(name) = names.misplaced_name() {
            bail!(Usage(format!(
                "--log-format takes a format string; for the format called {name} write --format {name}"
            )));
        }
        let choice = names.choice();
        Ok(choice.map_err(|error| Usage(format!("--log-format: {error}")))?)
    }

    fn names(&self) -> FormatNames {
        FormatNames {
            known: self.format,
            pattern: self.log_format.clone(),
            time_format: self.time_format.clone(),
            json_keys: self.json_keys.clone(),
        }
    }

    /// Whether no option asks for more than the defaults.
    pub fn is_default(&self) -> bool {
        self.names().is_empty() && !self.guess && self.log_time_zone.is_none()
    }
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
        let options = ReadOptions {
            counting: self.rule,
            query: self.query,
            sites: self.site_rules().cloned().collect(),
            roots: self.roots.clone(),
            order: self.order,
            strict: self.strict,
            max_rejected_share: self.max_rejected,
            ..self.format.options()?
        };
        check_rule(&options)?;
        Ok(options)
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

    /// Whether no option asks for more than the defaults: only logs can be given such options.
    pub fn is_default(&self) -> bool {
        self.format.is_default()
            && self.site_rules().next().is_none()
            && self.roots.is_empty()
            && self.query == QueryRule::default()
            && self.rule == CountingRule::default()
            && self.order == Order::default()
            && !self.strict
            && self.max_rejected.is_none()
    }
}
