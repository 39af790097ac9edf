//! What is decided about wanted files, held to what must always be so.

use hotset_live::{
    Affordable, Change, Hold, Holding, Holdings, Identity, Observation, Refusal, WantedFile, decide,
};
use hotset_scenario::FilePath;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

const PAGE: u64 = 4096;
/// What the kernel needs for a file beside its pages, as `room.rs` has it.
const MAP: u64 = 256;
const PLENTY: Affordable = Affordable {
    memory_bytes: 1 << 40,
    free_bytes: 1 << 40,
};

fn wanted(names: &[&str]) -> Vec<WantedFile> {
    let file = |name: &&str| WantedFile {
        site: "shop".to_owned(),
        path: FilePath(name.as_bytes().to_vec()),
    };
    names.iter().map(file).collect()
}

/// The content of a file, as it was at a time.
fn content(inode: u64, pages: u64, time: i64) -> Identity {
    Identity {
        device: 1,
        inode,
        size_bytes: pages * PAGE,
        mtime_ns: time,
        ctime_ns: time,
    }
}

fn held(holdings: &Holdings, file: usize) -> Option<Holding> {
    holdings.holds[file].holding().copied()
}

/// Decides and does.
fn bring(
    files: &[WantedFile],
    holdings: &mut Holdings,
    seen: &[Observation],
    affordable: Affordable,
) -> Vec<Change> {
    let changes = decide(files, holdings, seen, affordable);
    for change in &changes {
        holdings.apply(change);
    }
    changes
}

#[test]
fn the_most_valuable_get_the_room_and_the_rest_is_told_how_little_there_is() {
    let files = wanted(&["/a", "/b", "/c"]);
    let mut holdings = Holdings::of_none(3);
    let seen = [2, 3, 1].map(|pages| Observation::File(content(pages, pages, 0)));
    let affordable = Affordable {
        memory_bytes: 4 * PAGE,
        free_bytes: 1 << 30,
    };
    bring(&files, &mut holdings, &seen, affordable);
    assert!(held(&holdings, 0).is_some() && held(&holdings, 2).is_some());
    let no_room = Refusal::NoRoom {
        needed_bytes: 3 * PAGE,
        room_bytes: 2 * PAGE,
    };
    assert_eq!(holdings.holds[1], Hold::LeftOut(no_room));
}

#[test]
fn what_is_held_stays_before_what_is_more_valuable_and_new() {
    let before = wanted(&["/old"]);
    let mut holdings = Holdings::of_none(1);
    let old = content(1, 2, 0);
    bring(&before, &mut holdings, &[Observation::File(old)], PLENTY);
    let files = wanted(&["/new", "/old"]);
    let mut holdings = holdings.carried_over(&before, &files);
    let seen = [Observation::File(content(2, 2, 0)), Observation::Unchanged];
    let affordable = Affordable {
        memory_bytes: 3 * PAGE,
        free_bytes: 1 << 30,
    };
    let changes = bring(&files, &mut holdings, &seen, affordable);
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!(held(&holdings, 1).is_some() && held(&holdings, 0).is_none());
}

#[test]
fn files_that_are_not_wanted_any_more_make_room_for_others() {
    let before = wanted(&["/old", "/kept"]);
    let mut holdings = Holdings::of_none(2);
    let seen = [1, 2].map(|inode| Observation::File(content(inode, 2, 0)));
    bring(&before, &mut holdings, &seen, PLENTY);
    let old = held(&holdings, 0).unwrap();
    let files = wanted(&["/new", "/kept"]);
    let mut holdings = holdings.carried_over(&before, &files);
    let new = content(3, 2, 0);
    let seen = [Observation::File(new), Observation::Unchanged];
    let affordable = Affordable {
        memory_bytes: 4 * PAGE,
        free_bytes: MAP,
    };
    let changes = bring(&files, &mut holdings, &seen, affordable);
    let expected = [
        Change::Drop {
            file: None,
            holding: old,
        },
        Change::Place {
            file: 0,
            identity: new,
            replaces: false,
        },
    ];
    assert_eq!(changes, expected);
    assert!(holdings.unwanted.is_empty());
}

#[test]
fn a_replaced_file_is_held_anew_at_once_in_the_place_of_the_old() {
    let files = wanted(&["/a"]);
    let mut holdings = Holdings::of_none(1);
    let old = content(1, 1, 0);
    bring(&files, &mut holdings, &[Observation::File(old)], PLENTY);
    let new = content(2, 1, 5);
    let changes = bring(&files, &mut holdings, &[Observation::File(new)], PLENTY);
    assert!(matches!(changes[0], Change::Drop { file: Some(0), .. }));
    assert!(matches!(changes[1], Change::Place { replaces: true, .. }));
    assert_eq!(held(&holdings, 0).unwrap().identity, new);
    let lost = bring(
        &files,
        &mut holdings,
        &[Observation::Refused(Refusal::Missing)],
        PLENTY,
    );
    assert_eq!(lost.len(), 2);
    assert_eq!(holdings.holds[0], Hold::LeftOut(Refusal::Missing));
}

