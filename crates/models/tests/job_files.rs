//! Job files of fio: what is read, and what is refused in which words.

use std::fs;
use std::path::Path;

use hotset_models::fio::{
    Allocation, Blocks, Engine, Job, JobFile, Mode, OPTIONS, Pattern, SizeShare, ValueKind,
    WriteSync,
};
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
    assert_eq!(first.blocks, Blocks::One(64 << 10));
    assert_eq!(first.size_bytes, 1 << 30);
    assert_eq!(first.pattern, Pattern::RandomAnew);
    assert_eq!(first.engine, Engine::Queue("libaio".to_owned()));
    assert_eq!(first.lanes(), 8);
    assert_eq!(second.blocks, Blocks::One(4096));
    assert_eq!(second.pattern, Pattern::Sequential);
    assert_eq!((second.runtime_us, second.think_us), (Some(5e5), 20.0));
    assert!(second.direct && second.time_based && second.invalidate);
}

#[test]
fn comments_end_lines_as_they_do_for_fio() {
    let file =
        parse("[a] ; one\r\nsize=1m # two\r\nbs=64k;three\r\nfilename=x#y\r\n#; four\r\n").unwrap();
    let [job] = &file.jobs[..] else {
        panic!("{file:?}");
    };
    assert_eq!((job.name.as_str(), job.size_bytes), ("a", 1 << 20));
    assert_eq!(
        (&job.blocks, job.file(0)),
        (&Blocks::One(65536), "x".to_owned())
    );
}

#[test]
fn what_fio_would_fill_in_is_refused_with_what_to_write() {
    let included = refusal("include other.fio\n[a]\nsize=1m\n");
    assert_eq!(
        included,
        "jobs.fio:1: `include other.fio`: other files are not read; put their lines here"
    );
    let variable = refusal("[a]\nsize=${SIZE}\n");
    assert_eq!(
        variable,
        "jobs.fio:2: `size=${SIZE}`: variables are not filled in; write the value"
    );
}

#[test]
fn a_long_line_is_shown_by_its_start() {
    for text in [
        "x".repeat(5000),
        format!("[{}", "y".repeat(5000)),
        format!("[a]\nbs={}", "z".repeat(5000)),
    ] {
        let refusal = refusal(&text);
        assert!(
            refusal.chars().count() < 700 && refusal.contains('…'),
            "{refusal}"
        );
    }
}

#[test]
fn files_are_named_as_fio_names_them() {
    let file = parse("[a]\nsize=1m\nnumjobs=2\n[b]\nsize=1m\nfilename=x\ndirectory=d/\n").unwrap();
    assert_eq!(file.jobs[0].file(1), "a.1.0");
    assert_eq!(file.jobs[1].file(0), "d/x");
}

#[test]
fn several_sizes_have_the_shares_that_fio_gives_them() {
    let blocks = |line: &str| {
        let text = format!("[a]\nsize=1m\n{line}\n");
        parse(&text).expect(line).jobs.remove(0).blocks
    };
    let share = |bytes, percent| SizeShare { bytes, percent };
    assert_eq!(
        blocks("bssplit=64k/70:4k/30,512/100"),
        Blocks::Split(vec![share(4096, 30), share(65536, 70)]),
        "what comes first is of reads; in order of shares"
    );
    assert_eq!(
        blocks("bssplit=4k/50:8k:16k/"),
        Blocks::Split(vec![share(8192, 25), share(16384, 25), share(4096, 50)]),
        "the others share what is left"
    );
    assert_eq!(blocks("bsrange=4k-64k,1k-2k"), Blocks::Range(4096, 65536));
    assert_eq!(blocks("bsrange=4k:4k"), Blocks::One(4096));
}

