//! Names of files made of paths that may hold anything.

use std::collections::HashMap;
use std::path::{Component, Path};

use hotset_trace::{file_name, sized_path};
use proptest::prelude::*;

/// Paths of parts that lead elsewhere, look like names with a size, or are no text.
fn paths() -> impl Strategy<Value = Vec<u8>> {
    let odd = prop::sample::select(vec![
        "", ".", "..", "%", "%40", "@", "a@1", "a", "1", "a%2F", "\u{85}", "\n", "\0", "é",
    ]);
    let odd = odd.prop_map(|part| part.as_bytes().to_vec());
    let any = prop::collection::vec(any::<u8>(), 0..4);
    let part = prop_oneof![4 => odd, 1 => any];
    let whole = prop::collection::vec(part, 0..5);
    whole.prop_map(|parts| [b"/".to_vec(), parts.join(&b'/')].concat())
}

fn is_plain(name: &str) -> bool {
    let path = Path::new(name.strip_prefix('/').unwrap_or(".."));
    let parts: Vec<Component> = path.components().collect();
    let slashes = name.matches('/').count();
    parts.len() == slashes
        && parts
            .iter()
            .all(|part| matches!(part, Component::Normal(_)))
}

proptest! {
    #[test]
    fn files_have_names_of_their_own_and_none_is_the_folder_of_another(
        files in prop::collection::hash_set((paths(), 0..3_u64), 1..60)
    ) {
        let mut of_name = HashMap::new();
        for (path, bytes) in &files {
            let name = sized_path(path, *bytes);
            prop_assert!(is_plain(&name), "{name:?}");
            prop_assert!(!name.chars().any(char::is_control), "{name:?}");
            prop_assert_eq!(of_name.insert(name, (path, bytes)), None);
        }
        for name in of_name.keys() {
            let mut folders = Path::new(name).ancestors().skip(1);
            prop_assert!(!folders.any(|folder| of_name.contains_key(folder.to_str().unwrap())));
        }
    }
}

#[test]
fn long_parts_and_long_paths_are_cut_and_told_apart() {
    let long = "x".repeat(5000);
    let one = sized_path(format!("/{long}/a").as_bytes(), 1);
    let other = sized_path(format!("/{long}y/a").as_bytes(), 1);
    assert_ne!(one, other);
    for name in [&one, &other] {
        assert!(name.split('/').all(|part| part.len() <= 255), "{name}");
    }
    let deep = |last: &str| sized_path(format!("{}/{last}", "/abc".repeat(3000)).as_bytes(), 1);
    assert!(deep("a").len() < 2300);
    assert_ne!(deep("a"), deep("b"));
}

#[test]
fn a_name_stays_the_same_from_version_to_version() {
    assert_eq!(file_name(b"www.example.com:80"), "www.example.com:80");
    assert_eq!(file_name("naïve \u{7}".as_bytes()), "naïve %07");
    assert_eq!(file_name(b"a/b\xff"), "a%2Fb%FF");
    assert_eq!(
        file_name(&[b'a'; 300]),
        format!("{}~ee7717eba7a17e21", "a".repeat(183))
    );
    assert_eq!(sized_path(b"//host/@me/", 5), "/%/host/%40me/@5");
}
