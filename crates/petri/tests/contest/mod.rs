//! Nets of the Model Checking Contest (mcc.lip6.fr), drawn from the contest's PNML files.

use std::collections::BTreeMap;

use hotset_petri::{Net, Unit};

/// Rules such as `A + 2 B -> C`, by name.
struct Rules(Vec<(String, String)>);

impl Rules {
    fn new() -> Rules {
        Rules(Vec::new())
    }

    fn rule(mut self, name: impl Into<String>, rule: impl Into<String>) -> Rules {
        self.0.push((name.into(), rule.into()));
        self
    }

    /// Rules for each number.
    fn each(
        self,
        numbers: impl IntoIterator<Item = u32>,
        add: impl Fn(Rules, u32) -> Rules,
    ) -> Rules {
        numbers.into_iter().fold(self, add)
    }

    /// The net with these tokens at first.
    fn from(self, initial: &[(String, u32)]) -> Net {
        Net::build("contest", |page| {
            let mut places: BTreeMap<String, Unit> = BTreeMap::new();
            for (place, tokens) in initial {
                places.insert(place.clone(), page.unit(place, *tokens));
            }
            for (_, rule) in &self.0 {
                for place in rule.split(['+', '-', '>', ' ']) {
                    if !place.is_empty() && !places.contains_key(place) {
                        places.insert(place.to_owned(), page.unit(place, 0));
                    }
                }
            }
            for (name, rule) in &self.0 {
                let (takes, gives) = rule.split_once("->").unwrap();
                let mut transition = page.transition(name);
                for place in takes.split('+') {
                    transition = transition.take(&places[place.trim()]);
                }
                for place in gives.split('+') {
                    transition = transition.put(&places[place.trim()]);
                }
                transition.done();
            }
        })
        .unwrap()
    }
}

fn initial<const N: usize>(tokens: [(&str, u32); N]) -> Vec<(String, u32)> {
    Vec::from(tokens.map(|(place, tokens)| (place.to_owned(), tokens)))
}

fn one_each(places: impl IntoIterator<Item = String>) -> Vec<(String, u32)> {
    places.into_iter().map(|place| (place, 1)).collect()
}

/// Philosophers-PT: forks are taken one at a time, either first.
pub fn philosophers(n: u32) -> Net {
    let rules = Rules::new().each(1..=n, |rules, it| {
        let (left, right) = (if it == 1 { n } else { it - 1 }, it);
        rules
            .rule(
                format!("FF1a_{it}"),
                format!("Think_{it} + Fork_{left} -> Catch1_{it}"),
            )
            .rule(
                format!("FF1b_{it}"),
                format!("Think_{it} + Fork_{right} -> Catch2_{it}"),
            )
            .rule(
                format!("FF2a_{it}"),
                format!("Catch1_{it} + Fork_{right} -> Eat_{it}"),
            )
            .rule(
                format!("FF2b_{it}"),
                format!("Catch2_{it} + Fork_{left} -> Eat_{it}"),
            )
            .rule(
                format!("End_{it}"),
                format!("Eat_{it} -> Think_{it} + Fork_{left} + Fork_{right}"),
            )
    });
    let places = (1..=n).flat_map(|it| [format!("Think_{it}"), format!("Fork_{it}")]);
    rules.from(&one_each(places))
}

/// Kanban-PT: four cells with `n` cards each.
pub fn kanban(n: u32) -> Net {
    Rules::new()
        .each(1..=4, |rules, it| {
            rules
                .rule(format!("tredo{it}"), format!("Pm{it} -> Pback{it}"))
                .rule(format!("tback{it}"), format!("Pback{it} -> Pm{it}"))
                .rule(format!("tok{it}"), format!("Pm{it} -> Pout{it}"))
        })
        .rule("tin4", "P4 -> Pm4")
        .rule("tout1", "Pout1 -> P1")
        .rule("tsynch1_23", "P1 + Pout2 + Pout3 -> Pm1 + P2 + P3")
        .rule("tsynch4_23", "P2 + P3 + Pout4 -> Pm2 + Pm3 + P4")
        .from(&initial([("P1", n), ("P2", n), ("P3", n), ("P4", n)]))
}