#[test]
fn one_size_gives_way_to_several_wherever_they_are_told() {
    let blocks = |text: &str| parse(text).expect(text).jobs.remove(0).blocks;
    let range = Blocks::Range(4096, 65536);
    assert_eq!(blocks("[a]\nsize=1m\nbsrange=4k-64k\nbs=8k\n"), range);
    assert_eq!(blocks("[a]\nsize=1m\nbs=8k\nbsrange=4k-64k\n"), range);
    assert_eq!(
        blocks("[global]\nbsrange=4k-64k\n[a]\nsize=1m\nbs=8k\n"),
        range
    );
    let split = blocks("[global]\nbssplit=4k/50:64k/50\n[a]\nsize=1m\nblocksize=8k\n");
    assert!(matches!(split, Blocks::Split(_)), "{split:?}");
    let same = blocks("[a]\nsize=1m\nbsrange=4k-4k\nbs=8k\n");
    assert_eq!(same, Blocks::One(4096));
    assert!(refusal("[a]\nsize=1m\nbsrange=4k-64k\nbs=x\n").contains("write bytes"));
}

#[test]
fn modes_that_write_are_read_with_what_syncs_their_files() {
    let text = "[a]\nrw=randrw\nrwmixread=30\nsize=1m\nfsync=8\n[b]\nreadwrite=write\nsize=1m\nend_fsync\nfsync_on_close=1\n\
                [c]\nrw=rw\nsize=1m\nfsync=0\n[d]\nsize=1m\n";
    let jobs = parse(text).unwrap().jobs;
    let of = |job: &Job| (job.mode, job.pattern, job.sync_every);
    assert_eq!(of(&jobs[0]), (Mode::Both, Pattern::Random, Some(8)));
    assert_eq!(jobs[0].read_percent, 30);
    assert_eq!(of(&jobs[1]), (Mode::Writes, Pattern::Sequential, None));
    assert!(jobs[1].syncs_at_end && jobs[1].syncs_on_close);
    assert_eq!(of(&jobs[2]), (Mode::Both, Pattern::Sequential, None));
    assert_eq!(of(&jobs[3]), (Mode::Reads, Pattern::Sequential, None));
    let written: String = jobs.iter().map(Job::to_fio).collect();
    assert_eq!(
        parse(&written)
            .unwrap()
            .jobs
            .iter()
            .map(of)
            .collect::<Vec<_>>(),
        jobs.iter().map(of).collect::<Vec<_>>()
    );
}

#[test]
fn what_syncs_writes_and_makes_files_is_read_as_fio_writes_it() {
    let text = "[a]\nrw=write\nsize=1m\nsync=1\nfallocate=0\nfdatasync=4\n\
                [b]\nrw=write\nsize=1m\nsync=dsync\nfallocate=keep\nsync_file_range=wait_before,write:8\ncreate_fsync=0\nwrite_barrier=2\n\
                [c]\nrw=randwrite\nsize=1m\nsync=0\noverwrite\ndirect=1\nioengine=libaio\niodepth=8\nbs=512\nsync_file_range=wait_after\n\
                [d]\nrw=write\nsize=1m\nsync=none\ncreate_on_open=1\n";
    let jobs = parse(text).unwrap().jobs;
    let of = |job: &Job| (job.write_sync, job.allocation, job.data_sync_every);
    assert_eq!(of(&jobs[0]), (WriteSync::All, Allocation::None, Some(4)));
    assert_eq!(of(&jobs[1]), (WriteSync::Data, Allocation::Keep, None));
    assert_eq!(of(&jobs[2]), (WriteSync::None, Allocation::Native, None));
    let sync = jobs[1].range_sync.unwrap();
    assert_eq!(sync.every, 8);
    assert!(sync.pages.waits_before && sync.pages.hands_over && !sync.pages.waits_after);
    assert_eq!(jobs[2].range_sync.unwrap().every, 1);
    let found: Vec<bool> = jobs.iter().map(Job::finds_its_files).collect();
    assert_eq!(found, [false, false, true, false]);
    assert_eq!(jobs[2].lanes(), 8);
    let written: String = jobs.iter().map(Job::to_fio).collect();
    let again = parse(&written).unwrap().jobs;
    let texts: Vec<String> = again.iter().map(Job::to_fio).collect();
    assert_eq!(texts.concat(), written);
    assert_eq!(
        again.iter().map(of).collect::<Vec<_>>(),
        jobs.iter().map(of).collect::<Vec<_>>()
    );
}

