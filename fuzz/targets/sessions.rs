//! Mixes are read or refused in words with their place, and followed to the end; links and forms are found in any page.
#![no_main]

use std::path::Path;

use hotset_replay::links::targets;
use hotset_workload::sessions::{Step, Walk, filled, parse, to_toml};
use libfuzzer_sys::fuzz_target;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for target in targets(text, "/shop/home.php", "/shop") {
        assert!(target.path.starts_with('/'), "{target:?}");
    }
    let path = Path::new("fuzz.toml");
    let mix = match parse(text, path) {
        Ok(mix) => mix,
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz.toml:"));
            return;
        }
    };
    let again = parse(&to_toml(&mix, &[]), path).expect("what was written is read");
    assert_eq!(again, mix);
    let (mut walk, mut random) = (Walk::start(), Pcg64Mcg::seed_from_u64(1));
    for _ in 0..20 {
        filled(&mix.pages[walk.page()].fields, &mut random);
        mix.think.draw(&mut random);
        if walk.step(&mix, &mut random) == Step::End {
            break;
        }
        assert!(walk.page() < mix.pages.len());
    }
});
