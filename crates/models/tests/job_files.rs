//! Job files of fio: what is read, and what is refused in which words.

use std::path::Path;

use hotset_models::fio::{Engine, Job, JobFile, Pattern};
use proptest::prelude::*;

fn parse(text: &str) -> Result<JobFile, String> {
    JobFile::parse(text, Path::new("jobs.fio")).map_err(|error| error.to_string())
}

#[track_caller]
fn refusal(text: &str) -> String {
    parse(text).expect_err(text)
}

#[test]
fn a_job_takes_what_global_says_before_it() {
    let file = parse(
        "; reads\n[global]\nbs=64k\nsize=1G\ndirect=1\nnorandommap\n\n[first]\nrw=randread\nioengine=libaio\niodepth=8\n\
         # later\n[global]\nbs=4k\n[second]\nrw=read\ntime_based\nruntime=500ms\nthinktime=20\nramp_time=1s\n",
    )
    .unwrap();
    let [first, second] = &file.jobs[..] else {
        panic!("{file:?}");
    };
    assert_eq!((first.block_bytes, first.size_bytes), (64 << 10, 1 << 30));
    assert_eq!(first.pattern, Pattern::RandomAnew);
    assert_eq!(first.engine, Engine::Queue("libaio".to_owned()));
    assert_eq!(first.lanes(), 8);
    assert_eq!(second.block_bytes, 4096);
    assert_eq!(second.pattern, Pattern::Sequential);
    assert_eq!((second.runtime_us, second.think_us), (Some(5e5), 20.0));
    assert!(second.direct && second.time_based && second.invalidate);
}

#[test]
fn files_are_named_as_fio_names_them() {
    let file = parse("[a]\nsize=1m\nnumjobs=2\n[b]\nsize=1m\nfilename=x\ndirectory=d/\n").unwrap();
    assert_eq!(file.jobs[0].file(1), "a.1.0");
    assert_eq!(file.jobs[1].file(0), "d/x");
}

#[test]
fn writing_jobs_are_told_apart_whatever_else_they_say() {
    let file = parse("[w]\nrw=randwrite\nfsync=1\nsize=1g\n[r]\nrw=read\nsize=1m\n").unwrap();
    assert_eq!(file.jobs.len(), 1);
    assert_eq!(
        (file.writing[0].line, file.writing[0].mode.as_str()),
        (2, "randwrite")
    );
}

#[test]
fn each_refusal_names_line_option_and_what_mends_it() {
    for (text, says) in [
        (
            "[a]\nsize=1m\nbssplit=4k/50:8k/50\n",
            "jobs.fio:3: `bssplit=4k/50:8k/50`: blocks of several sizes are not modelled",
        ),
        (
            "[a]\nsize=1m\nfsync=1\n",
            "jobs.fio:3: `fsync=1`: writing is not modelled yet",
        ),
        (
            "[a]\nsize=1m\niodepht=4\n",
            "jobs.fio:3: `iodepht=4`: is not known; did you mean iodepth?",
        ),
        (
            "[a]\nsize=1m\nqqqq=4\n",
            "is not known; options that are modelled: rw, bs",
        ),
        (
            "[a]\nsize=4kib\n",
            "`size=4kib`: fio takes this for a power of 1000; write 4k",
        ),
        ("[a]\nsize=50%\n", "write bytes"),
        ("[a]\nsize=99t\n", "is more than 16 TiB"),
        ("[a]\nsize=18446744073709551615t\n", "is more than 16 TiB"),
        (
            "[a]\nsize=1m\nioengine=mmap\n",
            "`ioengine=mmap`: is not modelled; write one of sync",
        ),
        ("[a]\nsize=1m\nrw=read:8\n", "write read or randread"),
        (
            "[a]\nsize=1m\nrandom_distribution=zipf:1.2\n",
            "only random is modelled",
        ),
        (
            "[a]\nsize=1m\nnumjobs=0\n",
            "write a whole number from 1 to 4096",
        ),
        (
            "[a]\nsize=1m\nioengine=io_uring\niodepth=4\n",
            "jobs.fio:1: `[a]`: an iodepth above 1 through the page cache",
        ),
        ("[a]\nsize=1m\ntime_based\n", "time_based needs a runtime"),
        ("[a]\nsize=4k\nbs=8k\n", "bs is larger than size"),
        (
            "[a]\nrw=read\n",
            "`[a]`: has no size; write one, such as size=1g",
        ),
        (
            "[a]\nsize=1m\n[a]\nsize=1m\n",
            "jobs.fio:3: `[a]`: is the name of another job",
        ),
        (
            "size=1m\n",
            "jobs.fio:1: `size=1m`: stands before the first section",
        ),
        ("[a\n", "write a section as [name]"),
        ("", "jobs.fio:1: has no job"),
        ("[a]\nsize=1m\nsize\n", "`size`: needs a value"),
    ] {
        let message = refusal(text);
        assert!(message.contains(says), "{text:?}: {message}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = JobFile::load(Path::new("nowhere.fio")).unwrap_err();
    assert!(error.to_string().starts_with("nowhere.fio: "), "{error}");
}

proptest! {
    #[test]
    fn what_is_written_for_fio_is_read_as_the_same_job(
        random in any::<bool>(), block in 1u64..100, blocks in 1u64..1000, threads in 1u32..9, loops in 1u32..5,
        invalidate in any::<bool>(), think in 0u32..1000, rate in proptest::option::of(1u64..1_000_000_000),
    ) {
        let rate = rate.map_or_else(String::new, |rate| format!("rate={rate}\n"));
        let text = format!(
            "[job]\nrw={}\nbs={}\nsize={}\nnumjobs={threads}\nloops={loops}\ninvalidate={}\nthinktime={think}us\n{rate}",
            if random { "randread" } else { "read" }, block * 512, block * 512 * blocks, u8::from(invalidate),
        );
        let jobs = parse(&text).unwrap().jobs;
        let written: String = jobs.iter().map(Job::to_fio).collect();
        let again = parse(&written).unwrap().jobs;
        prop_assert_eq!(again.len(), 1);
        prop_assert_eq!(again[0].to_fio(), written);
    }

    #[test]
    fn no_text_makes_it_panic(text in "(\\[?[a-z_]{0,9}\\]?=?[0-9a-z%:]{0,9}\n){0,9}") {
        let _read_or_refused = parse(&text);
    }
}