#[test]
fn a_number_behind_the_mode_is_read_and_written() {
    let of = |mode: &str| {
        let text = format!("[a]\nrw={mode}\nsize=1m\n");
        let job = parse(&text).unwrap().jobs.remove(0);
        let again = parse(&job.to_fio()).unwrap().jobs.remove(0);
        assert_eq!(again.to_fio(), job.to_fio());
        (job.pattern, job.in_row, job.hole_bytes)
    };
    assert_eq!(of("write:4k"), (Pattern::Sequential, 1, 4096));
    assert_eq!(of("randrw:8"), (Pattern::Random, 8, 0));
    assert_eq!(of("read"), (Pattern::Sequential, 1, 0));
}

#[test]
fn of_both_shares_the_one_said_last_counts() {
    let share = |lines: &str| {
        let text = format!("[a]\nrw=randrw\nsize=1m\n{lines}");
        parse(&text).unwrap().jobs[0].read_percent
    };
    assert_eq!(share("rwmixwrite=30\n"), 70);
    assert_eq!(share("rwmixread=10\nrwmixwrite=30\n"), 70);
    assert_eq!(share("rwmixwrite=30\nrwmixread=10\n"), 10);
    assert_eq!(share("rwmixwrite=100\n"), 0);
    assert_eq!(share(""), 50);
}

#[test]
fn a_job_that_appends_begins_where_its_file_ends_when_fio_starts() {
    let begins = |first: &str| {
        let text = format!(
            "[a]\nrw=write\nsize=64k\nfilename=x\n{first}[b]\nrw=write\nsize=8k\nfilename=x\nfile_append=1\n\
             [c]\nrw=write\nsize=8k\nfilename=x\nfile_append=1\n[d]\nrw=write\nsize=8k\nfile_append=1\n"
        );
        let jobs = parse(&text).unwrap().jobs;
        jobs.iter().map(|it| it.offset_bytes).collect::<Vec<_>>()
    };
    assert_eq!(begins(""), [0, 65536, 73728, 0]);
    assert_eq!(begins("overwrite=1\n"), [0, 65536, 73728, 0]);
    assert_eq!(begins("fallocate=truncate\n"), [0, 65536, 73728, 0]);
    // Nothing is there yet when fio looks.
    assert_eq!(begins("fallocate=none\n"), [0, 0, 8192, 0]);
    assert_eq!(begins("fallocate=keep\n"), [0, 0, 8192, 0]);
}

#[test]
fn trimming_jobs_are_told_apart_whatever_else_they_say() {
    let text = "[t]\nrw=randtrim\nsync=1\nsize=1g\n[r]\nrw=read\nsize=1m\n[w]\nrw=write\nsize=1m\n";
    let file = JobFile::parse_without_trims(text, Path::new("jobs.fio")).unwrap();
    assert_eq!(file.jobs.len(), 2);
    assert_eq!(
        (file.trimming[0].line, file.trimming[0].mode.as_str()),
        (2, "randtrim")
    );
}

