//! Which files are forgotten.

use hotset_live::staying;

#[test]
fn the_coldest_go_and_what_is_held_stays() {
    let warmth = [0.5, 3.0, 0.1, 2.0, 0.5];
    let held = |id| id == 2;
    assert_eq!(staying(&warmth, held, 6, 1), None);
    assert_eq!(staying(&warmth, held, 5, 1), Some(vec![1, 2, 3, 4]));
    assert_eq!(staying(&warmth, |_| true, 5, 1), None);
}
