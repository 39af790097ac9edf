//! What a file of CPN Tools cannot hold.

use crate::export::{ExportError, Obstacle};

pub fn refused(path: &str, what: impl Into<String>) -> ExportError {
    ExportError {
        path: path.to_owned(),
        format: "CPN Tools",
        what: what.into(),
        others: Vec::new(),
    }
}

/// The first of these refusals, with the others in groups of the same reason; none where there is none.
pub fn first_of(mut refusals: impl Iterator<Item = ExportError>) -> Option<ExportError> {
    let first = refusals.next()?;
    let mut others: Vec<Obstacle> = Vec::new();
    for ExportError { path, what, .. } in refusals {
        match others.iter_mut().find(|it| it.what == what) {
            Some(known) => known.paths.push(path),
            None => others.push(Obstacle {
                what,
                paths: vec![path],
            }),
        }
    }
    Some(ExportError { others, ..first })
}
