//! Renewals at which values and budget are always the same: what they cost goes by the files that were accessed and those near the
//! boundary of memory, not by all files.
//!
//! Each expert has its files in [`Levels`]. Only accesses change what it counts, but for a factor that is the same for all files
//! and changes no order. What is held is to the last file what [`Ranking`](crate::Ranking) and
//! [`select_beside`](super::select_beside) come to. The tests hold both together.

use rayon::prelude::*;

use super::counts::Counts;
use super::experts::Experts;
use super::levels::Levels;
use super::numbers::Numbers;
use crate::select::{Budget, Candidate, HeldSet, Room};
use crate::value::Values;

/// Values per page that were rounded on different ways differ by less than this, relatively. Levels are farther apart.
const ROUNDED: f64 = 1e-9;

/// What follows experts from renewal to renewal.
pub(crate) struct Steady {
    /// Of each expert.
    levels: Vec<Levels>,
    files: usize,
}

/// A file that was accessed.
struct Touched {
    file: u32,
    saved_us: f64,
    pages: u64,
}

/// What fills a memory: all files from a level on, and these others.
struct Fill {
    sure: u32,
    others: Vec<u32>,
}

impl Steady {
    /// For an [`Online`](super::Online) that knows so many files, and has not been renewed.
    pub fn new(files: usize) -> Self {
        Self {
            levels: Vec::new(),
            files,
        }
    }

    /// As [`Experts::learn`]. No site reserves anything.
    pub(super) fn learn<'s>(
        &'s mut self,
        experts: &'s mut Experts,
        (stretch, now): (&[(u32, u32)], f64),
        numbers: &'s Numbers,
        values: &Values,
        budget: Budget,
    ) -> Leading<'s> {
        let turnover = experts.count(stretch, now, numbers, values);
        self.levels
            .extend(turnover.is_added.then(|| Levels::new(self.files)));
        if let Some(gone) = turnover.gone {
            self.levels.remove(gone);
        }
        let of_stretch = |&(file, _): &(u32, u32)| touched(file, numbers, values);
        let stretch: Vec<Touched> = stretch.iter().map(of_stretch).collect();
        let fills = {
            let counts = experts.counts();
            let (of_each, files) = (&mut self.levels, self.files);
            of_each.resize_with(counts.len(), || Levels::new(files));
            let of_each = of_each.par_iter_mut().zip(&counts);
            let fills = of_each
                .zip(&turnover.rescaled)
                .map(|((levels, counts), &is_rescaled)| {
                    match is_rescaled {
                        true => follow_all(levels, counts, numbers, values),
                        false => follow(levels, counts, &stretch),
                    }
                    let candidate = |file| candidate(counts, file, numbers, values);
                    fill(levels, counts.now(), candidate, values, budget)
                });
            fills.collect::<Vec<Fill>>()
        };
        self.hold(&fills, experts.held_by(), numbers);
        let leader = experts.leader();
        Leading {
            levels: &self.levels[leader],
            counts: experts.counts()[leader],
            numbers,
        }
    }

    /// Notes what each expert holds.
    fn hold(&self, fills: &[Fill], held_by: &mut [u16], numbers: &Numbers) {
        held_by.fill(0);
        for (expert, (levels, fill)) in self.levels.iter().zip(fills).enumerate() {
            levels.mark(fill.sure, 1 << expert, held_by);
            for &object in &fill.others {
                held_by[numbers.known(object)] |= 1 << expert;
            }
        }
    }
}

fn touched(file: u32, numbers: &Numbers, values: &Values) -> Touched {
    let object = numbers.id(file);
    Touched {
        file,
        saved_us: values.saved_us(object),
        pages: values.pages(object),
    }
}

/// Puts files that were accessed where they are now.
fn follow(levels: &mut Levels, counts: &Counts, stretch: &[Touched]) {
    for touched in stretch {
        let value = counts.scaled(touched.file as usize) * touched.saved_us;
        levels.put(touched.file, value, touched.pages);
    }
}

