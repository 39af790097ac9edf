//! What operations on names and attributes ask, and what clients know without asking.

use super::call::Step;
use super::system::Protocol;

/// OrangeFS opens with nothing cached: four questions in series, then the size of the file of those that have it.
const OPEN: &[Step] = &[
    Step::Metadata("getattr"),
    Step::Metadata("getattr"),
    Step::Metadata("lookup"),
    Step::Metadata("getattr"),
    Step::Tree("tree-getattr"),
];
/// Handles of data are there already.
const CREATE: &[Step] = &[Step::Metadata("create"), Step::Metadata("crdirent")];
/// Assumed: the entry first, then the object and what servers have of it.
const UNLINK: &[Step] = &[
    Step::Metadata("rmdirent"),
    Step::Metadata("remove"),
    Step::Tree("tree-remove"),
];
const STAT: &[Step] = &[Step::Metadata("getattr"), Step::Tree("tree-getattr")];
/// Where attributes are known, and the size is not.
const SIZE: &[Step] = &[Step::Tree("tree-getattr")];
/// Assumed: one after the other.
const RENAME: &[Step] = &[Step::Metadata("crdirent"), Step::Metadata("rmdirent")];
const ATTRIBUTES: &[Step] = &[Step::Metadata("getattr")];
const READ_FOLDER: &[Step] = &[Step::Metadata("readdir")];
/// What was written is put on disks.
const FLUSH: &[Step] = &[Step::Tree("flush")];

/// An operation on names and attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    Open,
    Create,
    Close,
    Stat,
    ReadFolder,
    Unlink,
    Rename,
    Flush,
    /// Of something that is no file, or not there.
    Attributes,
}

impl Naming {
    /// The one question that PVFS 1 asks its manager.
    fn of_manager(self) -> &'static [Step] {
        match self {
            Self::Open => &[Step::Metadata("open")],
            Self::Create => &[Step::Metadata("create")],
            Self::Close => &[Step::Metadata("close")],
            Self::Stat | Self::Attributes => &[Step::Metadata("stat")],
            Self::ReadFolder => &[Step::Metadata("readdir")],
            Self::Unlink => &[Step::Metadata("unlink")],
            Self::Rename => &[Step::Metadata("rename")],
            Self::Flush => &[Step::Metadata("fsync")],
        }
    }
}

/// What a client knows of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Until when its name and its attributes hold, nanoseconds.
    attributes_until_ns: u64,
    /// Until when its size does.
    size_until_ns: u64,
}

impl Known {
    /// What an operation on a file asks at `now_ns`; what is known afterwards is noted.
    pub fn steps(&mut self, now_ns: u64, naming: Naming, protocol: &Protocol) -> &'static [Step] {
        let Protocol::OrangeFs(options) = protocol else {
            return naming.of_manager();
        };
        let knows = now_ns < self.attributes_until_ns;
        let knows_size = now_ns < self.size_until_ns;
        let steps: &'static [Step] = match naming {
            Naming::Open if knows => &[],
            Naming::Open => OPEN,
            Naming::Create => CREATE,
            Naming::Close => &[],
            Naming::Stat => match (knows, knows_size) {
                (true, true) => &[],
                (true, false) => SIZE,
                (false, _) => STAT,
            },
            Naming::ReadFolder => READ_FOLDER,
            Naming::Attributes => ATTRIBUTES,
            Naming::Unlink => UNLINK,
            Naming::Rename => RENAME,
            Naming::Flush => FLUSH,
        };
        match naming {
            Naming::Unlink | Naming::Rename => *self = Self::default(),
            Naming::Open | Naming::Create | Naming::Stat if !steps.is_empty() => {
                if !knows {
                    self.attributes_until_ns = now_ns.saturating_add(options.cache_ns);
                }
                self.size_until_ns =
                    now_ns.saturating_add(options.size_cache_ns.min(options.cache_ns));
            }
            _ => {}
        }
        steps
    }
}
