//! How a format's file defines its kind.

use super::evidence::Evidence;
use super::format::Format;
use super::head::Head;
use super::json::{self, Description};
use super::kind::{FormatKind, Parser};
use super::line_evidence::line_evidence;

impl FormatKind {
    /// The format called `name`, whose records have `fields` fields and are read by `F`. What speaks for it are the lines
    /// that `F` reads.
    pub(super) const fn of<F: Format + Default + 'static>(
        name: &'static str,
        fields: u32,
    ) -> FormatKind {
        FormatKind {
            name,
            fields,
            is_key_only: false,
            parser: Parser::Own(|| Box::<F>::default()),
            evidence: line_evidence,
        }
    }

    /// A format of JSON lines, by its keys.
    pub(super) const fn of_json(
        name: &'static str,
        fields: u32,
        description: &'static Description,
    ) -> FormatKind {
        FormatKind {
            name,
            fields,
            is_key_only: false,
            parser: Parser::Json(description),
            evidence: json::evidence,
        }
    }

    /// The same, where `evidence` speaks for it.
    pub(super) const fn known_by(
        self,
        evidence: fn(FormatKind, &Head<'_>) -> Option<Evidence>,
    ) -> FormatKind {
        FormatKind { evidence, ..self }
    }

    /// The same, of records that hold keys and nothing of HTTP.
    pub(super) const fn key_only(self) -> FormatKind {
        FormatKind {
            is_key_only: true,
            ..self
        }
    }
}
