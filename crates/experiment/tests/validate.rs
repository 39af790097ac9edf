//! Simulated jobs beside fio itself: figures of both, and what is refused before fio is started.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use hotset_experiment::validate::{Accuracy, Validation};
use hotset_experiment::{Deviation, FioError, Metric};
use hotset_machine::Directories;
use hotset_machine::mount::{mount, mount_read_only, unmount_when_free};
use hotset_models::fio::{JobFile, Operation};
use hotset_scenario::Profile;
use hotset_test_support::skip;
use rustix::fs::statvfs;
use tempfile::TempDir;

fn has_fio() -> bool {
    let has_fio = Command::new("fio").arg("--version").output().is_ok();
    if !has_fio {
        skip("fio is not installed");
    }
    has_fio
}

/// Jobs, a folder on the file system that they are run on, and a profile.
struct Prepared {
    files: Vec<(PathBuf, JobFile)>,
    profile: Profile,
    folder: TempDir,
}

impl Prepared {
    fn new(jobs: &str) -> Self {
        Self::with("ssd", &[("jobs.fio", jobs)])
    }

    /// The first of the files has the jobs; `FOLDER` in a text is where the files are.
    fn with(profile: &str, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let text = text.replace("FOLDER", &folder.path().display().to_string());
            fs::write(folder.path().join(name), text).expect("it takes files");
        }
        fs::create_dir(folder.path().join("store")).expect("it takes folders");
        let path = folder.path().join("jobs.fio");
        let jobs = JobFile::load_without_trims(&path).expect("a job file");
        Self {
            files: vec![(path, jobs)],
            profile: Profile::named_or_file(profile).expect("a profile"),
            folder,
        }
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    fn validation<'p>(&'p self, directory: &'p Path) -> Validation<'p> {
        Validation {
            files: &self.files,
            directory,
            profile: &self.profile,
            traces: None,
            seed: 0,
        }
    }

    fn run_in_store(&self) -> Result<Accuracy, FioError> {
        let validated = self.validation(&self.store()).run(&|_| true);
        assert!(self.store_is_empty());
        validated
    }

    fn validated(&self) -> Accuracy {
        self.run_in_store().expect("nothing is in its way")
    }

    fn store_is_empty(&self) -> bool {
        fs::read_dir(self.store()).expect("a folder").count() == 0
    }
}

fn of<'v>(deviations: &'v [Deviation], subject: &str, metric: Metric) -> &'v Deviation {
    let mut own = deviations.iter();
    let found = own.find(|it| it.subject == subject && it.metric == metric);
    found.expect("a figure")
}

#[test]
fn medians_lie_in_their_ranges_and_trimming_jobs_are_left_out() {
    if !has_fio() {
        return;
    }
    let jobs = "[scan]\nrw=read\nbs=64k\nsize=4m\n[look]\nstonewall\nrw=randread\nsize=1m\n\
                [t]\nrw=trim\nsize=1m\n";
    let validated = Prepared::new(jobs).validated();
    assert_eq!(validated.cells.len(), 6);
    assert_eq!(validated.mount, None, "a folder of this machine");
    assert_eq!(validated.skipped[0].mode, "trim");
    for cell in &validated.cells {
        let Deviation {
            low,
            measured,
            high,
            ..
        } = *cell;
        assert!(0.0 < low && low <= measured && measured <= high, "{cell:?}");
        assert!(cell.simulated > 0.0, "{cell:?}");
    }
    let [device] = &validated.device[..] else {
        panic!("{:?}", validated.device)
    };
    assert_eq!(device.metric, Metric::DeviceBytes);
    assert_eq!(device.whole, 5.0 * 1_048_576.0);
    // A file system without a device, such as the one of a container's temporary folder, reads nothing from it.
    assert!(
        (0.0..8.0 * 1_048_576.0).contains(&device.measured),
        "{device:?}"
    );
}

