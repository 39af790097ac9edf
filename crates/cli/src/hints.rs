//! The options that mend what a library complains of: libraries name the fix, this names the flag.

use std::error::Error;

use hotset_actions::JobError;
use hotset_report::PlanFileError;
use hotset_trace::folder::FolderError;
use hotset_trace::formats::DetectError;
use hotset_trace::read::{ReadError, Unusable};
use hotset_workload::file_tree::FileTreeError;

/// The option that the fix of `error` is about, if there is one.
pub fn option_for(error: &anyhow::Error) -> Option<String> {
    let read = find(error).and_then(option_for_reading);
    let folder = || find(error).and_then(option_for_folder);
    let plan_file = || find(error).and_then(option_for_plan_file);
    let tree = || find(error).and_then(option_for_tree);
    read.or_else(folder).or_else(plan_file).or_else(tree)
}

/// Whether `error` is that a log's format is not known, which takes several lines to say.
pub fn is_unknown_format(error: &anyhow::Error) -> bool {
    matches!(
        find(error),
        Some(ReadError::Format(
            DetectError::Unclear { .. } | DetectError::Unknown { .. }
        ))
    )
}

/// The error of a library that `error` is, or is about.
fn find<E: Error + Send + Sync + 'static>(error: &anyhow::Error) -> Option<&E> {
    let of_job = || error.downcast_ref::<JobError>()?.find();
    error.downcast_ref().or_else(of_job)
}

fn option_for_plan_file(error: &PlanFileError) -> Option<String> {
    match error {
        PlanFileError::NoRoot(site) => Some(format!("--root {site}=DIR")),
        PlanFileError::SeveralNodes(_) | PlanFileError::LineBreak { .. } => {
            Some("--output-format".into())
        }
        _ => None,
    }
}

fn option_for_reading(error: &ReadError) -> Option<String> {
    let option = match error {
        ReadError::Format(error) if error.guess().is_some() => "--guess, --format, --log-format",
        ReadError::Format(DetectError::Unclear { best, .. }) => {
            return Some(format!("--format {best}, --log-format"));
        }
        ReadError::Format(DetectError::Unknown { .. }) => "--format, --log-format, --json-keys",
        ReadError::MissingKey { .. } => "--json-keys",
        ReadError::MixedFormats { format, .. } if format == "json" => {
            "--json-keys, --max-rejected 50%"
        }
        ReadError::Strict { .. } => "leave out --strict",
        ReadError::MixedFormats { format, .. } if format == "custom" => {
            "--log-format, --max-rejected 50%"
        }
        ReadError::MixedFormats { .. } => "--format, --max-rejected 50%",
        ReadError::NoRequests { why, .. } => match why {
            Unusable::Rejected { .. } => "--format",
            Unusable::Queries => "--rule default",
            _ => return None,
        },
        ReadError::TooLarge { .. } => "--format",
        ReadError::NothingInPeriod { .. } => "--from, --to",
        ReadError::UnusedSiteRule { .. } => "--site",
        ReadError::Root { .. } => "--root",
        _ => return None,
    };
    Some(option.into())
}

fn option_for_tree(error: &FileTreeError) -> Option<String> {
    matches!(
        error,
        FileTreeError::Unservable { .. } | FileTreeError::Collision { .. }
    )
    .then(|| "--rule c1".into())
}

fn option_for_folder(error: &FolderError) -> Option<String> {
    matches!(error, FolderError::Exists(_) | FolderError::Damaged { .. })
        .then(|| "--replace".into())
}
