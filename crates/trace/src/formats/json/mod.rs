//! JSON logs: one reader, told by a description of keys where the fields of a request stand.
//!
//! [`JsonKeys`] is that description; a user writes it as text (`time=ts,uri=request.uri,status=status`), and each
//! named format states its own. [`Paths`] finds the values in a line (`scan`), `reader` makes a request of them, and
//! `evidence` says how many lines of a log are such requests.

mod decimal;
mod evidence;
mod field;
mod keys;
mod reader;
mod scan;
mod string;
mod time;

pub(super) use evidence::evidence;
pub use field::JsonField;
pub(super) use keys::each_leaf;
pub use keys::{JsonKeys, JsonKeysError, MissingKey};
pub(super) use reader::{Description, JsonReader, object_in};
pub use scan::{Kind, Paths, ScanError, Value};
pub use string::decode;
pub(super) use time::instant_us;
