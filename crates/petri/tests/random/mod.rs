//! Random nets: what they are, and the engine's nets made of them.

use hotset_petri::{
    Bag, Colour, Delay, Discipline, Fifo, Keyed, Net, Object, Offer, Page, Place, Priority, Stream,
    Time, Unit, Units, Urgency, Urgent,
};

use crate::reference::{Kind, Law, Memory, NetSpec, PlaceSpec, TransitionSpec, key};

/// A token, ordered by its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C(pub u32);

impl Colour for C {}

impl Urgency for C {
    type Rank = u32;

    fn rank(&self) -> u32 {
        self.0
    }
}

/// What a random net is made with.
pub struct Dice(pub Stream);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }

    fn law(&mut self) -> Law {
        match self.below(3) {
            0 => Law::Constant(0),
            1 => Law::Constant(self.below(4) as u64),
            _ => Law::Exponential(1 + self.below(5) as u64),
        }
    }

    /// Two places of each kind, by twos in the order of [`KINDS`].
    fn place(&mut self, kind: Kind) -> usize {
        let kind = KINDS.iter().position(|&it| it == kind).unwrap();
        2 * kind + self.below(2)
    }

    /// A net with two places of each kind.
    pub fn net(&mut self) -> NetSpec {
        let places: Vec<PlaceSpec> = (0..2 * KINDS.len())
            .map(|place| PlaceSpec {
                kind: KINDS[place / 2],
                initial: (0..=self.below(4)).map(|_| self.below(7) as u32).collect(),
            })
            .map(|place| match place.kind {
                Kind::Unit => PlaceSpec {
                    initial: vec![0; place.initial.len()],
                    ..place
                },
                _ => place,
            })
            .collect();
        let count = 1 + self.below(5);
        let mut transitions: Vec<TransitionSpec> = (0..count).map(|_| self.transition()).collect();
        let taken = |it: &TransitionSpec, place| {
            let needs = it.needs.iter().any(|need| need.0 == place);
            needs || it.takes.contains(&place) || it.resets.contains(&place)
        };
        for place in 0..places.len() {
            if !transitions.iter().any(|it| taken(it, place)) {
                transitions[0].resets.push(place);
            }
        }
        NetSpec {
            places,
            transitions,
        }
    }

    fn transition(&mut self) -> TransitionSpec {
        let mut takes = Vec::new();
        if self.below(4) > 0 {
            let kind = [Kind::Bag, Kind::Fifo, Kind::Priority][self.below(3)];
            takes.push(self.place(kind));
            if self.below(2) > 0 {
                let kind = [Kind::Bag, Kind::Keyed][self.below(2)];
                takes.push(self.place(kind));
            }
        }
        if takes.len() == 2 && takes[0] == takes[1] {
            takes.pop();
        }
        let mut needs: Vec<(usize, u32)> = Vec::new();
        if takes.is_empty() || self.below(2) > 0 {
            needs.push((self.place(Kind::Unit), 1 + self.below(2) as u32));
        }
        let inhibitors = match self.below(4) {
            0 => vec![(self.below(2 * KINDS.len()), 1 + self.below(4) as u32)],
            _ => Vec::new(),
        };
        let (gives, units) = match self.below(2) {
            0 => self.outputs(),
            _ => self.outputs_at_once(),
        };
        // Two objects where there is one arc, one where there are several.
        let objects = match (self.below(2), gives.len()) {
            (0, _) => Vec::new(),
            (_, 1) => vec![0, 1],
            _ => vec![self.below(2)],
        };
        TransitionSpec {
            urgency: [100, 1000][self.below(2)],
            needs,
            takes,
            guard: [0, 2, 3][self.below(3)],
            inhibitors,
            resets: Vec::new(),
            delay: self.law(),
            gives,
            units,
            salt: self.below(7) as u32,
            objects,
        }
    }
}

/// Output arcs to coloured places, and to unit places.
type Outputs = (Vec<(usize, Law)>, Vec<(usize, u32, Law)>);

impl Dice {
    /// One output of each coloured kind, and one of units, each with a delay of its own.
    fn outputs(&mut self) -> Outputs {
        let gives = KINDS[1..].iter();
        let gives = gives.map(|&kind| (self.place(kind), self.law())).collect();
        let units = (self.place(Kind::Unit), 1 + self.below(2) as u32, self.law());
        (gives, vec![units])
    }

