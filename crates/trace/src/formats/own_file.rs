//! Files that hotset itself writes, given as logs by mistake.

/// A kind of file, by how it begins.
pub(super) struct OwnFile {
    /// What it is.
    pub what: &'static str,
    /// What reads it.
    pub reader: &'static str,
}

/// What `hotset part` writes begins so (`describe/part/bytes.rs`).
const PART: &[u8] = b"hotset part\n";
/// Keys of which a plan file has all at its beginning (`schemas/plan.json`).
const PLAN_KEYS: [&[u8]; 3] = [b"\"version\"", b"\"memory_bytes\"", b"\"held_pages\""];
/// These keys are its first, so that they stand here.
const PLAN_HEAD: usize = 200;

impl OwnFile {
    /// What a file that begins with `head` is; none for a log.
    pub fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(PART) {
            return Some(Self {
                what: "a part",
                reader: "hotset merge",
            });
        }
        let start = &head[..head.len().min(PLAN_HEAD)];
        let has = |key: &[u8]| start.windows(key.len()).any(|it| it == key);
        let is_plan = start.starts_with(b"{") && PLAN_KEYS.into_iter().all(has);
        is_plan.then_some(Self {
            what: "a plan file",
            reader: "hotset apply",
        })
    }
}
