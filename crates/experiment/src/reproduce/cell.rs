//! A figure of a document, and ours beside it.

use serde::Serialize;

/// A figure of a document, and ours beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReproducedCell {
    /// Row of the table.
    pub row: String,
    /// Column of the table, with the unit.
    pub column: String,
    /// What the document has; null where it has no number.
    pub published: Option<f64>,
    /// What is simulated or calculated; null where no model says it yet.
    pub simulated: Option<f64>,
    /// What was measured here; null where nothing was.
    pub measured: Option<f64>,
    /// How far simulated is above published, percent of it; below it with a minus. Where simulations are validated, above what was measured here.
    /// Null where one of both is, and where the figure is an input of what is simulated.
    pub error_percent: Option<f64>,
    /// The cause of the error, where a switch of the model tests it; null elsewhere.
    pub explained: Option<String>,
}

impl ReproducedCell {
    /// A cell with a published figure, if there is one.
    pub(crate) fn new(
        row: impl Into<String>,
        column: impl Into<String>,
        published: Option<f64>,
    ) -> Self {
        Self {
            row: row.into(),
            column: column.into(),
            published,
            ..Self::default()
        }
    }

    /// The same with what is simulated, and how far that is off.
    pub(crate) fn simulated(self, simulated: Option<f64>) -> Self {
        let error = simulated.zip(self.published);
        let error = error.map(|(simulated, published)| 100.0 * (simulated / published - 1.0));
        Self {
            simulated,
            error_percent: error.filter(|error| error.is_finite()),
            ..self
        }
    }

    /// The same with what was measured here.
    pub(crate) fn measured(self, measured: Option<f64>) -> Self {
        Self { measured, ..self }
    }

    /// The same with another error than that of the published figure.
    pub(crate) fn off_by(self, error_percent: Option<f64>) -> Self {
        Self {
            error_percent,
            ..self
        }
    }

    /// The same where what is simulated was made to meet it: it is an input, and no error counts.
    pub(crate) fn into_input(self) -> Self {
        self.off_by(None)
    }

    /// The same with the cause of its error.
    pub(crate) fn explained(self, cause: Option<&str>) -> Self {
        Self {
            explained: cause.map(str::to_owned),
            ..self
        }
    }

    /// What is ours of it: simulated, or else measured.
    pub(crate) fn ours(&self) -> Option<f64> {
        self.simulated.or(self.measured)
    }
}
