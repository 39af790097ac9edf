//! How logs are to be read.

use super::access::CountingRule;
use super::query::QueryRule;
use super::roots::RootRule;
use super::sites::SiteRule;
use crate::formats::custom::Pattern;
use crate::formats::json::JsonKeys;
use crate::formats::{Format, FormatKind};
use crate::value_names::not_one_of;
use crate::{Period, Zone};
use std::num::NonZeroUsize;
use std::thread;
use strum::{EnumString, VariantNames};

/// Some 1200 lines, which fit into a processor's own cache with what is found in them. With half as many, two threads
/// wait for each other a tenth of the time.
const DEFAULT_BLOCK_BYTES: usize = 256 * 1024;

/// A format named by the user rather than detected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FormatChoice {
    /// One of the known formats.
    Known(FormatKind),
    /// A server's own format string.
    Custom(Pattern),
    /// JSON whose keys the user names.
    Json(JsonKeys),
}

impl FormatChoice {
    /// A parser in its initial state.
    pub(super) fn parser(&self) -> Box<dyn Format> {
        match self {
            FormatChoice::Known(kind) => kind.parser(),
            FormatChoice::Custom(pattern) => Box::new(pattern.clone()),
            FormatChoice::Json(keys) => keys.parser(),
        }
    }

    /// The format's name; `custom` or `json` where the user describes it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            FormatChoice::Known(kind) => kind.name(),
            FormatChoice::Custom(_) => "custom",
            FormatChoice::Json(_) => "json",
        }
    }
}

/// Order of the rows of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_an_order)]
pub enum Order {
    /// Of the lines in the log; several logs merged by the running maximum of their times. A log whose
    /// clock jitters keeps the order in which requests were served.
    #[default]
    Log,
    /// By time; rows of equal time in log order.
    Time,
}

fn not_an_order(text: &str) -> String {
    not_one_of::<Order>(text, "an order")
}

/// Settings of [`super::read`] and [`super::read_batches`].
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format of all inputs; detected for each where none is named.
    pub format: Option<FormatChoice>,
    /// The zone on whose clocks times are read that name none; UTC where none is set.
    pub log_zone: Option<Zone>,
    /// Whether a log in no known format is read by a guess at its format.
    pub accepts_guess: bool,
    /// Which requests are accesses.
    pub counting: CountingRule,
    /// What a URL with a query is.
    pub query: QueryRule,
    /// Sites; the first rule that matches takes the request. Without rules every virtual host is a
    /// site, or all is one site where the log names no hosts.
    pub sites: Vec<SiteRule>,
    /// Document roots and aliases of sites.
    pub roots: Vec<RootRule>,
    /// The time from which requests are taken.
    pub period: Period,
    /// Order of the rows.
    pub order: Order,
    /// Keeps clients as logged instead of their pseudonyms.
    pub keep_clients: bool,
    /// Key of the pseudonyms: the same key gives a client the same pseudonym in every trace.
    pub client_key: [u8; 16],
    /// Makes the first rejected line an error.
    pub strict: bool,
    /// A file with a larger share of rejected lines is an error: it is not, or not all, in the format it is
    /// read as. Where none is set, that is more than a tenth of its lines and at least 20 of them, or more
    /// lines than it has requests. The share is taken of the whole file, and on the way of what was read so
    /// far at 10 000 rejected lines and every doubling.
    pub max_rejected_share: Option<f64>,
    /// Threads that read, the calling one among them; by default as many as the process may use processors. What is
    /// read does not depend on it.
    pub threads: NonZeroUsize,
    /// Bytes of a log that a thread parses at a time, at most a few more than this; fewer where many logs are open.
    /// What is read does not depend on it.
    pub block_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            format: None,
            log_zone: None,
            accepts_guess: false,
            counting: CountingRule::default(),
            query: QueryRule::default(),
            sites: Vec::new(),
            roots: Vec::new(),
            period: Period::default(),
            order: Order::default(),
            keep_clients: false,
            client_key: [0; 16],
            strict: false,
            max_rejected_share: None,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            block_bytes: DEFAULT_BLOCK_BYTES,
        }
    }
}
