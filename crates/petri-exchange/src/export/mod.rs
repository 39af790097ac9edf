//! Nets as people and other tools read them: a file for each format.

mod cpn_tools;
mod dot;
mod hierarchy;
mod layout;
mod picture;
mod pnml;
mod sheets_of_pages;
mod svg;
mod text;
mod xml;

use hotset_petri::Net;

pub use cpn_tools::CpnTools;
pub use dot::Dot;
pub use pnml::Pnml;
pub use svg::Svg;
pub use text::Text;

/// A format that nets are written in.
pub trait Exporter {
    /// The net in this format.
    ///
    /// # Errors
    /// What the format has no way to say.
    fn export(&self, net: &Net) -> Result<String, ExportError>;
}

/// A net that a format cannot express.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path}: {format} cannot express {what}{}", counted(.others))]
pub struct ExportError {
    /// The place or transition.
    pub path: String,
    /// The format.
    pub format: &'static str,
    /// What it has no way to say.
    pub what: String,
    /// What else is in the way.
    pub others: Vec<Obstacle>,
}

/// What a format has no way to say of some places or transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What it is.
    pub what: String,
    /// The places and transitions.
    pub paths: Vec<String>,
}

/// How much else is in the way.
fn counted(others: &[Obstacle]) -> String {
    let count: usize = others.iter().map(|it| it.paths.len()).sum();
    match count {
        0 => String::new(),
        1 => "; one more place or transition is in the way".to_owned(),
        _ => format!("; {count} more places and transitions are in the way"),
    }
}
