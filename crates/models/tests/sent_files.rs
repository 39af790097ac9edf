//! The read path of simulated jobs and the planner's page cache find the same pages of files that a server sends, request by request.

use hotset_cache::{LinuxPageCache, PAGE_BYTES};
use hotset_models::storage::SentFiles;
use hotset_scenario::Reading;
use hotset_workload::{Generator as _, Load, Mix, Zipf};
use proptest::prelude::*;

/// Requests of both sites at the same rate, as the pollution experiment has them (`experiments/pollution/experiment.toml`).
fn paced_cell(foreground: usize, background: usize, requests: u64) -> hotset_trace::Trace {
    let site = |class| Zipf {
        size_correlation: 0.0,
        ..Zipf::class(class, Load::new(requests / 2, 100.0)).unwrap()
    };
    let mix = Mix {
        sites: vec![
            ("foreground".to_owned(), Box::new(site(foreground))),
            ("background".to_owned(), Box::new(site(background))),
        ],
    };
    mix.generate(1).unwrap()
}

/// Sends the files in their order through both; the first request in which they differ.
fn first_difference(memory_pages: u64, sizes: &[u64], requests: &[u32]) -> Option<String> {
    let pages: Vec<u64> = sizes.iter().map(|it| it.div_ceil(PAGE_BYTES)).collect();
    let mut planned = LinuxPageCache::new(memory_pages, &pages).unwrap();
    let memory_bytes = memory_pages * PAGE_BYTES;
    let mut sent = SentFiles::new(memory_bytes, sizes.to_vec(), Reading::default()).unwrap();
    let mut differ = requests.iter().enumerate().filter_map(|(number, &file)| {
        let (planned, sent) = (planned.read(file), sent.send(file));
        let pages = pages[file as usize];
        (planned != sent).then(|| {
            format!("request {number}, a file of {pages} pages: planned {planned:?}, sent {sent:?}")
        })
    });
    differ.next()
}

/// The experiment's six most telling cells. Memory is what files have on its node of 512 MB.
#[test]
fn paced_cells_of_the_pollution_experiment_read_what_the_planner_says_request_by_request() {
    let cells = [
        (0, 4, 3000),
        (1, 3, 6000),
        (2, 2, 12000),
        (0, 2, 12000),
        (2, 3, 6000),
        (2, 4, 3000),
    ];
    for (foreground, background, requests) in cells {
        let trace = paced_cell(foreground, background, requests);
        let difference = first_difference(125_000, &trace.objects.size, &trace.requests.object);
        assert_eq!(difference, None, "cell {foreground}x{background}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn any_files_in_any_memory_are_read_as_the_planner_says(
        pages in prop::collection::vec(prop_oneof![1u64..40, 1u64..400], 1..40),
        requests in prop::collection::vec(0usize..40, 0..300),
        memory_pages in 128u64..2400,
    ) {
        let sizes: Vec<u64> = pages.iter().map(|it| it * PAGE_BYTES).collect();
        let requests: Vec<u32> = requests.iter().map(|it| (it % sizes.len()) as u32).collect();
        prop_assert_eq!(first_difference(memory_pages, &sizes, &requests), None);
    }
}