#[test]
fn mapped_files_are_read_by_fio_and_simulated_with_advice_and_without() {
    if !has_fio() {
        return;
    }
    let jobs = "[global]\nioengine=mmap\nrw=randread\nsize=4m\nstonewall\n\
                [advised]\nfilename=one\n[unadvised]\nfilename=two\nfadvise_hint=0\nio_size=1m\n";
    let validated = Prepared::new(jobs).validated();
    assert_eq!(validated.cells.len(), 6);
    for cell in &validated.cells {
        assert!(cell.measured > 0.0 && cell.simulated > 0.0, "{cell:?}");
    }
}

#[test]
fn logs_of_reads_are_replayed_by_fio_on_files_made_for_them() {
    if !has_fio() {
        return;
    }
    let jobs = "[a]\nread_iolog=FOLDER/served.log\ndirectory=/srv/nowhere\n";
    let log = "fio version 3 iolog\n0 /a/b add\n0 %x add\n5 /a/b open\n9 %x open\n20 /a/b read 8192 4096\n\
               30 %x write 0 512\n90 %x read 0 1000\n";
    let prepared = Prepared::with("ssd", &[("jobs.fio", jobs), ("served.log", log)]);
    let validated = prepared.validated();
    assert_eq!(validated.cells.len(), 6, "of reads and of writes");
    assert_eq!(validated.device[0].whole, 5096.0);
}

#[test]
fn what_does_not_fit_or_lies_elsewhere_is_refused_before_anything_is_written() {
    if !has_fio() {
        return;
    }
    for (jobs, on, says) in [
        ("[a]\nsize=15t\nbs=1m\n", "store", "the jobs need"),
        (
            "[a]\nsize=1m\nfilename=/etc/passwd\n",
            "store",
            "jobs.fio:1: `[a]` reads /etc/passwd",
        ),
        (
            "[a]\nsize=1m\nrw=write\nfilename=/dev/sda\n",
            "store",
            "jobs.fio:1: `[a]` writes /dev/sda",
        ),
        ("[a]\nsize=1m\n", "nowhere", "is not a folder"),
    ] {
        let prepared = Prepared::new(jobs);
        let directory = prepared.folder.path().join(on);
        let refused = prepared.validation(&directory).run(&|_| true);
        let message = refused.expect_err(says).to_string();
        assert!(message.contains(says), "{message}");
        assert!(prepared.store_is_empty());
    }
}

#[test]
fn a_file_that_processes_share_needs_room_once() {
    if !has_fio() {
        return;
    }
    let found = statvfs(std::env::temp_dir().as_path()).expect("a file system");
    let size = found.f_bavail * found.f_frsize / 1000;
    // If each had one of its own, they would need four times what is free.
    let jobs = format!("[a]\nsize={size}\nfilename=x\nnumjobs=4000\n");
    let prepared = Prepared::new(&jobs);
    let checked = prepared.validation(&prepared.store()).check();
    checked.expect("one file fits");
    assert!(prepared.store_is_empty());
}

#[test]
fn jobs_that_the_model_refuses_are_refused_before_fio_is_started() {
    if !has_fio() {
        return;
    }
    let device = "[device]\nkind = 'drive'\ntrack_to_track_us = 800\naverage_seek_us = 8500\n\
                  revolutions_per_minute = 7200\nbytes_per_s = 39000000\nread_ahead_bytes = 0\ncapacity_bytes = '600K'\n\
                  queue = 'fifo'\nmax_request_bytes = 4096\n";
    let lines = "open_us = 1\nsource = 'made up'\n[cached]\nfixed_us = 1\nbytes_per_us = 1000\n\
                 [uncached]\nfixed_us = 100\nbytes_per_us = 100\n";
    let mut prepared = Prepared::new("[a]\nsize=64m\n");
    let small = prepared.folder.path().join("small.toml");
    fs::write(&small, lines.to_owned() + device).expect("it takes files");
    prepared.profile = Profile::named_or_file(small.to_str().expect("UTF-8")).expect("a profile");
    // What a killed validation left is in nobody's way.
    for left in [".validate.hotset-aB3dE9", ".probe.hotset-aB3dE9"] {
        fs::create_dir(prepared.store().join(left)).expect("it takes folders");
    }
    let message = prepared.run_in_store().expect_err("a small device");
    let message = message.to_string();
    let wanted = "the jobs' files take 65536 KiB, and the profile's device has 600 KiB";
    assert!(message.contains(wanted), "{message}");
}

