//! What a plan comes to in a sentence.

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Interval;
use hotset_plan::{
    Arm, ArmScore, ClosedLoop, HeldAmount, Lever, Plan, SitePlan, Verdict, WriterEffect,
};

use super::proposal;
use super::view::{PlanView, StoreBasis};
use crate::{number, printable};

/// Sites named whose share of the traffic would change.
const SHIFTS_SHOWN: usize = 4;

/// A plan that holds no file.
const GROUPS: &str = "memory groups for the sites";

/// What to do, and what it buys.
pub(super) fn headline(view: &PlanView) -> String {
    let advice = match (view.plan.lever, view.plan.held.objects) {
        (Lever::Files, 0) => leave(view),
        (Lever::Files, _) => hold(view),
        (Lever::Groups | Lever::GroupsAndFiles, _) => split(view),
    };
    let (plan, is_given_up) = (view.plan, view.plan.given_up.is_some());
    let is_by_the_store = plan.held.objects > 0 || plan.lever != Lever::Files || is_given_up;
    let advice = match condition(view).filter(|_| is_by_the_store) {
        Some(condition) => format!("{condition}, {}", uncapitalised(&advice)),
        None => advice,
    };
    let advice = match targets_met(view.plan) {
        Some(met) => format!("{met}. {advice}"),
        None => advice,
    };
    match view.verdict() {
        Verdict::Unchanged => format!("Nothing to change. {advice}"),
        Verdict::Hold | Verdict::Leave => advice,
    }
}

/// What the rest holds for, where nobody has named the stores: the gain depends on them more than on anything else.
fn condition(view: &PlanView) -> Option<String> {
    let stores = view.stores();
    let has = |basis: StoreBasis| view.store_bases.contains(&basis);
    if has(StoreBasis::Usual) {
        return Some(format!("If files are read from {stores}"));
    }
    if has(StoreBasis::Assumed) {
        return Some(format!(
            "{stores} is a guess, as the disk is virtual: `hotset probe` measures it. If files are read from {stores}"
        ));
    }
    let is_found = has(StoreBasis::Found);
    is_found.then(|| format!("With files on {stores}, as the kernel says"))
}

/// A sentence that goes on behind a comma.
fn uncapitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

/// The stores that most sites are on today, one of each kind: local flash, a disk that turns, a file server.
const COMMON_STORES: [&str; 3] = ["nvme", "hdd-7200", "nfs"];

/// What the best plan for each of the commonest stores would save if every site lived there.
pub(super) fn on_common_stores(view: &PlanView) -> Option<String> {
    let savings = COMMON_STORES.iter().map(|store| saved_on(view, store));
    let savings = savings.collect::<Option<Vec<Saved>>>()?;
    let is_sampled = savings.iter().any(|saved| saved.off.is_some());
    let savings = COMMON_STORES.iter().zip(&savings);
    let savings: Vec<String> = savings
        .map(|(store, saved)| format!("{store} {}", saved.text()))
        .collect();
    Some(format!(
        "Saved by the best plan for another store{}: {}.",
        match is_sampled {
            true => ", estimated from a sample of the file reads, with 95 % intervals",
            false => "",
        },
        savings.join(", ")
    ))
}

/// A share of the mean response, and by how much it may be off where it is estimated.
struct Saved {
    share: f64,
    off: Option<f64>,
}

impl Saved {
    fn text(&self) -> String {
        let share = self.share;
        match self.off {
            Some(off) => number::percent_with_interval(share, share - off, share + off),
            None => number::percent(share),
        }
    }
}

/// What the best plan for `store` would save; nothing where it is not known. What sites save together may be off by the mean of what
/// each may be off by, as all are estimated from the same sample.
fn saved_on(view: &PlanView, store: &str) -> Option<Saved> {
    let (mut page_cache_us, mut plan_us, mut off_us) = (0.0_f64, 0.0_f64, None::<f64>);
    for (site, advice) in view.plan.sites.iter().zip(view.advice) {
        let of_store = advice.stores.iter().find(|it| it.store == store)?;
        // No read of the site is held out, or in the sample.
        if !of_store.page_cache_mean_us.is_finite() {
            continue;
        }
        let us = site.held_out.accesses as f64 * of_store.page_cache_mean_us;
        page_cache_us += us;
        plan_us += site.held_out.accesses as f64 * of_store.plan_mean_us;
        if let Some(sampled) = of_store.sampled {
            let off = sampled
                .gain
                .map_or(1.0, |gain| (gain.high - gain.low) / 2.0);
            off_us = Some(off_us.unwrap_or(0.0) + us * off);
        }
    }
    let share = (page_cache_us - plan_us) / page_cache_us;
    share.is_finite().then(|| Saved {
        share,
        off: off_us.map(|off_us| off_us / page_cache_us),
    })
}

