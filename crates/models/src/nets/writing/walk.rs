//! In which steps write-back goes on: dirty pages are handed over, those who wait for them are looked at, the journal goes on, and all of
//! that again until it changes nothing.

use hotset_petri::Colour;

use super::tokens::Fsync;
use crate::file_system::journal::Step;

/// Where write-back is.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// Nothing is to be done.
    Rests,
    /// Pages have come to the disk: those who wait for them are looked at first.
    Begins,
    /// Dirty pages are handed over.
    HandsOver,
    /// Those who wait for the file are looked at.
    Looks,
    /// The data that a program waits for is written; whether pages have just come to the disk.
    Commits(Fsync, bool),
    /// The journal says what it needs.
    Asks,
    /// It needs this.
    Does(Step),
    /// A write call may wait for room in the journal.
    GivesRoom,
    /// All is done.
    Ends,
}

/// Write-back at work.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub stage: Stage,
    /// Whether it began as pages had come to the disk.
    is_of_disk: bool,
    /// Whether it hands pages over and does nothing else.
    hands_over_only: bool,
    /// Whether somebody went on in this round.
    has_changed: bool,
}

impl Colour for Walk {}

impl Walk {
    /// Write-back that rests.
    pub fn resting() -> Self {
        Self {
            stage: Stage::Rests,
            is_of_disk: false,
            hands_over_only: false,
            has_changed: false,
        }
    }

    /// Something may be to be done.
    pub fn looking() -> Self {
        Self {
            stage: Stage::HandsOver,
            ..Self::resting()
        }
    }

    /// Too much is dirty.
    pub fn pressed() -> Self {
        Self {
            hands_over_only: true,
            ..Self::looking()
        }
    }

    /// Pages have come to the disk.
    pub fn of_disk() -> Self {
        Self {
            stage: Stage::Begins,
            is_of_disk: true,
            ..Self::resting()
        }
    }

    pub fn rests(&self) -> bool {
        matches!(self.stage, Stage::Rests)
    }

    pub fn hands_over(&self) -> bool {
        matches!(self.stage, Stage::HandsOver)
    }

    pub fn looks(&self) -> bool {
        matches!(self.stage, Stage::Begins | Stage::Looks)
    }

    pub fn commits(&self) -> bool {
        matches!(self.stage, Stage::Commits(..))
    }

    pub fn asks(&self) -> bool {
        matches!(self.stage, Stage::Asks)
    }

    pub fn gives_room(&self) -> bool {
        matches!(self.stage, Stage::GivesRoom)
    }

    pub fn ends(&self) -> bool {
        matches!(self.stage, Stage::Ends)
    }

    /// What the journal needs.
    pub fn step(&self) -> Option<&Step> {
        match &self.stage {
            Stage::Does(step) => Some(step),
            _ => None,
        }
    }

    /// Whether it began as pages had come to the disk.
    pub fn is_of_disk(&self) -> bool {
        self.is_of_disk
    }

    /// At another stage.
    pub fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// Nothing can be handed over now.
    pub fn has_handed_over(self) -> Self {
        match self.hands_over_only {
            true => self.at(Stage::Ends),
            false => self.at(Stage::Looks),
        }
    }

    /// Nobody who waits for the file can go on.
    pub fn has_looked(self) -> Self {
        match self.stage {
            Stage::Begins => self.at(Stage::HandsOver),
            _ => self.at(Stage::Asks),
        }
    }

    /// Somebody who waited for the file goes on: a program, which the journal commits for, or the journal.
    pub fn goes_on(self, program: Option<Fsync>) -> Self {
        let begins = matches!(self.stage, Stage::Begins);
        let walk = Self {
            has_changed: self.has_changed || !begins,
            ..self
        };
        match program {
            Some(fsync) => walk.at(Stage::Commits(fsync, begins)),
            None => walk,
        }
    }

    /// The program was seen to: those who wait for the file are looked at again.
    pub fn has_committed(self) -> Self {
        match self.stage {
            Stage::Commits(_, true) => self.at(Stage::Begins),
            _ => self.at(Stage::Looks),
        }
    }

    /// The journal needs something, or nothing.
    pub fn needs(self, step: Option<Step>) -> Self {
        match step {
            Some(step) => Self {
                stage: Stage::Does(step),
                has_changed: true,
                ..self
            },
            None => self.at(Stage::GivesRoom),
        }
    }

    /// Room was given: once more, where somebody went on.
    pub fn has_given_room(self) -> Self {
        match self.has_changed {
            true => Self {
                stage: Stage::HandsOver,
                has_changed: false,
                ..self
            },
            false => self.at(Stage::Ends),
        }
    }
}
