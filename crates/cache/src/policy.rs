//! What an eviction policy is.

/// Most objects a policy can tell apart: the highest `u32`s mark list ends and absence.
pub const MAX_OBJECTS: usize = u32::MAX as usize - 8;

/// Largest capacity that a policy uses; more is cut to it. Sums of a few such capacities stay
/// within 64 bits.
pub const MAX_CAPACITY: u64 = u64::MAX / 4;

/// A cache of fixed capacity that decides what to evict.
pub trait Policy {
    /// Serves a request for object `id`, which takes `size` if it has to be inserted; true is a
    /// hit.
    ///
    /// `id` must be below [`Policy::objects`]: [`crate::scan`] checks that for a whole trace at
    /// once, so that the request path need not.
    fn access(&mut self, id: u32, size: u64) -> bool;

    /// Reads what the next requests, for `ids` in this order, will need, so that it is in the
    /// processor's cache by then; changes nothing. Whether a request hits decides what is done next,
    /// and a processor that guessed wrong has nothing else to do than wait for memory; these reads
    /// do not depend on each other, so that it waits for all of them at once.
    #[inline]
    fn read_ahead(&self, _ids: &[u32]) {}

    /// Ids must be below this.
    fn objects(&self) -> usize;

    /// Bytes of memory the policy has allocated. Not counted is the caller's size column, 8 bytes
    /// per object.
    fn memory_bytes(&self) -> usize;
}

/// Reads `column` at each of `places`; those outside it are left out.
#[inline]
pub(crate) fn touch<T: Copy + Into<u32>>(column: &[T], places: impl Iterator<Item = u32>) {
    let read = |place: u32| column.get(place as usize).map_or(0, |&value| value.into());
    std::hint::black_box(places.fold(0u32, |sum, place| sum.wrapping_add(read(place))));
}

/// Bytes allocated by `column`.
pub(crate) fn column_bytes<T>(column: &Vec<T>) -> usize {
    column.capacity() * size_of::<T>()
}