/// Puts all files where they are now.
fn follow_all(levels: &mut Levels, counts: &Counts, numbers: &Numbers, values: &Values) {
    for file in 0..levels.files() as u32 {
        follow(levels, counts, &[touched(file, numbers, values)]);
    }
}

/// A file as it would be ranked.
fn candidate(counts: &Counts, file: u32, numbers: &Numbers, values: &Values) -> Option<Candidate> {
    let object = numbers.id(file);
    let value = counts.heat(file as usize) * values.saved_us(object);
    Candidate::new(values, object, file, value)
}

/// What of the candidates fills the memory. Those on `levels` are worth `now` times as much as their levels say.
fn fill(
    levels: &Levels,
    now: f64,
    candidate: impl Fn(u32) -> Option<Candidate>,
    values: &Values,
    budget: Budget,
) -> Fill {
    let boundary = levels.boundary(budget.pages);
    let left = Budget {
        pages: budget.pages - boundary.sure_pages,
        ..budget
    };
    let (mut room, mut others) = (Room::new(values, std::iter::empty(), left), Vec::new());
    // What is worth no less is on no lower level, however it was rounded.
    let least = levels.least(boundary.last) * now * (1.0 + ROUNDED);
    let near = levels.on(boundary.last..boundary.sure).into_iter();
    let near = near.filter_map(&candidate);
    let mut near: Vec<Candidate> = near.filter(|near| near.density >= least).collect();
    room.fill(values, &mut near, &mut others);
    if least > 0.0 && !room.is_full() {
        let rest = levels.on(1..boundary.last + 1).into_iter();
        let rest = rest.filter_map(candidate);
        let fits = |rest: &Candidate| rest.density < least && rest.pages <= room.free();
        let mut rest: Vec<Candidate> = rest.filter(fits).collect();
        room.fill(values, &mut rest, &mut others);
    }
    Fill {
        sure: boundary.sure,
        others,
    }
}

/// What the expert says that leads.
pub(crate) struct Leading<'s> {
    levels: &'s Levels,
    counts: Counts<'s>,
    numbers: &'s Numbers,
}

impl Leading<'_> {
    /// As [`super::select_beside`], in no order.
    pub fn select_beside(&self, held: &HeldSet, values: &Values, budget: Budget) -> HeldSet {
        let favoured = |file: u32| {
            let candidate = candidate(&self.counts, file, self.numbers, values)?;
            let object = candidate.object;
            Some(match held.contains(object) {
                true => candidate.worth(candidate.value + values.saved_us(object)),
                false => candidate,
            })
        };
        let now = self.counts.now();
        // What is far above the boundary is held, favoured or not. How far is a guess: a wrong one takes longer.
        let guess = self.levels.boundary(budget.pages).sure + self.levels.octave() / 2;
        let favour = |below: u32| {
            let mut levels = self.levels.clone();
            for &object in held.objects() {
                let file = self.numbers.known(object) as u32;
                if levels.of(file) < below
                    && let Some(candidate) = favoured(file)
                {
                    levels.put(file, candidate.value / now, candidate.pages);
                }
            }
            let is_enough = levels.boundary(budget.pages).sure <= below;
            (levels, is_enough)
        };
        let levels = match favour(guess) {
            (levels, true) => levels,
            (_, false) => favour(u32::MAX).0,
        };
        let fill = fill(&levels, now, favoured, values, budget);
        let sure = levels.on(fill.sure..u32::MAX).into_iter();
        let sure = sure.map(|file| self.numbers.id(file));
        let all: Vec<u32> = sure.chain(fill.others).collect();
        HeldSet::of(values, &all)
    }
}

#[cfg(test)]
mod tests {
    use hotset_scenario::{FilePath, Profile};
    use proptest::prelude::*;

    use super::super::{FileName, Online, Period, select_beside};
    use super::*;
    use crate::value::{Catalogue, ProfileCosts};

