//! What counts as an access: a request that reads the data of the file it is for.

use crate::Method;
use crate::value_names::not_one_of;
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};

/// Which requests are accesses, and to what.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames,
)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_a_rule)]
pub enum CountingRule {
    /// GET answered 200 or 206 is an access to the file.
    #[default]
    Default,
    /// Every request without a query is an access to the file (path, bytes logged), whose name is both; requests with
    /// one are dropped ("A Study of the Performance of Diskless Web Servers", §3.3).
    C1,
}

fn not_a_rule(text: &str) -> String {
    not_one_of::<CountingRule>(text, "a counting rule")
}

impl CountingRule {
    /// What a request with this answer does with its file.
    #[inline]
    pub(super) fn file_use(self, method: Method, status: u16) -> FileUse {
        match self {
            CountingRule::Default => FileUse::of(method, status),
            CountingRule::C1 => FileUse::Read { whole: true },
        }
    }
}

/// What a request does with the file that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileUse {
    /// An access: all or part of the file is read.
    Read { whole: bool },
    /// The file exists and none of it is read: HEAD, or 304 Not Modified.
    Checked,
    /// Not a file: another method.
    OtherMethod,
    /// Not a file: another status.
    OtherStatus,
}

impl FileUse {
    #[inline]
    fn of(method: Method, status: u16) -> FileUse {
        match (method, status) {
            (Method::Get, 200) => FileUse::Read { whole: true },
            (Method::Get, 206) => FileUse::Read { whole: false },
            (Method::Get, 304) | (Method::Head, 200 | 206 | 304) => FileUse::Checked,
            (Method::Get | Method::Head, _) => FileUse::OtherStatus,
            _ => FileUse::OtherMethod,
        }
    }
}