#[test]
fn a_job_that_ends_within_its_ramp_time_has_no_figures() {
    if !has_fio() {
        return;
    }
    let refused = Prepared::new("[a]\nsize=1m\nramp_time=2\n").run_in_store();
    let message = refused.expect_err("no figures").to_string();
    assert!(
        message.contains("a job of which nothing was counted"),
        "{message}"
    );
}

#[test]
fn jobs_may_have_files_of_any_name() {
    if !has_fio() {
        return;
    }
    let jobs = "[global]\nsize=1m\nstonewall\n[one]\nfilename=result.json\n[two]\nfilename=0.json\n\
                [three]\nfilename=-x\n";
    assert_eq!(Prepared::new(jobs).validated().cells.len(), 9);
}

#[test]
fn reads_that_found_all_in_memory_are_told_from_those_that_waited() {
    if !has_fio() {
        return;
    }
    let jobs = "[global]\nrw=randread\nbs=4k\nsize=4m\nfilename=f\n[memory]\ninvalidate=0\n[device]\nstonewall\n\
                direct=1\n[not-told]\nstonewall\nbs=4m\n";
    let validated = Prepared::new(jobs).validated();
    let hits = &validated.hits;
    let jobs: Vec<&str> = hits.iter().map(|it| it.subject.as_str()).collect();
    assert_eq!(jobs, ["memory", "device"]);
    let [memory, device] = ["memory", "device"].map(|job| of(hits, job, Metric::HitShare));
    assert_eq!(memory.simulated, 1.0);
    assert!(memory.measured > 0.9, "{hits:?}");
    assert_eq!(device.simulated, 0.0);
    // Where there is no device, its reads take no longer than others.
    let is_read = validated.device[0].measured > 0.0;
    assert!(!is_read || device.measured < memory.measured, "{hits:?}");
}

#[test]
fn whoever_interrupts_it_finds_the_folder_as_it_was() {
    if !has_fio() {
        return;
    }
    let prepared = Prepared::new("[a]\nsize=1m\n");
    let interrupted = prepared.validation(&prepared.store()).run(&|_| false);
    let message = interrupted.expect_err("an interrupt").to_string();
    assert!(message.contains("interrupted"), "{message}");
    assert!(prepared.store_is_empty());
}

#[test]
fn jobs_that_write_are_compared_by_operation_and_nothing_of_them_stays() {
    if !has_fio() {
        return;
    }
    let jobs = "[log]\nrw=write\nbs=64k\nsize=4m\nend_fsync=1\n\
                [base]\nstonewall\nrw=randrw\nbs=4k\nsize=1m\nfsync=16\n";
    let validated = Prepared::new(jobs).validated();
    let of = |job: &str, operation| {
        let cells = validated.cells.iter();
        let own = cells.filter(|it| it.subject == job && it.operation == operation);
        own.map(|it| it.metric).collect::<Vec<_>>()
    };
    let all = [Metric::BytesPerS, Metric::MeanUs, Metric::P99Us];
    assert!(of("log", Operation::Read).is_empty());
    assert_eq!(of("log", Operation::Write), all);
    assert_eq!(of("base", Operation::Read), all);
    assert_eq!(of("base", Operation::Write), all);
    // A sync has no bytes, and fio does not count the one at the end.
    assert_eq!(
        of("base", Operation::Fsync),
        [Metric::MeanUs, Metric::P99Us]
    );
    assert!(of("log", Operation::Fsync).is_empty());
    for cell in &validated.cells {
        assert!(cell.measured > 0.0 && cell.simulated > 0.0, "{cell:?}");
    }
    let whole = validated.device[0].whole;
    assert!(0.0 < whole && whole < 1_048_576.0, "bytes read: {whole}");
    // Those of reads and writes are not told apart.
    assert!(validated.hits.is_empty(), "{:?}", validated.hits);
}

