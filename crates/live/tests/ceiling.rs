//! How much may be held while memory is short, and afterwards.

use hotset_live::Ceiling;

#[test]
fn what_was_given_back_comes_back_step_by_step() {
    let mut ceiling = Ceiling::new(1600);
    ceiling.shrink(800);
    assert_eq!(ceiling.bytes(), 600);
    ceiling.grow();
    assert_eq!(ceiling.bytes(), 700);
    (0..20).for_each(|_| ceiling.grow());
    assert_eq!(ceiling.bytes(), 1600);
    ceiling.limit(100);
    ceiling.change(50);
    assert_eq!(ceiling.bytes(), 50);
}