fn hold(view: &PlanView) -> String {
    let plan = view.plan;
    let held = share_of_memory(plan.held, plan.memory_bytes);
    let score = &plan.total.held_out[Arm::Plan];
    match (
        &plan.given_up,
        plan.total.held_out.arms.get(Arm::Reservations),
    ) {
        (Some(given_up), Some(reservations)) => format!(
            "Holding only what sites reserve, {held}, {} on traffic the plan has not seen; {} would do no better",
            effect(view, reservations),
            match given_up.objects {
                0 => GROUPS.to_owned(),
                objects => format!("holding {}", number::counted(objects, "file", "files")),
            },
        ),
        _ if score.weighted_gain.is_none() => format!("Holding {held}"),
        _ => format!(
            "Holding {held} {} on traffic the plan has not seen{}",
            effect(view, score),
            doubt(score)
        ),
    }
}

/// Memory groups, with files held in them or not.
fn split(view: &PlanView) -> String {
    let plan = view.plan;
    let score = &plan.total.held_out[Arm::Plan];
    let and_holding = match plan.held.objects {
        0 => String::new(),
        _ => format!(
            " and holding {}",
            share_of_memory(plan.held, plan.memory_bytes)
        ),
    };
    format!(
        "Giving each site a memory group of its own{}{and_holding} {} on traffic the plan has not seen{}",
        on_nodes(view),
        effect(view, score),
        doubt(score)
    )
}

/// Nodes named one by one.
const NODES_NAMED: usize = 3;

/// On which nodes sites have groups, where that is not so on all of them.
fn on_nodes(view: &PlanView) -> String {
    let nodes = view.nodes.iter().zip(&view.plan.nodes);
    let with_groups = nodes.filter(|(_, node)| !node.groups.is_empty());
    let names: Vec<&str> = with_groups.map(|(name, _)| name.as_str()).collect();
    match names.len() {
        count if count == view.nodes.len() => String::new(),
        count if count > NODES_NAMED => format!(" on {count} of {} nodes", view.nodes.len()),
        _ => format!(" on {}", names.join(", ")),
    }
}

/// How many targets are met, where there are some.
fn targets_met(plan: &Plan) -> Option<String> {
    let targets = || plan.sites.iter().flat_map(|site| &site.targets);
    let met = targets().filter(|target| target.is_met).count();
    match targets().count() {
        0 => None,
        1 if met == 1 => Some("Meets the target".to_owned()),
        all if met == all => Some(format!("Meets all {all} targets")),
        all => Some(format!(
            "Meets {met} of {}",
            number::counted(all as u64, "target", "targets")
        )),
    }
}

/// How clients that wait would change the traffic, where they would.
pub(super) fn closed_loop(plan: &Plan) -> Option<String> {
    let sites = plan.sites.iter();
    let sites = sites.filter_map(|site| Some((site, site.closed_loop?)));
    let shift = |(site, shifted): (&SitePlan, ClosedLoop)| {
        format!(
            "{} from {} to {} of the reads, at {}",
            site.site,
            number::percent(shifted.logged_share),
            number::percent(shifted.share),
            number::duration(shifted.mean_us),
        )
    };
    let change = |shifted: &ClosedLoop| (shifted.share - shifted.logged_share).abs();
    let mut shifts: Vec<_> = sites.collect();
    shifts.sort_by(|(_, a), (_, b)| change(b).total_cmp(&change(a)));
    let shifts: Vec<String> = shifts.into_iter().take(SHIFTS_SHOWN).map(shift).collect();
    (!shifts.is_empty()).then(|| {
        format!(
            "If clients wait for answers before they ask again, faster sites are asked more often. The plan would then \
             change the traffic that it was made for: {}.",
            shifts.join("; ")
        )
    })
}