#[test]
fn a_file_with_several_names_is_held_once_and_for_one_site() {
    let mut files = wanted(&["/a", "/b", "/c"]);
    files[2].site = "blog".to_owned();
    let mut holdings = Holdings::of_none(3);
    let seen = vec![Observation::File(content(1, 1, 0)); 3];
    bring(&files, &mut holdings, &seen, PLENTY);
    let (first, second) = (held(&holdings, 0).unwrap(), held(&holdings, 1).unwrap());
    assert_eq!(second.shares, Some(first.number));
    assert_eq!(holdings.held_bytes(), PAGE);
    let other = Refusal::OtherSite("shop".to_owned());
    assert_eq!(holdings.holds[2], Hold::LeftOut(other));

    // The first name is gone: the file is held by the second.
    let seen = [
        Observation::Refused(Refusal::Missing),
        seen[1].clone(),
        seen[2].clone(),
    ];
    bring(&files, &mut holdings, &seen, PLENTY);
    assert_eq!(held(&holdings, 1).unwrap().shares, None);
}

#[test]
fn the_least_valuable_go_when_others_need_the_memory() {
    let files = wanted(&["/a", "/b", "/c"]);
    let mut holdings = Holdings::of_none(3);
    let seen = [1, 2, 3].map(|inode| Observation::File(content(inode, 2, 0)));
    bring(&files, &mut holdings, &seen, PLENTY);
    let affordable = Affordable {
        memory_bytes: 5 * PAGE,
        free_bytes: 0,
    };
    let unseen = vec![Observation::Unseen; 3];
    bring(&files, &mut holdings, &unseen, affordable);
    assert!(held(&holdings, 0).is_some() && held(&holdings, 1).is_some());
    assert!(matches!(
        holdings.holds[2],
        Hold::LeftOut(Refusal::NoRoom { .. })
    ));
    assert!(decide(&files, &holdings, &unseen, affordable).is_empty());
}

/// A small world: names of two sites that lead to few files, or to none.
#[derive(Clone, Debug)]
struct World {
    files: Vec<WantedFile>,
    /// What each name leads to.
    leads: Vec<Option<Identity>>,
    memory_pages: u64,
    free_pages: u64,
}

fn a_world() -> impl Strategy<Value = World> {
    let name = (
        0_usize..2,
        0_u32..8,
        prop::option::weighted(0.9, (0_u64..6, 0_i64..3)),
    );
    let names = prop::collection::vec(name, 0..8);
    (names, 0_u64..24, 0_u64..24).prop_map(|(names, memory_pages, free_pages)| {
        let file = |&(site, name, _): &(usize, u32, Option<(u64, i64)>)| WantedFile {
            site: format!("s{site}"),
            path: FilePath(format!("/{name}").into_bytes()),
        };
        let files: Vec<WantedFile> = names.iter().map(file).collect();
        // A name leads to one file, however often it is wanted.
        let mut known: HashMap<WantedFile, Option<Identity>> = HashMap::new();
        let lead = |(file, lead): (&WantedFile, Option<(u64, i64)>)| {
            let lead =
                lead.map(|(inode, time)| content(inode, (inode * 5 + time as u64) % 7, time));
            *known.entry(file.clone()).or_insert(lead)
        };
        // A file has one content.
        let mut contents: HashMap<u64, Identity> = HashMap::new();
        let contents_of = names.iter().map(|&(_, _, lead)| lead);
        let leads: Vec<Option<Identity>> = files.iter().zip(contents_of).map(lead).collect();
        let one = |lead: Option<Identity>| lead.map(|it| *contents.entry(it.inode).or_insert(it));
        World {
            leads: leads.into_iter().map(one).collect(),
            files,
            memory_pages,
            free_pages,
        }
    })
}

impl World {
    fn seen(&self, holdings: &Holdings) -> Vec<Observation> {
        let observe = |(at, lead): (usize, &Option<Identity>)| match (lead, held(holdings, at)) {
            (None, _) => Observation::Refused(Refusal::Missing),
            (Some(lead), Some(own)) if own.shares.is_none() && own.identity == *lead => {
                Observation::Unchanged
            }
            (Some(lead), _) => Observation::File(*lead),
        };
        self.leads.iter().enumerate().map(observe).collect()
    }

    /// Looks, decides and does.
    fn bring(&self, holdings: &mut Holdings, affordable: Affordable) {
        let seen = self.seen(holdings);
        bring(&self.files, holdings, &seen, affordable);
    }

    /// So many bytes are free beside what is held.
    fn affordable(&self) -> Affordable {
        Affordable {
            memory_bytes: self.memory_pages * PAGE,
            free_bytes: self.free_pages * PAGE,
        }
    }
}

