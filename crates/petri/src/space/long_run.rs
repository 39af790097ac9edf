//! What a net comes to in the long run: where it ends up, and which transitions can always fire again.
//!
//! Two markings are in one strongly connected component if each leads to the other (found by Tarjan's algorithm, "Depth-first
//! search and linear graph algorithms", SIAM Journal on Computing 1, 1972). A component that nothing leads out of is
//! terminal: whoever runs for long ends up in one.

use super::rules::Successors;
use super::state_space::{End, StateSpace};

/// What a net comes to in the long run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongRun {
    /// Strongly connected components that nothing leads out of.
    pub terminal_components: usize,
    /// Markings that can be reached from everywhere: those of the terminal component, if there is one only.
    pub home_markings: usize,
    /// Whether the initial marking is one of them, so that the net can always start anew.
    pub can_start_anew: bool,
    /// Whether each transition is live, in the order of [`crate::Net::transitions`]: whatever has fired, it can be made to
    /// fire again.
    pub live: Vec<bool>,
}

impl StateSpace<'_> {
    /// What the net comes to in the long run; nothing if the state space is not complete.
    pub fn long_run(&mut self) -> Option<LongRun> {
        if self.ended != End::Complete {
            return None;
        }
        let (of, is_terminal) = self.components();
        let terminal_components = is_terminal.iter().filter(|&&it| it).count();
        let at_home = |component: &u32| is_terminal[*component as usize];
        Some(LongRun {
            terminal_components,
            home_markings: match terminal_components {
                1 => of.iter().filter(|it| at_home(it)).count(),
                _ => 0,
            },
            can_start_anew: terminal_components == 1 && at_home(&of[0]),
            live: self.live(&of, &is_terminal),
        })
    }

    /// The markings that can be reached from everywhere, or the number of terminal components if there are several.
    pub(super) fn home_markings(&self) -> Result<Vec<usize>, usize> {
        let (of, is_terminal) = self.components();
        match is_terminal.iter().filter(|&&it| it).count() {
            1 => Ok((0..of.len())
                .filter(|&it| is_terminal[of[it] as usize])
                .collect()),
            ends => Err(ends),
        }
    }

    /// The component of each marking, and whether each component is terminal.
    fn components(&self) -> (Vec<u32>, Vec<bool>) {
        let (of, count) = components(&self.starts, &self.targets);
        let is_terminal = terminal(&of, count, &self.starts, &self.targets);
        (of, is_terminal)
    }

    /// The transitions that fire in all terminal components.
    fn live(&mut self, of: &[u32], is_terminal: &[bool]) -> Vec<bool> {
        let transitions = self.net.transitions.len();
        // A transition that fires in a component is counted there once.
        let mut last_in = vec![u32::MAX; transitions];
        let mut components = vec![0; transitions];
        let mut order: Vec<u32> = (0..of.len() as u32).collect();
        order.retain(|&marking| is_terminal[of[marking as usize] as usize]);
        order.sort_by_key(|&marking| of[marking as usize]);
        let mut successors = Successors::default();
        for marking in order {
            // What was followed once is followed again.
            let _ = self.follow(marking, &mut successors);
            for &transition in &successors.transitions {
                let transition = transition as usize;
                let component = of[marking as usize];
                if last_in[transition] != component {
                    last_in[transition] = component;
                    components[transition] += 1;
                }
            }
        }
        let all = is_terminal.iter().filter(|&&it| it).count();
        components.into_iter().map(|count| count == all).collect()
    }
}

/// The component of each marking, and how many there are. All markings are reached from the first.
fn components(starts: &[u64], targets: &[u32]) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let markings = starts.len() - 1;
    let mut order = vec![NONE; markings];
    let mut low = vec![NONE; markings];
    let mut of = vec![NONE; markings];
    let mut members = Vec::new();
    let mut path: Vec<(u32, u64)> = Vec::new();
    let (mut visited, mut count) = (0, 0);
    let mut next = Some(0_u32);
    loop {
        if let Some(marking) = next.take() {
            order[marking as usize] = visited;
            low[marking as usize] = visited;
            visited += 1;
            members.push(marking);
            path.push((marking, starts[marking as usize]));
        }
        let Some((marking, arc)) = path.last_mut() else {
            return (of, count);
        };
        let at = *marking as usize;
        if *arc < starts[at + 1] {
            let target = targets[*arc as usize];
            *arc += 1;
            if order[target as usize] == NONE {
                next = Some(target);
            } else if of[target as usize] == NONE {
                low[at] = low[at].min(order[target as usize]);
            }
            continue;
        }
        path.pop();
        if low[at] == order[at] {
            while let Some(member) = members.pop() {
                of[member as usize] = count as u32;
                if member as usize == at {
                    break;
                }
            }
            count += 1;
        }
        if let Some(&(before, _)) = path.last() {
            low[before as usize] = low[before as usize].min(low[at]);
        }
    }
}

/// Whether nothing leads out of each component.
fn terminal(of: &[u32], count: usize, starts: &[u64], targets: &[u32]) -> Vec<bool> {
    let mut is_terminal = vec![true; count];
    for (marking, span) in starts.windows(2).enumerate() {
        let own = of[marking];
        let targets = &targets[span[0] as usize..span[1] as usize];
        if targets.iter().any(|&target| of[target as usize] != own) {
            is_terminal[own as usize] = false;
        }
    }
    is_terminal
}
