//! How the journal of a store of the lab is made, and what it is mounted with.

use std::num::NonZeroU32;

use serde::Deserialize;
use toml::Spanned;

use crate::Journal;
use crate::bounds::{Bounded as _, JournalBytes};
use crate::specs::StoreKind;
use crate::toml_file::{FileError, TomlFile};

/// `mke2fs` makes journals of whole MiB.
const UNIT_BYTES: u64 = 1 << 20;

/// How the journal of a store of the lab is made and mounted; what is missing is left to the tools and the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JournalSpec {
    /// What it does (mount option `data`), or none.
    pub mode: Option<Journal>,
    /// Seconds after which it commits by itself (mount option `commit`).
    pub commit_s: Option<u32>,
    /// Its size, bytes.
    pub bytes: Option<u64>,
    /// Whether commits flush the device's cache (mount option `barrier`).
    pub barrier: Option<bool>,
}

/// `journal` of a `[[store]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct JournalTable {
    mode: Option<Journal>,
    commit_s: Option<NonZeroU32>,
    bytes: Option<JournalBytes>,
    barrier: Option<bool>,
}

impl JournalTable {
    /// The journal that `table` describes, of a store of this kind.
    ///
    /// # Errors
    /// Keys that the file system does not have.
    pub fn spec(
        table: &Spanned<Self>,
        kind: Option<StoreKind>,
        file: &TomlFile,
    ) -> Result<JournalSpec, FileError> {
        let own = table.get_ref();
        let spec = JournalSpec {
            mode: own.mode,
            commit_s: own.commit_s.map(NonZeroU32::get),
            bytes: own.bytes.clone().number(),
            barrier: own.barrier,
        };
        match spec.problem(kind) {
            None => Ok(spec),
            Some(why) => Err(file.error(table.span(), format!("[store.journal]: {why}"))),
        }
    }
}

impl JournalSpec {
    /// What of it a file system of this kind does not have.
    fn problem(self, kind: Option<StoreKind>) -> Option<&'static str> {
        let is_mounted_so =
            self.mode.is_some() || self.commit_s.is_some() || self.barrier.is_some();
        let has_none = self.mode == Some(Journal::None);
        match kind {
            Some(StoreKind::Xfs) if is_mounted_so => {
                Some("of xfs only `bytes` can be given; take the others out")
            }
            Some(StoreKind::Ext3) if has_none => {
                Some("ext3 always has a journal; write kind = \"ext4\" for none")
            }
            Some(StoreKind::Ext3 | StoreKind::Ext4 | StoreKind::Xfs) => {
                let is_odd = self.bytes.is_some_and(|it| !it.is_multiple_of(UNIT_BYTES));
                let is_said = self.commit_s.is_some() || self.bytes.is_some();
                match (is_odd, has_none && is_said) {
                    (true, _) => Some("`bytes` must be whole MiB, such as \"8MiB\""),
                    (_, true) => Some(
                        "mode = \"none\" leaves nothing to commit; take `commit_s` and `bytes` out",
                    ),
                    (false, false) => None,
                }
            }
            _ => Some("is of ext3, ext4 and xfs; give one of these kinds, or take it out"),
        }
    }
}
