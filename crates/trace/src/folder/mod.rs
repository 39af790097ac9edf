//! The trace folder: a trace on disk, readable by any data-frame library.
//!
//! `NAME.trace/` holds
//!
//! | file | columns |
//! | --- | --- |
//! | `requests.parquet` | one row a request, in log order: `time` (UTC, microseconds), `client`, `site`, `object` (null where the request is not for a file), `bytes`, `status`, `method`, `protocol`, `access`, and `connection` where connections were rebuilt |
//! | `objects.parquet` | `id`, `site`, `path` (text), `raw_path` (null where the text says it all), `size` in bytes |
//! | `clients.parquet` | `id`, `client` (text), `raw_client` (null where the text says it all) |
//! | `trace.json` | the [`Manifest`]: counts, sites, where the times come from, provenance |
//!
//! A folder is written beside its final place and renamed when complete, so that a full disk or an
//! interruption leaves either the old folder or nothing. A process that is killed outright leaves a
//! hidden folder `.NAME.trace.…`, which the next that writes the same name removes.
//!
//! | deed | file |
//! | --- | --- |
//! | a folder is written beside its place, and put there | `write`, `staging` |
//! | a folder is read | `read` |
//! | columns become Parquet, and are read from it | `encode`, `decode` |
//! | damaged bytes are decoded without a panic | `damage` |

mod columns;
mod damage;
mod decode;
mod encode;
mod error;
mod manifest;
mod read;
mod schema;
mod staging;
mod table;
mod write;

pub use damage::is_decoding;
pub use error::FolderError;
pub use manifest::{Manifest, Provenance, read_manifest};
pub use read::{Accesses, read, read_accesses, read_connections, read_span};
pub use staging::Existing;
pub use write::{Tables, TraceWriter, write};