#[test]
fn each_refusal_names_line_option_and_what_mends_it() {
    for (text, says) in [
        (
            "[a]\nsize=1m\nbssplit=4k/60:8k/50\n",
            "jobs.fio:3: `bssplit=4k/60:8k/50`: the shares are more than 100 percent together",
        ),
        (
            "[a]\nsize=1m\nbssplit=4k/100:8k\n",
            "nothing is left for the sizes without a share",
        ),
        ("[a]\nsize=1m\nbssplit=:\n", "write 1 to 64 sizes"),
        (
            "[a]\nsize=1m\nbssplit=4k/x\n",
            "write shares in whole percent",
        ),
        (
            "[a]\nsize=1m\nbsrange=64k-4k\n",
            "write the least and the most, such as 4k-64k",
        ),
        (
            "[a]\nsize=1m\nrate=1m\nrate_iops=10\n",
            "`[a]`: rate and rate_iops exclude each other",
        ),
        (
            "[a]\nsize=1m\nstartdelay=1-5\n",
            "one drawn from a range is not modelled",
        ),
        (
            "[a]\nsize=1m\nrw=randtrim\n",
            "jobs.fio:3: `rw=randtrim`: trims, which is not modelled; write read, randread, write, randwrite, rw or randrw",
        ),
        ("[a]\nsize=1m\nrw=trimwrite\n", "`rw=trimwrite`: trims"),
        (
            "[a]\nsize=1m\nrw=write\nsync=2\n",
            "jobs.fio:4: `sync=2`: write none, sync or dsync",
        ),
        (
            "[a]\nsize=1m\nrw=write\nfallocate=some\n",
            "write none, native, posix, keep or truncate",
        ),
        (
            "[a]\nsize=1m\nrw=write\nsync_file_range=read:8\n",
            "`sync_file_range=read:8`: write wait_before, write or wait_after",
        ),
        (
            "[a]\nsize=1m\nrw=write\nsync_file_range=write:0\n",
            "write a whole number from 1",
        ),
        (
            "[a]\nsize=1m\nfdatasync=1\n",
            "change nothing where nothing is written",
        ),
        (
            "[a]\nsize=1m\nrw=randrw\nfile_append=1\n",
            "`[a]`: file_append=1 with a mode that reads is not modelled",
        ),
        (
            "[a]\nsize=1m\nrw=write\nfile_append=1\nloops=2\n",
            "`[a]`: file_append=1 with loops or time_based",
        ),
        (
            "[a]\nsize=1m\nrw=write\nfile_append=1\nfilename=x\nnumjobs=2\n",
            "`[a]`: file_append=1 with filename and numjobs",
        ),
        (
            "[a]\nsize=1000\nbs=500\nrw=write\nfilename=x\n[b]\nsize=1m\nrw=write\nfilename=x\nfile_append=1\ndirect=1\n",
            "jobs.fio:6: `[b]`: file_append=1 with direct=1 needs a file that ends with a whole sector",
        ),
        (
            "[a]\nsize=1m\nrw=read\ncreate_on_open=1\n",
            "`[a]`: create_on_open=1 with a mode that reads",
        ),
        (
            "[a]\nsize=1m\nrw=write\nbs=100\ndirect=1\n",
            "direct=1 needs a bs and an offset of whole sectors",
        ),
        (
            "[a]\nsize=1m\nfsync=1\n",
            "change nothing where nothing is written",
        ),
        (
            "[a]\nsize=1m\nrw=randrw\nbssplit=4k/50:8k/50,64k/100\n",
            "a value for each direction is not modelled",
        ),
        (
            "[a]\nsize=1m\nrw=randwrite\nrandom_distribution=zoned:60/10:40/90,50/50:50/50\n",
            "`[a]`: a value for each direction is not modelled for modes that write",
        ),
        (
            "[a]\nsize=1m\niodepht=4\n",
            "jobs.fio:3: `iodepht=4`: is not known; did you mean iodepth?",
        ),
        (
            "[a]\nsize=1m\nqqqq=4\n",
            "is not known; options that are modelled: rw, rwmixread, ",
        ),
        (
            "[a]\nsize=4kib\n",
            "`size=4kib`: fio takes this for a power of 1000; write 4k",
        ),
        ("[a]\nsize=50%\n", "write bytes"),
        ("[a]\nsize=99t\n", "is more than 16 TiB"),
        ("[a]\nsize=18446744073709551615t\n", "is more than 16 TiB"),
        (
            "[a]\nsize=1m\nioengine=posixaio\n",
            "`ioengine=posixaio`: is not modelled; write one of sync",
        ),
        (
            "[a]\nsize=1m\nioengine=splice\n",
            "`ioengine=splice`: is not modelled: fio opens its files with O_DIRECT",
        ),
        (
            "[a]\nsize=1m\nioengine=mmap\ndirect=1\n",
            "ioengine=mmap with direct=1",
        ),
        (
            "[a]\nioengine=mmap\nread_iolog=served.log\n",
            "ioengine=mmap with read_iolog is not modelled",
        ),
        (
            "[a]\nread_iolog=served.log\nnumjobs=2\n",
            "`[a]`: read_iolog and numjobs together are not modelled: fio has the other processes read the first file alone; \
             write a job for each process",
        ),
        (
            "[a]\nsize=1m\nnrfiles=4\n",
            "jobs.fio:3: `nrfiles=4`: a process reads one file; take it out, and give numjobs",
        ),
        (
            "[a]\nsize=1m\nfile_service_type=random\n",
            "jobs.fio:3: `file_service_type=random`: a process reads one file, so there is none to choose; take it out",
        ),
        ("[a]\nsize=1m\nrw=reads:8\n", "write read, randread, write"),
        (
            "[a]\nsize=1m\nrw=read:-8k\n",
            "`rw=read:-8k`: going back by -8k is not modelled; write read",
        ),
        (
            "[a]\nsize=1m\nrw=randwrite:0\n",
            "write a whole number from 1",
        ),
        ("[a]\nsize=1m\nrw=randtrim:8\n", "`rw=randtrim:8`: trims"),
        (
            "[a]\nsize=1m\nrandom_distribution=zipf:1\n",
            "the exponent must be from 0.001 to 10, and not 1",
        ),
        (
            "[a]\nsize=1m\nrandom_distribution=pareto:1.5\n",
            "the share must be above 0 and below 1",
        ),
        (
            "[a]\nsize=1m\nrandom_distribution=normal:100\n",
            "the deviation must be from 0 to below 100",
        ),
        (
            "[a]\nsize=1m\nrandom_distribution=zipf:1.1:2\n",
            "the centre must be from 0 to 1",
        ),
        (
            "[a]\nsize=1m\nrandom_distribution=zoned:60/10:40/80\n",
            "each adds up to 100",
        ),
        (
            "[a]\nrw=randread\nsize=1m\nrandom_distribution=zoned_abs:60/1m:40/1m\n",
            "zones behind the end of size",
        ),
        (
            "[a]\nsize=1m\nrandom_distribution=cauchy\n",
            "write random, zipf:1.1",
        ),
        (
            "[a]\nrw=randread\nbs=12k\nsize=1m\nrandom_distribution=zipf\n",
            "`[a]`: random_distribution needs a size of whole blocks",
        ),
        (
            "[a]\nsize=1m\npercentage_random=101\n",
            "write a whole number from 0 to 100",
        ),
        (
            "[a]\nsize=1m\nnumjobs=0\n",
            "write a whole number from 1 to 4096",
        ),
        (
            "[a]\nsize=1m\nioengine=libaio\niodepth=4\nthinktime=1\n",
            "jobs.fio:1: `[a]`: thinktime with an iodepth above 1 is not modelled",
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
        (
            "[global]\nsize=1m\nnumjobs=4096\n[a]\n[b]\n",
            "jobs.fio:5: `[b]`: is more than the 4096 processes that fio has in all",
        ),
        (
            "[a]\nsize=1m\ndirect=1\nioengine=io_uring\niodepth=65536\nnumjobs=17\n",
            "`[a]`: has more than 1048576 reads at the same time",
        ),
        (
            "[a]\nsize=1t\nbs=2g\n",
            "is more than the 2147479552 bytes that a call reads",
        ),
        (
            "[a]\nsize=1g\nbs=1g\ndirect=1\nioengine=libaio\niodepth=65\n",
            "has more than 64 GiB under way at the same time",
        ),
        ("[a]\nsize=1m\nfilename=..\n", "write the name of a file"),
        ("[a\n", "write a section as [name]"),
        ("", "jobs.fio:1: has no job"),
        ("[a]\nsize=1m\nsize\n", "`size`: needs a value"),
    ] {
        let message = refusal(text);
        assert!(message.contains(says), "{text:?}: {message}");
    }
}

#[test]
fn more_sections_than_fio_takes_are_refused() {
    let sections = |count: usize| -> String { (0..count).map(|it| format!("[{it}]\n")).collect() };
    let text = format!("[global]\nsize=1m\n{}", sections(4097));
    assert!(refusal(&text).contains("jobs.fio:4099: `[4096]`: is more than the 4096 jobs"));
    let text = format!("[global]\nsize=1m\n{}", sections(4096));
    assert_eq!(parse(&text).unwrap().jobs.len(), 4096);
}

#[test]
fn a_file_without_end_is_refused() {
    let error = JobFile::load(Path::new("/dev/zero")).unwrap_err();
    assert!(
        error.to_string().contains("is longer than a job file"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = JobFile::load(Path::new("nowhere.fio")).unwrap_err();
    assert!(error.to_string().starts_with("nowhere.fio: "), "{error}");
}

/// The table of options in the book.
fn options_table() -> String {
    let code = |text: &str| format!("`{text}`");
    let rows = OPTIONS.iter().map(|option| {
        let alias = option
            .alias
            .map_or(String::new(), |it| format!(", {}", code(it)));
        let (value, default) = match option.value {
            ValueKind::Flag => ("0 or 1; alone, 1", option.default),
            ValueKind::Words(words) => (words, option.default),
            ValueKind::Any => ("any", option.default),
        };
        let default = default.map_or(String::new(), code);
        let (name, meaning) = (code(option.name), option.meaning);
        format!("| {name}{alias} | {value} | {default} | {meaning} |\n")
    });
    rows.collect()
}

#[test]
fn the_table_in_the_book_is_that_of_the_options() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/how-to/simulate-fio.md");
    let book = fs::read_to_string(&page).unwrap();
    let head = "| option | value | default | what it says |\n| --- | --- | --- | --- |\n";
    let (before, rest) = book.split_once(head).expect("a table of options");
    let (_, after) = rest.split_once("\n### ").expect("a section behind it");
    let expected = format!("{before}{head}{}\n### {after}", options_table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(&page, &expected).unwrap();
    }
    assert!(
        book == expected,
        "the options in docs/how-to/simulate-fio.md are not those that are modelled: run \
         `UPDATE_DOCS=1 cargo test -p hotset-models job_files`"
    );
}

#[test]
fn an_option_at_its_default_changes_nothing() {
    let job = |line: &str| {
        parse(&format!("[a]\nsize=1g\n{line}\n"))
            .unwrap()
            .jobs
            .remove(0)
    };
    let plain = job("");
    for option in OPTIONS {
        let Some(default) = option.default else {
            continue;
        };
        for name in [Some(option.name), option.alias].into_iter().flatten() {
            assert_eq!(job(&format!("{name}={default}")), plain, "{name}");
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_for_fio_is_read_as_the_same_job(
        random in any::<bool>(), block in 1u64..100, blocks in 1u64..1000, threads in 1u32..9, loops in 1u32..5,
        invalidate in any::<bool>(), think in 0u32..1000, rate in proptest::option::of(1u64..1_000_000_000),
        delay in 0u32..9, sizes in 0usize..3, distribution in 0usize..5, percent in 0u32..101,
    ) {
        let rate = rate.map_or_else(String::new, |rate| format!("rate={rate}\n"));
        let bytes = block * 512;
        let sizes = [format!("bs={bytes}"), format!("bsrange={bytes}-{}", 8 * bytes), format!("bssplit={bytes}/30:1m/70")]
            [sizes].clone();
        let distribution = ["random", "zipf:0.9:0.25", "pareto:0.2", "normal:7.5", "zoned:90/10:10/90"][distribution];
        let text = format!(
            "[job]\nrandom_distribution={distribution}\npercentage_random={percent}\nrw={}\n{sizes}\nsize={}\nnumjobs={threads}\nloops={loops}\ninvalidate={}\nthinktime={think}us\n\
             startdelay={delay}\n{rate}",
            if random { "randread" } else { "read" }, bytes * blocks, u8::from(invalidate),
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
