//! What is held of a file.

use crate::room::MAP_BYTES;
use crate::{Identity, Refusal};

/// What is held of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// What it is known by until it is given up.
    pub number: u64,
    /// The file as it was when it was placed.
    pub identity: Identity,
    /// The number of the file that this is another name of, whose memory it shares.
    pub shares: Option<u64>,
}

impl Holding {
    /// Memory of its own. Bytes in whole pages.
    #[must_use]
    pub fn page_bytes(&self) -> u64 {
        match self.shares {
            Some(_) => 0,
            None => self.identity.page_bytes(),
        }
    }

    /// The same with what the kernel needs beside the pages. Bytes.
    pub(super) fn cost_bytes(&self) -> u64 {
        match self.shares {
            Some(_) => 0,
            None => self.identity.page_bytes().saturating_add(MAP_BYTES),
        }
    }
}

/// What has become of a wanted file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// It is still to be placed, or was lost.
    #[default]
    Open,
    /// It is held.
    Held(Holding),
    /// It is not held, for this reason.
    LeftOut(Refusal),
}

impl Hold {
    /// What is held.
    #[must_use]
    pub fn holding(&self) -> Option<&Holding> {
        match self {
            Self::Held(holding) => Some(holding),
            Self::Open | Self::LeftOut(_) => None,
        }
    }

    /// Whether it stays as it is until something happens to the file.
    pub(crate) fn is_settled(&self) -> bool {
        match self {
            Self::Open => false,
            Self::Held(_) => true,
            Self::LeftOut(refusal) => refusal.is_of_the_path(),
        }
    }

    /// Whether both say the same to whoever asks what is held.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Held(one), Self::Held(other)) => {
                one.identity == other.identity && one.shares.is_some() == other.shares.is_some()
            }
            (Self::Open, Self::Open) | (Self::LeftOut(_), Self::LeftOut(_)) => true,
            _ => false,
        }
    }
}
