//! Jobs on a mount as its profile has it: what an open drops, what no page cache keeps, and writes that wait until they are sent.

use std::path::Path;

use hotset_models::fio::{JobFile, JobResult, SimulationError, System, simulate};
use hotset_scenario::{CostLine, MeasuredMount, PageKeeping, Profile};

const KEPT_READS: &str = "[a]\nrw=randread\nbs=4k\nsize=4m\ninvalidate=0\n";
const WRITES: &str = "[a]\nrw=randwrite\nbs=4k\nsize=4m\n";

/// From memory in a microsecond; a call takes 300.
fn on(mount: MeasuredMount, jobs: &str) -> Result<JobResult, SimulationError> {
    let line = |fixed_us| CostLine {
        fixed_us,
        bytes_per_us: 8000.0,
    };
    let profile = Profile {
        mount: Some(mount),
        ..Profile::of_lines("mount", line(1.0), line(300.0), "")
    };
    let system = System {
        profile: &profile,
        memory_bytes: Some(1 << 30),
        seed: 7,
    };
    let file = JobFile::parse(jobs, Path::new("jobs.fio")).unwrap();
    Ok(simulate(&file.jobs, &system, &|| true)?.remove(0))
}

fn mount(keeps: PageKeeping, writes_through: bool) -> MeasuredMount {
    MeasuredMount {
        call_us: 300.0,
        keeps,
        writes_through,
    }
}

#[test]
fn a_file_is_in_memory_when_a_job_begins_unless_opening_it_drops_it() {
    let hits = |keeps| {
        let result = on(mount(keeps, false), KEPT_READS).unwrap();
        result.outcome.total.hit_ratio()
    };
    assert_eq!(hits(PageKeeping::Kept), Some(1.0));
    assert_eq!(hits(PageKeeping::UntilOpened), Some(0.0));
}

#[test]
fn each_read_is_a_call_where_no_page_cache_keeps_anything() {
    let twice = "[a]\nrw=read\nbs=64k\nsize=1m\nio_size=2m\n";
    let device_bytes = |keeps| on(mount(keeps, false), twice).unwrap().device_bytes;
    assert_eq!(device_bytes(PageKeeping::Never), 2 << 20);
    let mapped = "[a]\nrw=read\nioengine=mmap\nsize=1m\n";
    let error = on(mount(PageKeeping::Never, false), mapped).unwrap_err();
    let said = error.to_string();
    assert!(said.starts_with("a: maps files"), "{said}");
    assert!(said.contains("the page cache keeps nothing"), "{said}");
    on(mount(PageKeeping::UntilOpened, false), mapped).unwrap();
}

#[test]
fn writes_wait_for_calls_where_they_go_through() {
    let mean_us = |writes_through| {
        let result = on(mount(PageKeeping::Kept, writes_through), WRITES).unwrap();
        result.operations[0].mean_us
    };
    assert!(mean_us(false) < 50.0, "into memory: {}", mean_us(false));
    assert!(mean_us(true) >= 299.0, "by calls: {}", mean_us(true));
}
