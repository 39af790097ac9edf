//! From the drawing to a flat net: what is one becomes one, and what cannot be meant is refused.

use super::draft::Draft;
use crate::delay::{BadDelay, Delay};
use crate::error::{Flaw, NetError};
use crate::handles::PlaceId;
use crate::monitor::{Monitor, MonitorSpec};
use crate::net::{Drawing, DrawnTransition, Net, Output, PlaceSpec, TransitionSpec};

/// A flat net of a draft, in which every place is filled by somebody and emptied by somebody.
pub(crate) fn flatten(name: &str, draft: Draft) -> Result<Net, NetError> {
    let net = flatten_any(name, draft)?;
    check_flow(&net)?;
    Ok(net)
}

/// A flat net of a draft, which may have places that are always empty or keep their tokens, and transitions that take nothing.
pub(crate) fn flatten_any(name: &str, mut draft: Draft) -> Result<Net, NetError> {
    if !draft.errors.is_empty() {
        return Err(draft.errors.swap_remove(0));
    }
    let roots = roots(&draft);
    check_ports(&draft, &roots)?;
    let (dense, mut places) = places(&draft, &roots)?;
    for transition in &draft.transitions {
        check_transition(transition, &draft)?;
    }
    let levels = levels(&draft.transitions);
    let flat = Flat { dense: &dense };
    let transitions = draft.transitions.iter();
    let mut transitions: Vec<_> = transitions.map(|it| flat.transition(it, &levels)).collect();
    let drawn_places = places.len();
    let drawn = draft.transitions.iter().zip(&mut transitions);
    for (_, it) in drawn.filter(|(drawn, _)| drawn.takes_nothing()) {
        take_turns(it, &mut places);
    }
    Ok(Net {
        name: name.to_owned(),
        monitors: draft.monitors.iter().map(|it| flat.monitor(it)).collect(),
        ends: draft.ends.iter().map(|&it| dense[it as usize]).collect(),
        places,
        drawn_places,
        transitions,
        dense,
        drawing: Drawing {
            pages: draft.pages,
            places: draft.places,
            transitions: draft.transitions,
            objects: draft.objects.iter().map(|it| it.path.clone()).collect(),
        },
        objects: draft.objects,
    })
}

/// The place that each place is one with: its own number, the socket's, or the first of its fusion set.
fn roots(draft: &Draft) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..draft.places.len() as u32).collect();
    for &(place, with) in &draft.unions {
        let (from, to) = (root(&parent, place), root(&parent, with));
        parent[from as usize] = to;
    }
    (0..parent.len() as u32)
        .map(|place| root(&parent, place))
        .collect()
}

fn root(parent: &[u32], mut place: u32) -> u32 {
    while parent[place as usize] != place {
        place = parent[place as usize];
    }
    place
}

fn check_ports(draft: &Draft, roots: &[u32]) -> Result<(), NetError> {
    let mut ports = draft.places.iter().zip(roots);
    let open = ports.find(|(place, root)| place.is_port && draft.places[**root as usize].is_port);
    open.map_or(
        Ok(()),
        |(port, _)| Err(Flaw::PortUnconnected.at(&port.path)),
    )
}

/// The number of each place's root among all roots, and the roots with the tokens of those that they stand for.
fn places(draft: &Draft, roots: &[u32]) -> Result<(Vec<u32>, Vec<PlaceSpec>), NetError> {
    let mut number = vec![u32::MAX; roots.len()];
    let mut places: Vec<PlaceSpec> = Vec::new();
    for (index, place) in draft.places.iter().enumerate() {
        if roots[index] as usize == index {
            number[index] = places.len() as u32;
            places.push(PlaceSpec {
                path: place.path.clone(),
                drawn: index as u32,
                initial: place.holding.initial,
                shelf: place.holding.shelf.clone(),
            });
        }
    }
    for (index, place) in draft.places.iter().enumerate() {
        let is_root = roots[index] as usize == index;
        if is_root || place.holding.initial == 0 {
            continue;
        }
        let root = &mut places[number[roots[index] as usize] as usize];
        if root.initial > 0 {
            return Err(Flaw::InitialTokensTwice.at(&place.path));
        }
        root.initial = place.holding.initial;
        root.shelf.clone_from(&place.holding.shelf);
    }
    let dense = roots.iter().map(|&root| number[root as usize]).collect();
    Ok((dense, places))
}

