//! Numbers of files in the order in which they became known, whatever ids a catalogue gives them.

/// A file that is not known.
const UNKNOWN: u32 = u32::MAX;

/// Files that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// As many files as were known by their ids in order from 0 have these as numbers: nothing is written down for them. Empty tables
    /// belong to none but such.
    in_order: u32,
    number_of_id: Vec<u32>,
    id_of_number: Vec<u32>,
}

impl Numbers {
    /// The number of the file with this id; the next free one where it was not known.
    #[inline]
    pub fn number(&mut self, id: u32) -> u32 {
        if id < self.in_order {
            return id;
        }
        if id == self.in_order && self.id_of_number.is_empty() {
            self.in_order += 1;
            return id;
        }
        self.number_out_of_order(id)
    }

    fn number_out_of_order(&mut self, id: u32) -> u32 {
        let index = (id - self.in_order) as usize;
        if index >= self.number_of_id.len() {
            self.number_of_id.resize(index + 1, UNKNOWN);
        }
        let next = self.len() as u32;
        let number = &mut self.number_of_id[index];
        if *number == UNKNOWN {
            *number = next;
            self.id_of_number.push(id);
        }
        *number
    }

    /// The id of the file with this number.
    #[inline]
    pub fn id(&self, number: u32) -> u32 {
        match number < self.in_order {
            true => number,
            false => self.id_of_number[(number - self.in_order) as usize],
        }
    }

    /// The number of a file that is known.
    #[inline]
    pub fn known(&self, id: u32) -> usize {
        match id < self.in_order {
            true => id as usize,
            false => self.number_of_id[(id - self.in_order) as usize] as usize,
        }
    }

    /// Ids in the order of their numbers.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = u32> + Clone {
        (0..self.len() as u32).map(|number| self.id(number))
    }

    pub fn len(&self) -> usize {
        self.in_order as usize + self.id_of_number.len()
    }
}

/// The entries with these numbers; those that a column is too short for are empty.
pub(super) fn picked<T: Copy + Default>(column: &[T], numbers: &[u32]) -> Vec<T> {
    if column.is_empty() {
        return Vec::new();
    }
    let entry = |&number: &u32| column.get(number as usize).copied().unwrap_or_default();
    numbers.iter().map(entry).collect()
}
