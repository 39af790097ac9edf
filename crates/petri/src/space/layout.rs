//! Where the places lie in the words of a marking.
//!
//! Each place has a field of bits with a free bit above it. So all fields of a word are compared with a bound, or changed, in one
//! step, and a field that overflows shows in its free bit (Lamport, "Multiple byte processing with full-word
//! instructions", Communications of the ACM 18, 1975).

/// The widest field, in bits.
const WIDEST: u32 = 32;

#[derive(Clone, Copy)]
struct Field {
    word: u32,
    shift: u32,
    width: u32,
}

impl Field {
    fn mask(self) -> u64 {
        (1 << self.width) - 1
    }
}

/// Where the places lie in the words of a marking.
pub struct Layout {
    fields: Vec<Field>,
    /// The free bits of each word.
    free: Vec<u64>,
    /// The places in the order in which their fields lie.
    order: Vec<usize>,
}

impl Layout {
    /// Fields of these widths by place, lying in this order.
    pub fn of(widths: &[u32], order: Vec<usize>) -> Layout {
        let mut free = vec![0];
        let mut shift = 0;
        let fields = widths.iter().map(|&width| Field {
            word: 0,
            shift: 0,
            width,
        });
        let mut fields: Vec<Field> = fields.collect();
        for &place in &order {
            let field = &mut fields[place];
            if shift + field.width + 1 > u64::BITS {
                free.push(0);
                shift = 0;
            }
            (field.word, field.shift) = (free.len() as u32 - 1, shift);
            free[field.word as usize] |= 1 << (shift + field.width);
            shift += field.width + 1;
        }
        Layout {
            fields,
            free,
            order,
        }
    }

    /// Fields like these, with that of a place twice as wide.
    pub fn widened(&self, place: usize) -> Layout {
        let mut widths = Vec::from_iter(self.fields.iter().map(|field| field.width));
        widths[place] = (2 * widths[place]).min(WIDEST);
        Layout::of(&widths, self.order.clone())
    }

    /// Whether the field of a place can be wider.
    pub fn can_widen(&self, place: usize) -> bool {
        self.fields[place].width < WIDEST
    }

    /// Whether no place has a larger number in a marking than in another.
    #[inline]
    pub fn is_within(&self, marking: &[u64], most: &[u64]) -> bool {
        let words = marking.iter().zip(most).zip(&self.free);
        words
            .into_iter()
            .all(|((word, most), free)| ((most | free) - word) & free == *free)
    }

    /// Words of a marking.
    pub fn words(&self) -> usize {
        self.free.len()
    }

    /// The free bits of a word.
    pub fn free(&self, word: usize) -> u64 {
        self.free[word]
    }

    /// The word in which a place lies.
    pub fn word(&self, place: usize) -> usize {
        self.fields[place].word as usize
    }

    /// The largest number that a place can have.
    pub fn most(&self, place: usize) -> u64 {
        self.fields[place].mask()
    }

    /// A number of a place, where it lies in its word.
    pub fn placed(&self, place: usize, number: u64) -> u64 {
        number << self.fields[place].shift
    }

    #[inline]
    pub fn get(&self, marking: &[u64], place: usize) -> u64 {
        let field = self.fields[place];
        (marking[field.word as usize] >> field.shift) & field.mask()
    }

    #[inline]
    pub fn set(&self, marking: &mut [u64], place: usize, number: u64) {
        let field = self.fields[place];
        let word = &mut marking[field.word as usize];
        *word = *word & !(field.mask() << field.shift) | number << field.shift;
    }

    /// The first place whose field overflowed.
    pub fn overflowed(&self, marking: &[u64]) -> Option<usize> {
        self.fields.iter().position(|field| {
            let free = 1 << (field.shift + field.width);
            marking[field.word as usize] & free != 0
        })
    }
}
