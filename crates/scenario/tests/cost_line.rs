//! Lines through measured costs.

use hotset_scenario::CostLine;
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_line_is_found_again(fixed_us in 0.5..20_000.0, bytes_per_us in 1.0..20_000.0) {
        let line = CostLine { fixed_us, bytes_per_us };
        let sizes = [4096_u64, 65_536, 1 << 20, 16 << 20];
        let found = CostLine::fit(sizes.map(|bytes| (bytes, line.us(bytes)))).unwrap();
        for bytes in sizes {
            let apart = found.us(bytes) / line.us(bytes) - 1.0;
            prop_assert!(apart.abs() < 1e-3, "{apart} at {bytes}");
        }
    }

    /// Ever quicker with size is no line that grows: it is level then, and no cost is below zero.
    #[test]
    fn no_cost_is_below_zero(times in prop::collection::vec(0.1..1e5, 3)) {
        let sizes = [4096_u64, 65_536, 1 << 20];
        let line = CostLine::fit(sizes.into_iter().zip(times)).unwrap();
        prop_assert!(line.fixed_us >= 0.0);
        prop_assert!(line.bytes_per_us > 0.0);
    }
}

#[test]
fn one_size_makes_no_line() {
    assert_eq!(CostLine::fit([(4096, 5.0), (4096, 6.0)]), None);
    assert_eq!(CostLine::fit([]), None);
}
