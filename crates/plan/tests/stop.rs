//! Planning that is asked to end.

use std::thread;
use std::time::Duration;

use crate::support::Case;
use hotset_cache::Stop;
use hotset_plan::{PageCacheModel, PlanError, PlanOptions, SiteTerms};

/// Two sites, one with a priority, and groups: every way of using the memory is tried.
fn case() -> Case {
    let accesses = (0..4000u32).map(|index| index * index % 97).collect();
    let mut case = Case::one_site(accesses, (0..97).map(|file| 3000 + 900 * file).collect());
    case.sites = vec!["shop".to_owned(), "blog".to_owned()];
    case.site_of_object = (0..97).map(|file| file % 2).collect();
    case
}

fn asked(page_cache: PageCacheModel, stop: &Stop) -> PlanOptions {
    let weighted = SiteTerms {
        weight: 3.0,
        ..SiteTerms::default()
    };
    PlanOptions {
        terms: vec![weighted, SiteTerms::default()],
        groups: true,
        page_cache,
        stop: Some(stop.clone()),
        ..PlanOptions::new(600 * 4096)
    }
}

#[test]
fn planning_that_is_asked_to_end_before_it_begins_makes_no_plan() {
    let stop = Stop::default();
    stop.ask();
    let options = asked(PageCacheModel::Linux, &stop);
    assert_eq!(case().plan(&options).err(), Some(PlanError::Interrupted));
}

#[test]
fn planning_that_is_asked_to_end_at_any_time_ends_or_gives_the_whole_plan() {
    for page_cache in [PageCacheModel::Linux, PageCacheModel::WholeFiles] {
        let whole = case().plan(&asked(page_cache, &Stop::default()));
        let whole = format!("{:?}", whole.expect("a plan").total);
        let mut interrupted = 0;
        for microseconds in (0..40).map(|step| step * step * 40) {
            let stop = Stop::default();
            let options = asked(page_cache, &stop);
            let planned = thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(Duration::from_micros(microseconds));
                    stop.ask();
                });
                case().plan(&options)
            });
            match planned {
                Ok(plan) => assert_eq!(format!("{:?}", plan.total), whole),
                Err(error) => {
                    assert_eq!(error, PlanError::Interrupted);
                    interrupted += 1;
                }
            }
        }
        assert!(interrupted > 0, "no plan was ended");
    }
}