    /// A queue's token, now and then with a delay of its own, and units of both places.
    fn outputs_at_once(&mut self) -> Outputs {
        let law = match self.below(3) {
            0 => self.law(),
            _ => Law::Constant(0),
        };
        let units = [0, 1].map(|place| (place, 1 + self.below(2) as u32, Law::Constant(0)));
        (vec![(self.place(Kind::Fifo), law)], units.to_vec())
    }
}

const KINDS: [Kind; 5] = [
    Kind::Unit,
    Kind::Bag,
    Kind::Fifo,
    Kind::Priority,
    Kind::Keyed,
];

/// The objects of a run.
pub const OBJECTS: [&str; 2] = ["object 0", "object 1"];

/// The net of a specification, by the engine's own builder.
struct Drawn {
    units: [Unit; 2],
    bags: [Place<Bag<C>>; 2],
    fifos: [Place<Fifo<C>>; 2],
    priorities: [Place<Priority<C>>; 2],
    keyed: [Place<Keyed<u32, C>>; 2],
    objects: [Object<Memory>; 2],
}

fn delay(law: Law) -> Delay {
    match law {
        Law::Constant(nanos) => Delay::constant(nanos as f64 * 1e-9),
        Law::Exponential(mean) => Delay::exponential(mean as f64 * 1e-9),
    }
}

/// The net of a specification.
pub fn build(spec: &NetSpec) -> Net {
    Net::build("random", |page| {
        let tokens = |place: usize| -> Vec<C> {
            spec.places[place].initial.iter().map(|&it| C(it)).collect()
        };
        let name = |place: usize| format!("place {place}");
        let drawn = Drawn {
            units: [0, 1].map(|it| page.unit(&name(it), tokens(it).len() as u32)),
            bags: [2, 3].map(|it| page.bag(&name(it), tokens(it))),
            fifos: [4, 5].map(|it| page.fifo(&name(it), tokens(it))),
            priorities: [6, 7].map(|it| page.priority(&name(it), tokens(it))),
            keyed: [8, 9]
                .map(|it| page.keyed(&name(it), tokens(it).into_iter().map(|c| (key(c.0), c)))),
            objects: OBJECTS.map(|name| page.object(name, Memory::new)),
        };
        for (number, it) in spec.transitions.iter().enumerate() {
            let name = format!("transition {number}");
            let first = it.takes.first().copied();
            match first.map(|place| spec.places[place].kind) {
                None => no_token(page, &name, &drawn, it),
                Some(Kind::Bag) => tokens_of(page, &name, &drawn, it, drawn.bags[it.takes[0] % 2]),
                Some(Kind::Fifo) => {
                    tokens_of(page, &name, &drawn, it, drawn.fifos[it.takes[0] % 2])
                }
                _ => tokens_of(page, &name, &drawn, it, drawn.priorities[it.takes[0] % 2]),
            }
        }
    })
    .unwrap()
}

/// What tokens add up to: their colours, without keys.
trait Sum {
    fn sum(&self) -> u32;
}

impl Sum for C {
    fn sum(&self) -> u32 {
        self.0
    }
}

impl Sum for u32 {
    fn sum(&self) -> u32 {
        0
    }
}

impl Sum for () {
    fn sum(&self) -> u32 {
        0
    }
}

impl<A: Sum> Sum for &A {
    fn sum(&self) -> u32 {
        (*self).sum()
    }
}

impl<A: Sum, B: Sum> Sum for (A, B) {
    fn sum(&self) -> u32 {
        self.0.sum() + self.1.sum()
    }
}

/// A token with a delay of its own.
fn timed<T>(spec: &TransitionSpec, arc: usize, sum: u32, token: Option<T>) -> Option<(Time, T)> {
    token.map(|token| (Time::from_nanos(spec.own_delay(arc, sum)), token))
}

/// An arc to a place of any kind.
macro_rules! arc {
    ($transition:expr, $arc:ident, $drawn:expr, $place:expr $(, $more:expr)?) => {{
        let at = $place % 2;
        match KINDS[$place / 2] {
            Kind::Unit => $transition.$arc(&$drawn.units[at] $(, $more)?),
            Kind::Bag => $transition.$arc(&$drawn.bags[at] $(, $more)?),
            Kind::Fifo => $transition.$arc(&$drawn.fifos[at] $(, $more)?),
            Kind::Priority => $transition.$arc(&$drawn.priorities[at] $(, $more)?),
            Kind::Keyed => $transition.$arc(&$drawn.keyed[at] $(, $more)?),
        }
    }};
}

