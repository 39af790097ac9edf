//! Several nodes that are asked in turn: each has the plan of its own accesses, and the totals are theirs together.

use crate::support::{Case, any_case, options, profile};
use hotset_plan::{
    Arm, ArmScore, Destination, FileIdentity, HeldOutScores, Plan, PlanError, PlanOptions,
    ProfileCosts, memory_for_gain, plan_nodes,
};
use hotset_scenario::FilePath;
use proptest::prelude::*;

fn plan_of(case: &Case, nodes: &[PlanOptions]) -> Result<Plan, PlanError> {
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    plan_nodes(&case.workload(), &costs, nodes)
}

/// The accesses that node `node` of `nodes` gets, dealt as one deals cards.
fn dealt(case: &Case, node: usize, nodes: usize) -> Case {
    let mut hands = vec![Vec::new(); nodes];
    for (turn, &access) in case.accesses.iter().enumerate() {
        hands[turn % nodes].push(access);
    }
    Case {
        accesses: hands.swap_remove(node),
        ..case.clone()
    }
}

fn arms(held_out: &HeldOutScores) -> [&ArmScore; 6] {
    let mut arms = held_out.arms.iter();
    std::array::from_fn(|_| {
        arms.next()
            .expect("six arms without reservations or groups")
            .1
    })
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(1.0) || (one.is_nan() && other.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn each_node_has_the_plan_of_its_own_accesses_and_memory(
        case in any_case(2), pages in prop::collection::vec(1u64..30, 1..4)
    ) {
        prop_assume!(case.accesses.len() >= pages.len());
        let nodes: Vec<PlanOptions> = pages.iter().map(|pages| options(pages * 4096)).collect();
        let plan = plan_of(&case, &nodes).expect("a plan");
        prop_assert_eq!(plan.nodes.len(), nodes.len());
        for (index, node) in plan.nodes.iter().enumerate() {
            let alone = dealt(&case, index, nodes.len()).plan(&nodes[index]).expect("a plan");
            prop_assert_eq!(format!("{node:?}"), format!("{:?}", alone.nodes[0]));
            prop_assert_eq!(node.memory_bytes, pages[index] * 4096);
        }
    }

    #[test]
    fn totals_are_sums_and_weighted_means_of_the_nodes(
        case in any_case(2), pages in prop::collection::vec(1u64..30, 2..4)
    ) {
        prop_assume!(case.accesses.len() >= pages.len());
        let nodes: Vec<PlanOptions> = pages.iter().map(|pages| options(pages * 4096)).collect();
        let plan = plan_of(&case, &nodes).expect("a plan");
        let total = &plan.total.held_out;
        let sum = |part: fn(&hotset_plan::NodePlan) -> u64| plan.nodes.iter().map(part).sum::<u64>();
        prop_assert_eq!(plan.memory_bytes, pages.iter().sum::<u64>() * 4096);
        prop_assert_eq!(plan.held.objects, sum(|node| node.held.objects));
        prop_assert_eq!(plan.held.bytes, sum(|node| node.held.bytes));
        prop_assert_eq!(plan.page_cache_bytes, sum(|node| node.page_cache_bytes));
        prop_assert_eq!(plan.training_accesses, sum(|node| node.training_accesses));
        prop_assert_eq!(total.accesses, sum(|node| node.held_out.accesses));
        prop_assert_eq!(plan.held.objects, plan.sites.iter().map(|site| site.held_objects).sum::<u64>());
        for arm in 0..6 {
            let mean = |score: fn(&ArmScore) -> f64| {
                let scored = plan.nodes.iter().filter(|node| node.held_out.accesses > 0);
                let sum: f64 = scored.map(|node| score(arms(&node.held_out)[arm]) * node.held_out.accesses as f64).sum();
                sum / total.accesses as f64
            };
            let of_all = arms(total)[arm];
            prop_assert!(close(of_all.mean_us, mean(|score| score.mean_us)), "{arm}");
            prop_assert!(close(of_all.hit_ratio, mean(|score| score.hit_ratio)), "{arm}");
            if let (Some(gain), true) = (of_all.gain, total[Arm::PageCache].mean_us > 0.0) {
                prop_assert!(close(gain, 1.0 - of_all.mean_us / total[Arm::PageCache].mean_us), "{arm}");
            }
            if let Some(interval) = of_all.gain_interval {
                prop_assert!(interval.low <= interval.high);
            }
        }
    }

    #[test]
    fn the_curve_has_the_memory_asked_for_with_the_scores_of_the_plan(
        case in any_case(1), pages in prop::collection::vec(1u64..30, 2..4), odd in 0u64..4096
    ) {
        prop_assume!(case.accesses.len() >= pages.len());
        let nodes: Vec<PlanOptions> = pages.iter().map(|pages| PlanOptions::new(pages * 4096 + odd)).collect();
        let plan = plan_of(&case, &nodes).expect("a plan");
        let asked = plan.curve.iter().find(|point| point.memory_bytes == plan.memory_bytes);
        let asked = asked.expect("the memory asked for");
        prop_assert_eq!(format!("{:?}", asked.plan), format!("{:?}", plan.total.held_out[Arm::Plan]));
        prop_assert!(close(asked.share, plan.share));
        prop_assert!(plan.curve.is_sorted_by(|a, b| a.memory_bytes <= b.memory_bytes));
    }
}

/// Ten files of a page that are read again and again, and 400 others in between.
fn hot_and_once() -> Case {
    let accesses = (0..4000u32).map(|turn| match turn % 5 {
        0 => 40 + turn / 5 % 400,
        _ => turn / 5 * 7 % 10,
    });
    Case::one_site(accesses.collect(), vec![4096; 440])
}

#[test]
fn a_node_with_less_memory_holds_less() {
    let case = hot_and_once();
    let plan = plan_of(&case, &[options(4 * 4096), options(30 * 4096)]).expect("a plan");
    let [small, large] = [&plan.nodes[0], &plan.nodes[1]];
    assert!(small.held.pages <= 4, "{:?}", small.held);
    assert!(small.held_out[Arm::Plan].mean_us > large.held_out[Arm::Plan].mean_us);
}

#[test]
fn what_a_node_holds_already_is_its_own() {
    let case = hot_and_once();
    let first = plan_of(&case, &[options(8 * 4096), options(8 * 4096)]).expect("a plan");
    assert!(first.moved_bytes > 0);
    let held = |node: usize| first.nodes[node].objects.iter().map(|held| held.object);
    let again: Vec<PlanOptions> = (0..2)
        .map(|node| PlanOptions {
            previous: held(node).collect(),
            ..options(8 * 4096)
        })
        .collect();
    assert_eq!(plan_of(&case, &again).expect("a plan").moved_bytes, 0);
}

#[test]
fn the_placement_names_the_node_of_each_file() {
    let case = hot_and_once();
    let plan = plan_of(&case, &[options(4 * 4096), options(30 * 4096)]).expect("a plan");
    let destination = Destination {
        nodes: &["a", "b"],
        store: "memory",
    };
    let placement = plan.placement(&case.files(), destination, |object| FileIdentity {
        path: FilePath::from(format!("/{object}").as_str()),
        mtime_ns: None,
    });
    assert_eq!(placement.held_pages, plan.held.pages);
    for (name, node) in ["a", "b"].iter().zip(&plan.nodes) {
        let files = placement.files.iter().filter(|file| file.node == *name);
        let orders: Vec<u32> = files.map(|file| file.order).collect();
        assert_eq!(orders, (0..node.held.objects as u32).collect::<Vec<_>>());
    }
}

#[test]
fn memory_for_a_gain_is_that_of_all_nodes_together() {
    let case = hot_and_once();
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let nodes = [PlanOptions::new(4096), PlanOptions::new(3 * 4096)];
    let needed = memory_for_gain(&case.workload(), &costs, &nodes, 0.05).expect("a search");
    let needed = needed.expect("some memory gains that");
    let parts = [needed.memory_bytes / 4, needed.memory_bytes / 4 * 3].map(options);
    let plan = plan_of(&case, &parts).expect("a plan");
    let gain = plan.total.held_out[Arm::Plan].gain.expect("a gain");
    assert!(gain >= 0.05 - 0.01, "{gain}");
}

#[test]
fn no_node_and_a_node_without_accesses_are_refused() {
    let case = Case::one_site(vec![0], vec![1]);
    assert_eq!(plan_of(&case, &[]), Err(PlanError::NoNode));
    let two = [options(4096), options(4096)];
    assert_eq!(plan_of(&case, &two), Err(PlanError::NoAccess));
}
