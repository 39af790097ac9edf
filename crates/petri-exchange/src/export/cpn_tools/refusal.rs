//! What a file of CPN Tools cannot hold.

use crate::export::ExportError;

pub fn refused(path: &str, what: impl Into<String>) -> ExportError {
    ExportError {
        path: path.to_owned(),
        format: "CPN Tools",
        what: what.into(),
    }
}
