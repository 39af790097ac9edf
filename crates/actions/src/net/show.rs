//! A net as text, as a drawing, or for another tool.

use hotset_petri_exchange::export::{CpnTools, Dot, ExportError, Exporter, Pnml, Svg, Text};

pub use hotset_petri_exchange::export::Obstacle;

use super::named;
use crate::{JobError, Results};

/// How a net is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    #[default]
    Text,
    /// A drawing for Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A place/transition net for other tools.
    Pnml,
    /// A net for CPN Tools.
    Cpn,
}

/// Which net is written, and how.
#[derive(Clone)]
pub struct Options {
    /// The net.
    pub net: named::Options,
    /// How it is written.
    pub format: Format,
    /// Where it goes.
    pub results: Results,
}

/// The net in that format.
///
/// # Errors
/// A net that cannot be built, or that the format cannot express.
pub fn run(options: &Options) -> Result<String, JobError> {
    options.results.check()?;
    let exporter: &dyn Exporter = match options.format {
        Format::Text => &Text,
        Format::Dot => &Dot,
        Format::Svg => &Svg,
        Format::Pnml => &Pnml,
        Format::Cpn => &CpnTools,
    };
    Ok(exporter.export(&options.net.shown()?)?)
}

/// What is in the way of a net that a format cannot express, beyond what the error itself says.
pub fn further_obstacles(error: &JobError) -> &[Obstacle] {
    let error = error.find::<ExportError>();
    error.map_or(&[], |error| error.others.as_slice())
}