/// What does better by the objective and was not chosen, and why.
pub(super) fn rejected(plan: &Plan) -> Option<String> {
    let rejected = plan.rejected.as_ref()?;
    let files = || {
        let files = number::counted(rejected.held.objects, "file", "files");
        format!("{files} held ({})", number::bytes(rejected.held.bytes))
    };
    let way = match rejected.lever {
        Lever::Files if rejected.held.objects == 0 => "The page cache alone".to_owned(),
        Lever::Files => format!("One page cache with {}", files()),
        Lever::Groups => "Memory groups without held files".to_owned(),
        Lever::GroupsAndFiles => format!("Memory groups with {}", files()),
    };
    Some(format!(
        "{way} would serve the traffic as logged better. This was not chosen: if clients wait for answers and ask for the same \
         files again, {} would get {} of the answers per second that it could get.",
        rejected.site,
        number::percent(rejected.rate)
    ))
}

/// That a group of its own would keep a site's memory, where a site has priority, clients that wait would shift the traffic
/// and groups were not tried. One page cache with held files gave a tenth or less of the answers in three of the five cells
/// of `experiments/pollution/priorities.toml`. `fix` says what to do then.
pub(super) fn groups_untried(plan: &Plan, fix: &str) -> Option<String> {
    let least = plan.sites.iter().map(|site| site.weight);
    let least = least.fold(f64::INFINITY, f64::min);
    let has_priority = |site: &&SitePlan| site.weight > least || !site.targets.is_empty();
    let shifts =
        plan.rejected.is_some() || plan.sites.iter().any(|site| site.closed_loop.is_some());
    let are_untried =
        plan.sites.len() > 1 && plan.total.held_out.arms.get(Arm::Groups).is_none() && shifts;
    let first = plan
        .sites
        .iter()
        .filter(|_| are_untried)
        .find(has_priority)?;
    Some(format!(
        "{} has priority, and shares one page cache with the other sites. Under load, only a memory group of its own keeps \
         its memory for it. If its server is a unit or container of its own, {fix}.",
        first.site
    ))
}

/// What to know of targets and groups, where the plan has some.
pub(super) fn targets(plan: &Plan) -> Option<String> {
    let mut targets = plan.sites.iter().flat_map(|site| &site.targets).peekable();
    let has_targets = targets.peek().is_some();
    let mut sentences = Vec::new();
    if targets.any(|target| !target.is_met) {
        sentences.push(
            "A site that misses its target would need a page cache of its own of that size, by the part of the traffic that the \
             plan learnt from; held files take less. No size is enough if too many files were read for the first time there.",
        );
    }
    if has_targets || plan.lever != Lever::Files {
        sentences.push("The renewed and the clairvoyant plan know neither targets nor groups.");
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn leave(view: &PlanView) -> String {
    let plan = view.plan;
    if let Some(why) = proposal::all_fit(view) {
        return format!("Leave it to the page cache: {why}");
    }
    let why = match plan.given_up {
        Some(given_up) => format!(
            "the best plan found, {}, {} on traffic it has not seen",
            match given_up.objects {
                0 => GROUPS.to_owned(),
                _ => format!("holding {}", share_of_memory(given_up, plan.memory_bytes)),
            },
            effect(view, &plan.total.held_out[Arm::Plan])
        ),
        None if all_fit(view) => {
            let read = number::bytes(view.description.total.object_bytes);
            format!("all {read} read fit in it")
        }
        None => {
            let memory = number::bytes(plan.memory_bytes);
            format!("all {memory} serve this traffic best as page cache")
        }
    };
    format!("Leave it to the page cache: {why}")
}

/// Whether a node's memory takes every file whole.
fn all_fit(view: &PlanView) -> bool {
    let total = &view.description.total;
    // A file takes whole pages: less than one more than its bytes.
    let at_most = total
        .objects
        .saturating_mul(PAGE_BYTES)
        .saturating_add(total.object_bytes);
    at_most <= view.plan.memory_bytes && !view.has_several_nodes()
}

fn share_of_memory(held: HeldAmount, memory_bytes: u64) -> String {
    format!(
        "{} ({} of {})",
        number::counted(held.objects, "file", "files"),
        number::bytes(held.bytes),
        number::bytes(memory_bytes),
    )
}

/// What an arm does to the mean that the plan minimises.
fn effect(view: &PlanView, score: &ArmScore) -> String {
    let mean = match view.is_weighted() {
        true => "the weighted mean response",
        false => "the mean response",
    };
    let interval = score.weighted_gain_interval;
    match score.weighted_gain {
        None => format!("leaves {mean} unknown"),
        Some(0.0) => format!("leaves {mean} as it is"),
        Some(gain) if gain < 0.0 => {
            let mirrored = interval.map(|interval| Interval {
                low: -interval.high,
                high: -interval.low,
                ..interval
            });
            format!("raises {mean} by {}", share(-gain, mirrored))
        }
        Some(gain) => format!("cuts {mean} by {}", share(gain, interval)),
    }
}

fn doubt(score: &ArmScore) -> &'static str {
    match score.weighted_gain_interval {
        Some(interval) if interval.low > 0.0 => "",
        _ if score.weighted_gain < Some(0.0) => "",
        _ => "; the gain may be chance",
    }
}

/// Which sites gain by the plan and which lose, of those that a file is read of; nothing for a single one, or where no plan was
/// made.
pub(super) fn site_by_site(view: &PlanView) -> Option<String> {
    let plan = view.plan;
    let sites = plan.sites.iter();
    let asked: Vec<&SitePlan> = sites.filter(|site| site.held_out.accesses > 0).collect();
    if asked.len() < 2 || (plan.held.objects == 0 && plan.given_up.is_none()) {
        return None;
    }
    let under = match plan.given_up {
        Some(_) => "Under the plan given up",
        None => "Site by site",
    };
    let sites = Differences::of(&asked);
    let groups = [
        best_of(&sites.gain, "saves", "save"),
        best_of(&sites.lose, "loses", "lose"),
        (sites.unclear > 0).then(|| {
            let sites = number::counted(sites.unclear, "site shows", "sites show");
            format!("{sites} no clear difference")
        }),
    ];
    let groups: Vec<String> = groups.into_iter().flatten().collect();
    Some(format!("{under}: {}.", groups.join("; ")))
}

/// Sites named one by one; of more, the one with the largest difference.
const SITES_NAMED: usize = 3;

/// A site's name, and the share of its mean response that it gains or loses.
type Difference<'a> = (&'a str, f64);

