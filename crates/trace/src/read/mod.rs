//! From log files to columns.
//!
//! | deed | file |
//! | --- | --- |
//! | names and patterns become files | `inputs` |
//! | a file is opened, its format chosen | `log_file`, `decompress` |
//! | a log and its compressed twin count once | `twins` |
//! | rotated files become logs, in order | `rotation` |
//! | several logs become one sequence | `merge` |
//! | logs are read one by one, to be put together later | `one_by_one`, `evidence` |
//! | a large log is read in ranges, to be put together later | `ranges` |
//! | a file is cut into blocks of whole records | `framing` |
//! | a block is parsed, with the names in it looked up | `batch`, `names` |
//! | blocks are read and parsed by several threads | `workers` |
//! | records are taken in order | `records` |
//! | a record that cannot be true is refused | `plausibility` |
//! | a time earlier than the one before is counted | `records`, `summary` |
//! | rejected records are counted, too many refused | `rejects` |
//! | a request gets its site | `sites` |
//! | a request counts as an access or not | `access`; in words: `report/src/reading.rs` |
//! | a URL with a query is a file or not | `query` |
//! | a URL that is answered 404 is counted | `not_found` |
//! | a URL is mapped to a file on disk | `roots` |
//! | a request gets its object | `resolve` |
//! | an object gets its size | `objects` |
//! | a client gets its id and pseudonym | `clients` |
//! | a record becomes a row | `rows` |
//!
//! Memory goes by distinct objects and clients, not by lines, as long as rows are taken in batches
//! ([`read_batches`]).

mod access;
mod batch;
mod clients;
mod decompress;
mod entry;
mod error;
mod evidence;
pub mod follow;
mod framing;
mod inputs;
mod intern;
mod log_file;
mod merge;
mod names;
mod not_found;
mod objects;
mod one_by_one;
mod options;
mod plausibility;
mod query;
mod ranges;
mod reading;
mod records;
mod rejects;
mod resolve;
mod roots;
mod rotation;
mod rows;
mod rules_in_words;
mod sites;
mod summary;
mod twins;
mod url;
mod workers;

pub use access::CountingRule;
pub use error::{ReadError, Unusable};
pub use evidence::{Evidence, FirstRead, UnreadRequest};
pub use not_found::{NotFound, NotFoundCount, NotFoundPath};
pub use objects::SizeEvidence;
pub use one_by_one::{
    LogAlone, MAX_HOST_SITES, check_rules, client_key_check, read_one_by_one, rules_in_words,
};
pub use options::{FormatChoice, Order, ReadOptions};
pub use query::QueryRule;
pub use ranges::{RangeSource, joined_source, ranges, read_range};
pub use reading::{OnProgress, Progress, read, read_batches};
pub use roots::{INDEX_FILES, RootFile, RootRule, Roots};
pub use rotation::files_by_log;
pub use sites::SiteRule;
pub use summary::{Example, NotFiles, ReadSummary, Rejected, SourceSummary, StepsBack};
