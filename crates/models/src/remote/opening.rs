//! How a program opens a file.

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading.
    Read,
    /// Writing, from the start of the file.
    Write,
    /// Writing; the file is made where there is none, and empty then (`O_CREAT` and `O_TRUNC`).
    Create,
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// For what.
    pub access: Access,
    /// Every write returns when it is on the server's disk (`O_SYNC`).
    pub sync: bool,
    /// Past the page cache (`O_DIRECT`).
    pub direct: bool,
    /// Every write goes behind the end of the file (`O_APPEND`).
    pub append: bool,
}

impl Opening {
    /// Without flags.
    #[must_use]
    pub fn plain(access: Access) -> Self {
        Self {
            access,
            sync: false,
            direct: false,
            append: false,
        }
    }

    /// Whether it may write.
    #[must_use]
    pub fn writes(self) -> bool {
        self.access != Access::Read
    }
}
