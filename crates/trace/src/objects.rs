//! The files that requests ask for.

/// Byte strings stored back to back; entry `i` ends at `ends[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathTable {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl PathTable {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends an entry.
    pub fn push(&mut self, path: &[u8]) {
        self.bytes.extend_from_slice(path);
        self.ends.push(self.bytes.len() as u64);
    }

    /// Entry `index`.
    ///
    /// # Panics
    /// When `index` is not below [`PathTable::len`].
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start as usize..self.ends[index] as usize]
    }

    /// Entry `index` as text: bytes that are not UTF-8, and control characters, percent-encoded.
    ///
    /// # Panics
    /// When `index` is not below [`PathTable::len`].
    pub fn display(&self, index: usize) -> String {
        display_text(self.get(index))
    }

    /// All entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// Objects as columns of equal length; the row is the object id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// Dense site id.
    pub site: Vec<u16>,
    /// Bytes: the file's size under a root, else the largest full response seen, at least 1.
    pub size: Vec<u64>,
    /// Percent-decoded path within the site, in the bytes of the URL.
    pub path: PathTable,
}

impl Objects {
    /// Number of objects.
    pub fn len(&self) -> usize {
        self.site.len()
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.site.is_empty()
    }

    /// The path as text: bytes that are not UTF-8, and control characters, percent-encoded again.
    pub fn display_path(&self, object: u32) -> String {
        self.path.display(object as usize)
    }
}

/// Bytes as text: what is not UTF-8, and control characters, percent-encoded.
pub(crate) fn display_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() {
                text.push_str(&format!("%{:02X}", c as u32));
            } else {
                text.push(c);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