/// What the plan does to each site.
#[derive(Default)]
struct Differences<'a> {
    /// Sites that gain, the largest gain first.
    gain: Vec<Difference<'a>>,
    /// Sites that lose, the largest loss first.
    lose: Vec<Difference<'a>>,
    /// How many do neither beyond chance.
    unclear: u64,
}

impl<'a> Differences<'a> {
    fn of(sites: &[&'a SitePlan]) -> Self {
        let mut of = Self::default();
        for site in sites {
            let score = &site.held_out[Arm::Plan];
            match score.gain.zip(score.gain_interval) {
                Some((share, interval)) if interval.low > 0.0 => of.gain.push((&site.site, share)),
                Some((share, interval)) if interval.high < 0.0 => {
                    of.lose.push((&site.site, -share));
                }
                _ => of.unclear += 1,
            }
        }
        for sites in [&mut of.gain, &mut of.lose] {
            sites.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        of
    }
}

/// Sites with their shares in words; nothing for none.
fn best_of(sites: &[Difference], verb: &str, verb_of_several: &str) -> Option<String> {
    let (first, largest) = sites.first()?;
    if sites.len() > SITES_NAMED {
        let count = number::count(sites.len() as u64);
        let largest = number::percent(*largest);
        return Some(format!(
            "{count} sites {verb_of_several}, {first} the most ({largest})"
        ));
    }
    let named = |(site, share): &Difference| format!("{site} {verb} {}", number::percent(*share));
    Some(sites.iter().map(named).collect::<Vec<_>>().join(", "))
}

/// Sites that the plan could not learn about; nothing where there are none.
pub(super) fn not_learnt(view: &PlanView) -> Option<String> {
    let sites = view.plan.sites.iter();
    let unknown = sites.filter(|site| site.training_accesses == 0 && site.held_out.accesses > 0);
    let names: Vec<&str> = unknown.map(|site| &*site.site).collect();
    let (count, first) = (names.len() as u64, names.first()?);
    let who = match names.len() {
        0..=SITES_NAMED => names.join(", "),
        _ => format!("{first} and {} more sites", number::count(count - 1)),
    };
    Some(format!(
        "No file of {who} can be held: the part of the traffic that the plan learns from has no file read of {}.",
        if count == 1 { "it" } else { "them" }
    ))
}

/// What is to be done to get from the plan in force to this one; nothing without a plan in force.
pub(super) fn changes(view: &PlanView) -> Option<String> {
    let changes = view.changes.as_ref()?;
    let part = |files: &[&hotset_scenario::PlacedFile]| {
        let bytes = files.iter().map(|file| file.size_bytes).sum();
        (number::count(files.len() as u64), number::bytes(bytes))
    };
    let [
        (added, added_bytes),
        (dropped, dropped_bytes),
        (kept, kept_bytes),
    ] = [&changes.added, &changes.dropped, &changes.kept].map(|files| part(files));
    Some(format!(
        "Changes to the plan in force: {added} to add ({added_bytes}), {dropped} to drop ({dropped_bytes}), {kept} \
         unchanged ({kept_bytes}){}{}",
        match changes.groups_differ {
            true => "; other memory groups",
            false => "",
        },
        match changes.databases_differ {
            true => "; other memory of databases",
            false => "",
        }
    ))
}

/// Which nodes the plan is for and how they share the traffic; nothing for a single one without others.
pub(super) fn nodes(view: &PlanView) -> Option<String> {
    let shared = view.has_several_nodes().then(|| {
        format!(
            "The file reads are dealt to {} nodes in turn, as nginx deals requests to the servers of an upstream. Each \
             node has a plan of its own.",
            view.nodes.len()
        )
    });
    let passed_over = (!view.passed_over.is_empty()).then(|| {
        format!(
            "Proxies read no site from a store, so no plan is made for {}.",
            view.passed_over.join(", ")
        )
    });
    let sentences: Vec<String> = shared.into_iter().chain(passed_over).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What programs that write take of page caches, and what that does to the hits; nothing without any.
pub(super) fn writers(view: &PlanView) -> Option<String> {
    let nodes = view.nodes.iter().zip(&view.plan.nodes);
    let writers = nodes.flat_map(|(node, plan)| plan.writers.iter().map(move |it| (node, it)));
    let sentence = |(node, it): (&String, &WriterEffect)| {
        let on = match view.has_several_nodes() {
            true => format!(" on {}", printable(node)),
            false => String::new(),
        };
        format!(
            "Beside the writer {}{on}: {} of page cache taken, hit ratio {} instead of {} with nothing held.",
            printable(&it.writer),
            number::bytes(it.page_cache_bytes),
            number::percent(it.hit_ratio),
            number::percent(it.hit_ratio_without),
        )
    };
    let sentences: Vec<String> = writers.map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Why no more is held, where what stays page cache has a part in that.
pub(super) fn floor(plan: &Plan) -> Option<String> {
    let floor = plan.page_cache_floor_bytes;
    (plan.held.objects > 0 && plan.page_cache_bytes < 2 * floor).then(|| {
        format!(
            "At least {} of the memory stay page cache, for pages on their way from disk to network and for the \
             kernel's records of evicted pages: a memory group that is too full kills its processes.",
            number::bytes(floor)
        )
    })
}

/// How much better the best choice of files could be; nothing where none was made.
pub(super) fn bound(plan: &Plan) -> Option<String> {
    let bound = &plan.bound;
    if plan.held.objects == 0 || bound.value_us <= 0.0 {
        return None;
    }
    Some(format!(
        "{} This bound is for the {} the plan was trained on, with every other file read from its store each \
         time.",
        at_most(bound.optimum_at_most_us / bound.value_us - 1.0),
        number::counted(plan.training_accesses, "file read", "file reads")
    ))
}

/// The share that the best conceivable choice would add.
fn at_most(beyond: f64) -> String {
    /// Less is not told apart from nothing by [`number::percent`].
    const SMALLEST: f64 = 0.001;
    let more = match beyond {
        beyond if beyond <= 0.0 => return "No other choice of files could save more.".to_owned(),
        beyond if beyond < SMALLEST => format!("less than {}", number::percent(SMALLEST)),
        beyond => format!("at most {}", number::percent(beyond)),
    };
    format!("Another choice of files could save {more} more.")
}

fn share(share: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) => number::percent_with_interval(share, interval.low, interval.high),
        None => number::percent(share),
    }
}
