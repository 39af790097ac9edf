//! Numbers of files in the order in which they became known, whatever ids a catalogue gives them.

/// A file that is not known.
const UNKNOWN: u32 = u32::MAX;

/// Files that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    number_of_id: Vec<u32>,
    id_of_number: Vec<u32>,
}

impl Numbers {
    /// The number of the file with this id; the next free one where it was not known.
    #[inline]
    pub fn number(&mut self, id: u32) -> u32 {
        let index = id as usize;
        if index >= self.number_of_id.len() {
            self.number_of_id.resize(index + 1, UNKNOWN);
        }
        let number = &mut self.number_of_id[index];
        if *number == UNKNOWN {
            *number = self.id_of_number.len() as u32;
            self.id_of_number.push(id);
        }
        *number
    }

    /// The id of the file with this number.
    #[inline]
    pub fn id(&self, number: u32) -> u32 {
        self.id_of_number[number as usize]
    }

    /// The number of a file that is known.
    #[inline]
    pub fn known(&self, id: u32) -> usize {
        self.number_of_id[id as usize] as usize
    }

    /// Ids in the order of their numbers.
    pub fn ids(&self) -> &[u32] {
        &self.id_of_number
    }

    pub fn len(&self) -> usize {
        self.id_of_number.len()
    }
}