    /// Files on a disk, and those of the second site in memory, where holding them saves nothing.
    fn values(sizes: &[u64], site_of_object: &[u16]) -> Values {
        let sites = ["disk".to_owned(), "memory".to_owned()];
        let files = Catalogue {
            sizes,
            site_of_object,
            sites: &sites,
        };
        let profile = |name: &str| Profile::builtin(name).expect("a built-in profile");
        let costs = ProfileCosts {
            memory: &profile("memory"),
            backing: &[profile("hdd"), profile("memory")],
            files,
        };
        Values::new(&files, &costs, &[]).expect("values")
    }

    fn sorted(set: &HeldSet) -> Vec<u32> {
        let mut objects = set.objects().to_vec();
        objects.sort_unstable();
        objects
    }

    fn saved(online: &Online) -> String {
        let name = |object: u32| FileName {
            site: "disk".to_owned(),
            path: FilePath::from(object.to_string().as_str()),
        };
        serde_json::to_string(&online.save(name)).expect("JSON")
    }

    /// Pages and bytes less than these, of few sizes, so that many files are worth the same; and the site.
    fn any_file() -> impl Strategy<Value = (u64, u16)> {
        let pages = prop::sample::select(vec![1u64, 1, 1, 2, 3, 7, 40]);
        let less = prop::sample::select(vec![0u64, 0, 1, 3_000]);
        let site = prop::sample::select(vec![0u16, 0, 0, 0, 1]);
        (pages, less, site).prop_map(|(pages, less, site)| (4096 * pages - less, site))
    }

    /// The share of the files that it is among, and the time to the next one. After the longest, counts are scaled anew.
    fn any_access() -> impl Strategy<Value = (f64, i64)> {
        let gap = prop_oneof![200 => 0i64..4, 1 => 100i64..2_000, 1 => Just(300_000)];
        ((0.0f64..1.0, 0.0f64..1.0), gap).prop_map(|((a, b), gap)| (a * b * b, gap))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn steady_renewals_are_the_renewals_of_a_ranking(
            files in prop_oneof![
                prop::collection::vec(any_file(), 1..40),
                prop::collection::vec(any_file(), 800..2_500),
            ],
            accesses in prop::collection::vec(any_access(), 1..2_500),
            parts in prop::array::uniform3(0.0f64..1.1),
        ) {
            let (sizes, sites): (Vec<u64>, Vec<u16>) = files.into_iter().unzip();
            let values = values(&sizes, &sites);
            let all: u64 = values.all_pages().iter().sum();
            let [budget, some, other] = parts.map(|part| Budget {
                pages: (all as f64 * part * part) as u64,
                reserved_pages: &[0, 0],
            });
            let mut plain = Online::new(Period::Microseconds(50.0)).expect("a period");
            (0..sizes.len() as u32).for_each(|object| plain.introduce(object));
            let (mut online, mut steady) = (plain.clone(), Steady::new(sizes.len()));
            let mut holders = [some, other].map(|budget| (budget, HeldSet::empty(sizes.len())));
            let mut now = 0;
            for (place, gap) in accesses {
                let ranking = plain.renew(now, &values, budget);
                let leading = online.renew_steadily(&mut steady, now, &values, budget);
                prop_assert_eq!(ranking.is_some(), leading.is_some());
                if let Some((ranking, leading)) = ranking.zip(leading) {
                    for (budget, held) in &mut holders {
                        let next = select_beside(held, &values, &ranking, *budget);
                        let same = leading.select_beside(held, &values, *budget);
                        prop_assert_eq!(sorted(&same), sorted(&next));
                        prop_assert_eq!(same.pages(), next.pages());
                        *held = next;
                    }
                }
                let object = (sizes.len() as f64 * place) as u32;
                plain.observe(object, now);
                online.observe(object, now);
                now += gap;
            }
            prop_assert_eq!(saved(&online), saved(&plain));
        }
    }
}