#[test]
fn jobs_whose_writes_wait_or_go_past_the_page_cache_are_compared() {
    if !has_fio() {
        return;
    }
    let jobs = "[global]\nsize=64k\nstonewall\n[sync]\nrw=write\nsync=1\n[dsync]\nrw=randrw\nsync=dsync\nrwmixwrite=70\n\
                [append]\nrw=write\nfilename=sync.0.0\nfile_append=1\nfdatasync=4\n[over]\nrw=randwrite\noverwrite=1\nsync_file_range=write:4\n\
                [new]\nrw=write\nfallocate=none\nend_fsync=1\n[opened]\nrw=write\ncreate_on_open=1\n";
    let validated = Prepared::new(jobs).validated();
    for job in ["sync", "dsync", "append", "over", "new", "opened"] {
        let cells = validated.cells.iter();
        let writes = cells.filter(|it| it.subject == job && it.operation == Operation::Write);
        assert_eq!(writes.count(), 3, "{job}");
    }
}

#[test]
fn job_files_of_which_all_jobs_trim_are_refused() {
    let prepared = Prepared::new("[t]\nrw=trim\nsize=1m\n");
    let refused = prepared.validation(&prepared.store()).run(&|_| true);
    let message = refused.expect_err("nothing is left").to_string();
    assert!(
        message.contains("jobs.fio:2: `[t]` trims, and so do all other jobs"),
        "{message}"
    );
    assert!(message.contains("rw=randwrite"), "{message}");
}

#[test]
fn jobs_that_only_write_have_nothing_read_from_the_device() {
    if !has_fio() {
        return;
    }
    let validated = Prepared::new("[w]\nrw=randwrite\nsize=1m\n").validated();
    assert_eq!(validated.cells.len(), 3);
    assert!(validated.device.is_empty(), "{:?}", validated.device);
}

/// The folder of the jobs' files, while they run.
fn files_in(store: &Path) -> Option<PathBuf> {
    let found = fs::read_dir(store).expect("a folder").next()?;
    Some(found.expect("an entry").path().join("0"))
}

#[test]
fn a_link_in_the_place_of_a_jobs_file_is_refused() {
    if !has_fio() {
        return;
    }
    let prepared = Prepared::new("[a]\nrw=randrw\nsize=1m\n");
    let outside = prepared.folder.path().join("outside");
    // Of the job's size: fio removes a link to a shorter file, and makes one of its own.
    fs::write(&outside, vec![0; 1 << 20]).expect("it takes files");
    let (store, planted) = (prepared.store(), Cell::new(false));
    let plant = |_| {
        if let Some(files) = files_in(&store).filter(|_| !planted.replace(true)) {
            let file = files.join("a.0.0");
            let _was_there = fs::remove_file(&file);
            symlink(&outside, file).expect("it takes links");
        }
        true
    };
    let refused = prepared.validation(&store).run(&plant);
    let message = refused.expect_err("a link").to_string();
    assert!(message.contains("a.0.0: is a link"), "{message}");
    assert!(prepared.store_is_empty());
}

/// What is mounted for a test.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _left = unmount_when_free(&self.0);
    }
}

/// A file system of 64 MiB, which only root can mount.
fn small_disk(path: PathBuf) -> Option<Mounted> {
    fs::create_dir(&path).expect("it takes folders");
    match mount(Path::new("tmpfs"), &path, "tmpfs", "size=64m") {
        Ok(()) => Some(Mounted(path)),
        Err(error) => {
            skip(format_args!("needs root: {error}"));
            None
        }
    }
}

/// Writes until nothing more fits.
fn fill(folder: &Path) {
    let mut options = OpenOptions::new();
    let filler = options
        .append(true)
        .create(true)
        .open(folder.join("filler"));
    let (part, mut filler) = (vec![1; 1 << 16], filler.expect("it takes files"));
    while filler.write_all(&part).is_ok() {}
}

