//! What processes ask the kernel for.

use serde::Serialize;

/// What a process asks the kernel for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Reading a block.
    Read,
    /// Writing a block.
    Write,
    /// Waiting until a file is on the device.
    Fsync,
}

impl Operation {
    /// All of them, in the order in which they are shown.
    pub(super) const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Fsync];

    /// As documents write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}