fn check_transition(transition: &DrawnTransition, draft: &Draft) -> Result<(), NetError> {
    let refused = |flaw: Flaw| Err(flaw.at(&transition.path));
    let gives = transition.gives.iter().map(|it| &it.after);
    let delays = gives.chain(transition.coloured_out.iter().map(|it| &it.after));
    for delay in delays.chain([&transition.delay]) {
        if let Err(BadDelay(seconds)) = delay.check() {
            return refused(Flaw::BadDelay(seconds));
        }
    }
    if transition.guard.is_some() && transition.unindexed > 1 && !transition.may_scan {
        return refused(Flaw::UnindexedJoin);
    }
    let objects = &transition.objects;
    let mut borrowed = objects.iter().enumerate();
    if let Some((_, object)) = borrowed.find(|(at, it)| objects[..*at].contains(it)) {
        let object = &draft.objects[object.index as usize];
        return refused(Flaw::BorrowedTwice(object.path.clone()));
    }
    let taken = &transition.coloured_in;
    let again = taken.iter().enumerate().find(|&(index, place)| {
        taken[..index].contains(place) || transition.resets.contains(place)
    });
    again.map_or(Ok(()), |(_, place)| {
        let place = &draft.places[place.index as usize];
        refused(Flaw::TakenTwice(place.path.clone()))
    })
}

/// Gives a transition that takes nothing a place of its own with one token: it takes the token, and gives it back with all else that it gives. So it
/// fires again when its delay is over, as a transition of a stochastic Petri net with one server does.
fn take_turns(transition: &mut TransitionSpec, places: &mut Vec<PlaceSpec>) {
    let turn = places.len() as u32;
    places.push(PlaceSpec {
        path: format!("the turn of {}", transition.path),
        drawn: u32::MAX,
        initial: 1,
        shelf: None,
    });
    transition.needs.push((turn, 1));
    transition.gives.push((turn, 1, Delay::NONE));
}

/// The urgencies of the net in order.
fn levels(transitions: &[DrawnTransition]) -> Vec<u32> {
    let mut levels: Vec<u32> = transitions.iter().map(|it| it.urgency).collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

/// Turns numbers of the drawing into dense ones.
struct Flat<'a> {
    dense: &'a [u32],
}

impl Flat<'_> {
    fn place(&self, place: PlaceId) -> u32 {
        self.dense[place.index as usize]
    }

    fn transition(&self, it: &DrawnTransition, levels: &[u32]) -> TransitionSpec {
        let mut needs: Vec<(u32, u32)> = Vec::new();
        for &(place, count) in &it.needs {
            let place = self.place(place);
            match needs.iter_mut().find(|need| need.0 == place) {
                Some(need) => need.1 = need.1.saturating_add(count),
                None => needs.push((place, count)),
            }
        }
        let gives = it.gives.iter();
        let gives = gives.map(|it| (self.place(it.place), it.count, it.after.clone()));
        let inhibitors = it.inhibitors.iter();
        TransitionSpec {
            path: it.path.clone(),
            needs,
            gives: gives.collect(),
            inhibitors: inhibitors
                .map(|&(it, below)| (self.place(it), below))
                .collect(),
            resets: it.resets.iter().map(|&it| self.place(it)).collect(),
            coloured_in: it.coloured_in.iter().map(|&it| self.place(it)).collect(),
            coloured_out: it
                .coloured_out
                .iter()
                .map(|it| Output {
                    place: self.place(it.place),
                    after: it.after.clone(),
                    is_timed: it.is_timed,
                })
                .collect(),
            delay: it.delay.clone(),
            level: levels.partition_point(|&level| level < it.urgency),
            body: it.body.clone(),
            borrows: !it.objects.is_empty(),
        }
    }

    fn monitor(&self, (path, kind): &(String, Monitor)) -> MonitorSpec {
        MonitorSpec {
            name: path.clone(),
            kind: kind.clone(),
            places: kind.places().iter().map(|&it| self.place(it)).collect(),
        }
    }
}

/// Every place is filled by somebody and emptied by somebody, unless it says that the net has ended. Every transition takes something.
fn check_flow(net: &Net) -> Result<(), NetError> {
    let drawing = &net.drawing;
    if let Some(source) = net.sources().next() {
        return Err(Flaw::TakesNothing.at(&source.path));
    }
    let mut filled: Vec<bool> = net.places.iter().map(|place| place.initial > 0).collect();
    let mut taken = vec![false; net.places.len()];
    for it in &net.transitions {
        it.gives
            .iter()
            .for_each(|give| filled[give.0 as usize] = true);
        it.needs
            .iter()
            .for_each(|need| taken[need.0 as usize] = true);
        let coloured = it.coloured_in.iter().chain(&it.resets);
        coloured.for_each(|&place| taken[place as usize] = true);
    }
    let outputs = drawing.transitions.iter().flat_map(|it| &it.coloured_out);
    outputs.for_each(|it| filled[net.dense[it.place.index as usize] as usize] = true);
    for (place, &dense) in drawing.places.iter().zip(&net.dense) {
        taken[dense as usize] |= !place.holding.keeps;
    }
    net.ends.iter().for_each(|&end| taken[end as usize] = true);
    for (index, place) in net.places.iter().enumerate() {
        if !filled[index] {
            return Err(Flaw::NeverFilled.at(&place.path));
        }
        if !taken[index] {
            return Err(Flaw::NeverTaken.at(&place.path));
        }
    }
    Ok(())
}
