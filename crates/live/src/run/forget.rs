//! Which files are forgotten, so that those that were found once do not keep new ones out for ever.

/// Room is made for one in so many of the files that may be known, at a time: that takes time for each that is known.
const PART: usize = 16;

/// The ids of the files that stay where there is to be room for `newcomers`, by their warmth: the coldest go, of equals those known
/// longest, and none that is held. All stay where there is room.
pub fn staying(
    warmth: &[f64],
    is_held: impl Fn(u32) -> bool,
    most: usize,
    newcomers: usize,
) -> Option<Vec<u32>> {
    let known = warmth.len();
    if known + newcomers <= most {
        return None;
    }
    // Not as many as there are newcomers: anybody can invent these.
    let room = (most / PART).max(1);
    let forgotten = (known + room).saturating_sub(most);
    let mut cold: Vec<u32> = (0..known as u32).filter(|&id| !is_held(id)).collect();
    let forgotten = forgotten.min(cold.len());
    if forgotten == 0 {
        return None;
    }
    let colder = |a: &u32, b: &u32| {
        let warmth = warmth[*a as usize].total_cmp(&warmth[*b as usize]);
        warmth.then(a.cmp(b))
    };
    cold.select_nth_unstable_by(forgotten - 1, colder);
    let mut stays = vec![true; known];
    for &id in &cold[..forgotten] {
        stays[id as usize] = false;
    }
    drop(cold);
    Some((0..known as u32).filter(|&id| stays[id as usize]).collect())
}