/// All of a transition but what it takes and its guard.
macro_rules! rest {
    ($drawn:expr, $spec:expr, $transition:expr) => {{
        let (drawn, spec) = ($drawn, $spec.clone());
        let mut transition = $transition;
        for &(place, below) in &spec.inhibitors {
            transition = arc!(transition, below, drawn, place, below);
        }
        for &place in &spec.resets {
            transition = arc!(transition, reset, drawn, place);
        }
        for &(place, count, law) in &spec.units {
            transition = transition.put(drawn.units[place].times(count).after(delay(law)));
        }
        let after = |arc: usize| delay(spec.gives[arc].1);
        let at = |arc: usize| spec.gives[arc].0 % 2;
        let transition = transition
            .urgency(Urgent(spec.urgency))
            .delay(delay(spec.delay))
            .unindexed();
        match (spec.gives.len(), &spec.objects[..]) {
            (1, []) => {
                let queue = drawn.fifos[at(0)].maybe().after(after(0));
                let transition = transition.put(queue);
                transition.fire(move |tokens, _| spec.given(0, tokens.sum()).map(C));
            }
            (1, &[first, second, ..]) => {
                let queue = drawn.fifos[at(0)].maybe().after(after(0)).timed();
                let transition = transition
                    .borrow(&drawn.objects[first])
                    .borrow(&drawn.objects[second])
                    .put(queue);
                transition.fire_with(move |tokens, (first, second), _| {
                    let sum = tokens.sum();
                    let sum = sum + first.ask(sum);
                    let sum = sum + second.ask(sum);
                    timed(&spec, 0, sum, spec.given(0, sum).map(C))
                });
            }
            (_, []) => {
                let transition = transition
                    .put(drawn.bags[at(0)].maybe().after(after(0)))
                    .put(drawn.fifos[at(1)].maybe().after(after(1)))
                    .put(drawn.priorities[at(2)].maybe().after(after(2)))
                    .put(drawn.keyed[at(3)].many().after(after(3)));
                transition.fire(move |tokens, _| {
                    let sum = tokens.sum();
                    let given = |arc| spec.given(arc, sum).map(C);
                    let keyed = given(3).map(|c| (key(c.0), c));
                    (given(0), given(1), given(2), Vec::from_iter(keyed))
                });
            }
            (_, &[object, ..]) => {
                let transition = transition
                    .borrow(&drawn.objects[object])
                    .put(drawn.bags[at(0)].maybe().timed().after(after(0)))
                    .put(drawn.fifos[at(1)].maybe().timed().after(after(1)))
                    .put(drawn.priorities[at(2)].maybe().timed().after(after(2)))
                    .put(drawn.keyed[at(3)].many().timed().after(after(3)));
                transition.fire_with(move |tokens, object, _| {
                    let sum = tokens.sum();
                    let sum = sum + object.ask(sum);
                    let given = |arc| timed(&spec, arc, sum, spec.given(arc, sum).map(C));
                    let keyed = given(3).map(|(after, c)| (after, (key(c.0), c)));
                    (given(0), given(1), given(2), Vec::from_iter(keyed))
                });
            }
        };
    }};
}

/// All of a transition but what it takes.
macro_rules! finish {
    ($drawn:expr, $spec:expr, $transition:expr) => {
        if $spec.guard == 0 {
            rest!($drawn, $spec, $transition)
        } else {
            let guard = $spec.clone();
            let guarded = $transition.when(move |tokens| guard.accepts(tokens.sum()));
            rest!($drawn, $spec, guarded)
        }
    };
}

impl Drawn {
    fn units_of(&self, spec: &TransitionSpec) -> Units {
        let need = spec.needs.first();
        need.map_or(self.units[0].times(0), |&(place, count)| {
            self.units[place].times(count)
        })
    }
}

fn no_token(page: &mut Page<'_>, name: &str, drawn: &Drawn, spec: &TransitionSpec) {
    let transition = page.transition(name).take(drawn.units_of(spec));
    finish!(drawn, spec, transition);
}

fn tokens_of<D: Offer<()> + Discipline<Token = C>>(
    page: &mut Page<'_>,
    name: &str,
    drawn: &Drawn,
    spec: &TransitionSpec,
    first: Place<D>,
) {
    let transition = page
        .transition(name)
        .take(drawn.units_of(spec))
        .take(&first);
    match spec.takes.get(1) {
        None => finish!(drawn, spec, transition),
        Some(&place) if KINDS[place / 2] == Kind::Bag => {
            finish!(drawn, spec, transition.take(&drawn.bags[place % 2]))
        }
        Some(&place) => {
            let keyed = &drawn.keyed[place % 2];
            finish!(drawn, spec, transition.join(keyed, |c| key(c.0)))
        }
    }
}