/// Bytes of files that are placed, where free bytes are counted from `before` on.
fn taken(before: &Holdings, after: &Holdings) -> u64 {
    after.cost_bytes().saturating_sub(before.cost_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_decided_is_affordable_at_every_step_and_holds_each_file_once(
        first in a_world(),
        second in a_world(),
    ) {
        let mut holdings = Holdings::of_none(first.files.len());
        first.bring(&mut holdings, PLENTY);
        let mut holdings = holdings.carried_over(&first.files, &second.files);
        let before = holdings.clone();
        let affordable = second.affordable();
        let changes = decide(&second.files, &holdings, &second.seen(&holdings), affordable);
        let mut dropped = HashSet::new();
        let mut placed = HashSet::new();
        for change in &changes {
            holdings.apply(change);
            match change {
                Change::Drop { holding, .. } => {
                    prop_assert!(dropped.insert(holding.number), "dropped twice");
                    prop_assert!(holding.number < before.next_number(), "dropped what is new");
                }
                Change::Place { file, .. } => {
                    prop_assert!(placed.insert(*file), "placed twice");
                    prop_assert!(holdings.held_bytes() <= affordable.memory_bytes);
                    prop_assert!(taken(&before, &holdings) <= affordable.free_bytes);
                }
                Change::Share { .. } | Change::LeaveOut { .. } => {}
            }
        }
        prop_assert!(holdings.unwanted.is_empty());
        prop_assert!(holdings.held_bytes() <= affordable.memory_bytes);
        let mut owners = HashMap::new();
        for (file, hold) in holdings.holds.iter().enumerate() {
            let Some(holding) = hold.holding() else {
                prop_assert!(*hold != Hold::Open, "nothing is left undecided");
                continue;
            };
            prop_assert_eq!(Some(holding.identity), second.leads[file], "what is held is current");
            prop_assert!(!dropped.contains(&holding.number), "both held and dropped");
            if holding.shares.is_none() {
                let site = &second.files[file].site;
                let known = owners.insert(holding.identity.inode, (holding.number, site));
                prop_assert!(known.is_none(), "held twice");
            }
        }
        for (file, hold) in holdings.holds.iter().enumerate() {
            if let Some(Holding { identity, shares: Some(number), .. }) = hold.holding() {
                prop_assert_eq!(owners.get(&identity.inode), Some(&(*number, &second.files[file].site)));
            }
        }
    }

    #[test]
    fn nothing_is_decided_where_nothing_has_happened(first in a_world(), second in a_world()) {
        let mut holdings = Holdings::of_none(first.files.len());
        first.bring(&mut holdings, first.affordable());
        let mut holdings = holdings.carried_over(&first.files, &second.files);
        let (before, affordable) = (holdings.clone(), second.affordable());
        second.bring(&mut holdings, affordable);
        let free_bytes = (affordable.free_bytes + before.cost_bytes()) - holdings.cost_bytes();
        let affordable = Affordable { free_bytes, ..affordable };
        let again = decide(&second.files, &holdings, &second.seen(&holdings), affordable);
        prop_assert_eq!(again, Vec::new());
    }

    #[test]
    fn a_file_that_finds_no_room_would_not_have_fitted_in_the_place_of_a_less_valuable_one(
        world in a_world(),
    ) {
        let mut holdings = Holdings::of_none(world.files.len());
        world.bring(&mut holdings, world.affordable());
        for (file, hold) in holdings.holds.iter().enumerate() {
            if let Hold::LeftOut(Refusal::NoRoom { needed_bytes, .. }) = hold {
                let later = (file + 1..world.files.len()).filter_map(|at| held(&holdings, at));
                prop_assert!(later.into_iter().all(|it| it.page_bytes() < *needed_bytes));
            }
        }
    }

    #[test]
    fn of_what_is_held_the_least_valuable_go_first(world in a_world(), left_pages in 0_u64..24) {
        let mut holdings = Holdings::of_none(world.files.len());
        world.bring(&mut holdings, PLENTY);
        let before = holdings.clone();
        let affordable = Affordable { memory_bytes: left_pages * PAGE, free_bytes: 0 };
        let unseen = vec![Observation::Unseen; world.files.len()];
        let changes = bring(&world.files, &mut holdings, &unseen, affordable);
        let is_placed = changes.iter().any(|it| matches!(it, Change::Place { .. }));
        prop_assert!(!is_placed);
        prop_assert!(holdings.held_bytes() <= affordable.memory_bytes);
        let mut left = affordable.memory_bytes;
        for file in 0..world.files.len() {
            let own = held(&before, file).filter(|it| it.shares.is_none());
            if let Some(own) = own {
                let fits = own.page_bytes() <= left;
                prop_assert_eq!(held(&holdings, file).is_some(), fits);
                left -= if fits { own.page_bytes() } else { 0 };
            }
        }
    }
}