/// FMS-PT: a flexible manufacturing system with `n` parts of each type, and as many machines as the contest's instance 2 has.
pub fn manufacturing(n: u32) -> Net {
    let rules = [
        ("tP1", "P1 -> P1wM1"),
        ("tM1", "M1 + P1wM1 -> P1M1"),
        ("tP1M1", "P1M1 -> P1d + M1"),
        ("tP1e", "P1d -> P1s"),
        ("tP1s", "P1s -> P1"),
        ("tP1j", "P1d -> P1wP2"),
        ("tP2", "P2 -> P2wM2"),
        ("tM2", "M2 + P2wM2 -> P2M2"),
        ("tP2M2", "P2M2 -> P2d + M2"),
        ("tP2e", "P2d -> P2s"),
        ("tP2s", "P2s -> P2"),
        ("tP2j", "P2d -> P2wP1"),
        ("tx", "P1wP2 + P2wP1 -> P12"),
        ("tP12", "P12 -> P12wM3"),
        ("tM3", "M3 + P12wM3 -> P12M3"),
        ("tP12M3", "P12M3 -> P12s + M3"),
        ("tP12s", "P12s -> P1 + P2"),
        ("tP3", "P3 -> P3M2"),
        ("tP3M2", "P3M2 + M2 -> M2 + P3s"),
        ("tP3s", "P3s -> P3"),
    ];
    let rules = rules
        .into_iter()
        .fold(Rules::new(), |all, (name, rule)| all.rule(name, rule));
    let machines = [("M1", 3), ("M2", 1), ("M3", 2)];
    let parts = [("P1", n), ("P2", n), ("P3", n)];
    rules.from(&[initial(machines), initial(parts)].concat())
}

/// SharedMemory-PT: processors with a memory each, and one bus to those of others.
pub fn shared_memory(n: u32) -> Net {
    let rules = Rules::new().each(1..=n, |rules, it| {
        rules
            .rule(
                format!("Begin_Own_{it}"),
                format!("Active_{it} -> Own_{it}"),
            )
            .rule(
                format!("End_Own_{it}"),
                format!("Own_{it} + Memory_{it} -> Memory_{it} + Active_{it}"),
            )
            .rule(
                format!("Req_Ext_{it}"),
                format!("Active_{it} -> Queue_{it}"),
            )
            .each((1..=n).filter(|&of| of != it), |rules, of| {
                rules
                    .rule(
                        format!("Begin_Ext_{it}_{of}"),
                        format!("Ext_Bus + Memory_{of} + Queue_{it} -> Ext_{it}_{of}"),
                    )
                    .rule(
                        format!("End_Ext_{it}_{of}"),
                        format!("Ext_{it}_{of} -> Active_{it} + Memory_{of} + Ext_Bus"),
                    )
            })
    });
    let places = (1..=n).flat_map(|it| [format!("Active_{it}"), format!("Memory_{it}")]);
    rules.from(&one_each(places.chain(["Ext_Bus".to_owned()])))
}

/// Dekker-PT: mutual exclusion of `n` processes with flags.
pub fn dekker(n: u32) -> Net {
    let rules = Rules::new().each(0..n, |rules, it| {
        let others = || (0..n).filter(move |&other| other != it);
        let free = Vec::from_iter(others().map(|other| format!("off_{other}"))).join(" + ");
        rules
            .rule(
                format!("try_{it}"),
                format!("off_{it} + p0_{it} -> on_{it} + p1_{it}"),
            )
            .rule(
                format!("enter_{it}"),
                format!("p1_{it} + {free} -> p3_{it} + {free}"),
            )
            .rule(
                format!("exit_{it}"),
                format!("on_{it} + p3_{it} -> off_{it} + p0_{it}"),
            )
            .each(others(), |rules, other| {
                rules.rule(
                    format!("withdraw_{it}_{other}"),
                    format!("on_{it} + on_{other} + p1_{it} -> off_{it} + on_{other} + p0_{it}"),
                )
            })
    });
    let places = (0..n).flat_map(|it| [format!("off_{it}"), format!("p0_{it}")]);
    rules.from(&one_each(places))
}

/// TokenRing-PT: Dijkstra's self-stabilising ring of `n` + 1 processes with as many states.
pub fn token_ring(n: u32) -> Net {
    let rules = Rules::new().each(0..=n, |rules, state| {
        let next = (state + 1) % (n + 1);
        let main = format!("State_0_{state} + State_{n}_{state}");
        rules
            .rule(
                format!("MainProcess_{state}"),
                format!("{main} -> State_0_{next} + State_{n}_{state}"),
            )
            .each(1..=n, |rules, it| {
                rules.each((0..=n).filter(|&new| new != state), |rules, new| {
                    let before = format!("State_{}_{new}", it - 1);
                    rules.rule(
                        format!("OtherProcess_{it}_{state}_{new}"),
                        format!("State_{it}_{state} + {before} -> State_{it}_{new} + {before}"),
                    )
                })
            })
    });
    rules.from(&one_each((0..=n).map(|it| format!("State_{it}_{it}"))))
}
