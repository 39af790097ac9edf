//! What a document claims, and whether it holds.

use serde::Serialize;

use crate::claims::{ClaimReport, Verdict};

/// What a document claims, and whether it holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DocumentClaim {
    /// What it says; of a contradiction, both passages.
    pub text: String,
    /// Where: the document's letter, then the section, table or figure.
    pub section: String,
    /// Whether it holds; null where nothing here decides it yet, and for a contradiction.
    pub holds: Option<bool>,
    /// The figures that decide it, or what is missing.
    pub why: String,
    /// What kind of claim it is.
    #[serde(skip)]
    pub kind: ClaimKind,
    /// The study that it is of.
    #[serde(skip)]
    pub study: &'static str,
}

/// What kind of claim it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClaimKind {
    /// One that figures may bear out.
    #[default]
    Single,
    /// Two passages that cannot both be true.
    Contradiction,
}

impl DocumentClaim {
    /// A claim, whether it holds, and why.
    pub(crate) fn new(
        text: impl Into<String>,
        section: impl Into<String>,
        holds: Option<bool>,
        why: impl Into<String>,
    ) -> Self {
        Self {
            text: text.into(),
            section: section.into(),
            holds,
            why: why.into(),
            kind: ClaimKind::Single,
            study: "",
        }
    }

    /// The same with what is simulated, which decides it where nothing that was measured does.
    pub(crate) fn and_simulated(self, simulated: Option<(bool, String)>) -> Self {
        let Some((holds, words)) = simulated else {
            return self;
        };
        Self {
            holds: self.holds.or(Some(holds)),
            why: format!("{} {words}", self.why),
            ..self
        }
    }

    /// Two passages that contradict each other, and what is to be said of them.
    pub(crate) fn contradiction(
        passages: [&str; 2],
        section: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        let [one, other] = passages;
        Self {
            kind: ClaimKind::Contradiction,
            ..Self::new(format!("{one}. But: {other}."), section, None, why)
        }
    }

    /// Whether it is a contradiction.
    pub fn is_contradiction(&self) -> bool {
        self.kind == ClaimKind::Contradiction
    }
}

impl From<&ClaimReport> for DocumentClaim {
    /// A claim of an experiment, as its kept runs decide it.
    fn from(of: &ClaimReport) -> Self {
        let holds = match of.verdict {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Undecided | Verdict::TooFewRuns | Verdict::NotMeasured => None,
        };
        Self::new(&of.says, &of.source, holds, why(of))
    }
}

fn why(of: &ClaimReport) -> String {
    let Some(measured) = of.measured else {
        return "Not measured yet.".to_owned();
    };
    let bounds = match (of.least, of.most) {
        (Some(least), Some(most)) => format!(" It would be {least} to {most}."),
        (Some(least), None) => format!(" It would be at least {least}."),
        (None, Some(most)) => format!(" It would be at most {most}."),
        (None, None) => String::new(),
    };
    let at = of.at.as_deref().unwrap_or_default();
    let interval = of.interval.map_or_else(String::new, |it| {
        format!(", {:.3} to {:.3}", it.low, it.high)
    });
    let doubt = match of.verdict {
        Verdict::Undecided => " Runs lie on both sides.",
        Verdict::TooFewRuns => " Fewer than five runs.",
        Verdict::Holds | Verdict::Fails | Verdict::NotMeasured => "",
    };
    format!(
        "Measured here: {} at {at} is {measured:.3}{interval} of {} runs.{bounds}{doubt}",
        of.figure, of.runs
    )
}