#[test]
fn a_disk_that_gets_full_while_fio_writes_is_one_error_with_its_cause() {
    let prepared = Prepared::new("[a]\nrw=write\nbs=64k\nsize=8m\nrate=8m\n");
    let disk = prepared.folder.path().join("disk");
    let Some(mounted) = small_disk(disk).filter(|_| has_fio()) else {
        return;
    };
    let on = mounted.0.as_path();
    let goes_on = |_| {
        fill(on);
        true
    };
    let failed = prepared.validation(on).run(&goes_on);
    let message = failed.expect_err("a full disk").to_string();
    let wanted = "fio failed on a: the file system of --on is full; free some of it";
    assert!(message.contains(wanted), "{message}");
    let left = fs::read_dir(on).expect("a folder");
    let left: Vec<_> = left.map(|it| it.expect("an entry").file_name()).collect();
    assert_eq!(left, ["filler"]);
}

#[test]
fn a_folder_that_is_mounted_read_only_is_refused_before_fio_is_started() {
    let prepared = Prepared::new("[a]\nrw=write\nsize=1m\n");
    let path = prepared.folder.path().join("read-only");
    fs::create_dir(&path).expect("it takes folders");
    if let Err(error) = mount_read_only(&prepared.store(), &path) {
        skip(format_args!("needs root: {error}"));
        return;
    }
    let mounted = Mounted(path);
    if !has_fio() {
        return;
    }
    let refused = prepared.validation(&mounted.0).run(&|_| true);
    let message = refused.expect_err("a read-only folder").to_string();
    let wanted = "files cannot be made in it: read-only filesystem";
    assert!(message.contains(wanted), "{message}");
}

fn deviation(metric: Metric, simulated: f64, whole: f64) -> Deviation {
    Deviation {
        subject: "job".to_owned(),
        operation: Operation::Read,
        metric,
        measured: 100.0,
        low: 80.0,
        high: 125.0,
        simulated,
        whole,
    }
}

#[test]
fn what_lies_in_the_range_of_the_repeats_is_not_off() {
    for metric in [Metric::BytesPerS, Metric::DeviceBytes] {
        for simulated in [80.0, 100.0, 125.0] {
            assert_eq!(deviation(metric, simulated, 1000.0).beyond_percent(), 0.0);
        }
    }
    let above = deviation(Metric::MeanUs, 110.0, 1.0);
    assert!((above.error_percent() - 10.0).abs() < 1e-9);
}

#[test]
fn times_are_off_in_percent_of_the_nearer_end_and_parts_in_percent_of_the_whole() {
    let beyond = |metric, simulated, whole| deviation(metric, simulated, whole).beyond_percent();
    let near = |value: f64, wanted: f64| (value - wanted).abs() < 1e-9;
    assert!(near(beyond(Metric::BytesPerS, 150.0, 1.0), 20.0));
    assert!(near(beyond(Metric::MeanUs, 40.0, 1.0), 50.0));
    assert!(near(beyond(Metric::DeviceBytes, 150.0, 1000.0), 2.5));
    assert!(near(beyond(Metric::HitShare, 125.01, 1.0), 1.0));
    assert!(near(
        beyond(Metric::WrittenJournalBytes, 150.0, 100.0),
        25.0
    ));
    // A job that read nothing in all is not infinitely wrong.
    assert!(beyond(Metric::DeviceBytes, 130.0, 0.0).is_finite());
}

#[test]
fn bytes_to_the_device_are_told_apart_where_this_user_may_trace() {
    if !has_fio() {
        return;
    }
    let prepared = Prepared::new("[w]\nrw=write\nbs=64k\nsize=4m\nend_fsync=1\n");
    let directories = Directories {
        ledgers: prepared.folder.path().join("ledgers"),
        work: prepared.folder.path().join("work"),
    };
    let store = prepared.store();
    let validation = Validation {
        traces: Some(&directories),
        ..prepared.validation(&store)
    };
    let validated = validation.run(&|_| true).expect("nothing is in its way");
    if validated.written.is_empty() {
        skip("what the device is given cannot be traced here");
        return;
    }
    let mut written = validated.written.iter();
    let data = written.find(|it| it.metric == Metric::WrittenDataBytes);
    let data = data.expect("bytes of the job's file");
    assert!(data.low >= 4.0 * 1_048_576.0, "{data:?}");
    assert_eq!(data.simulated, 4.0 * 1_048_576.0);
}
