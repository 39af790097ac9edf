//! The ledger: what it undoes, and that it undoes nothing else.

use hotset_machine::ledger::{Ledger, left, recover, take_over};
use hotset_machine::resource::Resource;
use hotset_machine::{MachineError, ProcessIdentity};
use hotset_test_support::skip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn what_was_there_before_is_neither_taken_over_nor_removed() {
    let directory = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&directory.path().join("run")).unwrap();
    let theirs = directory.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    let error = ledger
        .make(Resource::Directory(theirs.clone()), || {
            Ok::<_, MachineError>(())
        })
        .unwrap_err();
    assert!(error.to_string().contains("there already"), "{error}");
    ledger.teardown();
    assert!(theirs.exists());
}

#[test]
fn what_is_being_made_when_the_run_is_taken_down_is_removed_and_nothing_is_made_after_it() {
    let directory = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&directory.path().join("run")).unwrap();
    let late = directory.path().join("late");
    let made: Result<_, MachineError> = ledger.make(Resource::Directory(late.clone()), || {
        ledger.teardown();
        fs::create_dir(&late).unwrap();
        Ok(())
    });
    assert!(made.unwrap_err().to_string().contains("taken down"));
    assert!(!late.exists());
    let after = ledger.make(Resource::Directory(late.clone()), || panic!("was made"));
    let after: Result<(_, ()), MachineError> = after;
    assert!(after.unwrap_err().to_string().contains("taken down"));
}

#[test]
fn what_fails_half_made_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&directory.path().join("run")).unwrap();
    let half = directory.path().join("half");
    let made: Result<(_, ()), MachineError> =
        ledger.make(Resource::Directory(half.clone()), || {
            fs::create_dir(&half).unwrap();
            Err(MachineError::Unusable("no more".to_owned()))
        });
    assert_eq!(made.unwrap_err().to_string(), "no more");
    assert!(!half.exists());
}

/// A ledger of an owner that is dead, with these lines after the owner's.
fn dead_ledger(directory: &Path, lines: &str) -> PathBuf {
    let deployment = directory.join("dead");
    fs::create_dir(&deployment).unwrap();
    let owner = ProcessIdentity {
        started_ticks: 1,
        ..ProcessIdentity::current().unwrap()
    };
    let owner = serde_json::to_string(&owner).unwrap();
    fs::write(
        deployment.join("ledger"),
        format!("{{\"owner\":{owner}}}\n{lines}"),
    )
    .unwrap();
    deployment
}

#[test]
fn a_line_the_owner_did_not_finish_names_nothing_that_was_made() {
    let directory = tempfile::tempdir().unwrap();
    let kept = directory.path().join("kept");
    fs::create_dir(&kept).unwrap();
    let line = format!("{{\"make\":{{\"id\":1,\"resource\":{{\"directory\":{kept:?}}}}}}}");
    let deployment = dead_ledger(directory.path(), &line);
    let recovery = recover(&directory.path().join("nothing")).unwrap();
    assert!(recovery.dead.is_empty());
    let ledgers = tempfile::tempdir().unwrap();
    fs::rename(deployment, ledgers.path().join("dead")).unwrap();
    assert_eq!(recover(ledgers.path()).unwrap().dead.len(), 1);
    assert!(kept.exists());
    assert_eq!(fs::read_dir(ledgers.path()).unwrap().count(), 0);
}

#[test]
fn a_full_disk_leaves_no_part_of_a_line() {
    let directory = tempfile::tempdir().unwrap();
    let mount = |arguments: &[&str]| {
        let mut command = Command::new(arguments[0]);
        command.args(&arguments[1..]).arg(directory.path());
        let status = command.stderr(Stdio::null()).status();
        status.is_ok_and(|it| it.success())
    };
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs"]) {
        skip("no right to mount");
        return;
    }
    let run = directory.path().join("run");
    let ledger = Ledger::open(&run).unwrap();
    let name = |number: usize| directory.path().join(format!("{number:0>100}"));
    let make = |number| {
        ledger.make(Resource::Directory(name(number)), || {
            Ok::<_, MachineError>(())
        })
    };
    let refused = (0..1000).find_map(|number| make(number).err());
    let refused = refused.expect("a full disk").to_string();
    assert!(refused.contains("write"), "{refused}");
    let lines = fs::read(run.join("ledger")).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    assert!(
        lines.ends_with('\n') && lines.lines().count() > 10,
        "{lines}"
    );
    for line in lines.lines() {
        assert!(
            serde_json::from_str::<serde_json::Value>(line).is_ok(),
            "{line}"
        );
    }
    ledger.teardown();
    drop(ledger);
    assert!(mount(&["umount"]));
}

#[test]
fn an_empty_ledger_or_none_names_nothing_that_was_made() {
    let ledgers = tempfile::tempdir().unwrap();
    let deployment = |name: &str, files: &[&str]| {
        let folder = ledgers.path().join(name);
        fs::create_dir(&folder).unwrap();
        for file in files {
            fs::write(folder.join(file), "").unwrap();
        }
    };
    deployment("full-disk", &["ledger", "state.json"]);
    deployment("no-power", &["state.json"]);
    deployment("killed", &[]);
    fs::write(ledgers.path().join("somebody's"), "file").unwrap();
    let recovery = recover(ledgers.path()).unwrap();
    assert_eq!(recovery.live, [""; 0].map(PathBuf::from));
    assert_eq!(recovery.dead.len(), 3, "{recovery:?}");
    assert_eq!(fs::read_dir(ledgers.path()).unwrap().count(), 1);
}

#[test]
fn a_ledger_cut_anywhere_is_undone_as_far_as_it_goes() {
    let place = tempfile::tempdir().unwrap();
    let made = [place.path().join("first"), place.path().join("second")];
    let ledgers = ledgers_in(place.path());
    let lines = made.iter().enumerate().map(|(id, path)| {
        format!("{{\"make\":{{\"id\":{id},\"resource\":{{\"directory\":{path:?}}}}}}}\n")
    });
    let lines: String = lines.collect();
    let whole = fs::read(dead_ledger(&ledgers, &lines).join("ledger")).unwrap();
    // Without its owner it is a start that is waited for: the test before this one.
    let owner = 1 + whole.iter().position(|byte| *byte == b'\n').unwrap();
    for length in owner..=whole.len() {
        for path in &made {
            fs::create_dir_all(path).unwrap();
        }
        fs::create_dir_all(ledgers.join("dead")).unwrap();
        fs::write(ledgers.join("dead/ledger"), &whole[..length]).unwrap();
        assert_eq!(recover(&ledgers).unwrap().dead.len(), 1, "{length}");
        let named = whole[..length].iter().filter(|byte| **byte == b'\n');
        let standing = made.iter().filter(|path| path.exists()).count();
        assert_eq!(standing, 3 - named.count(), "{length}");
    }
}

#[test]
fn a_ledger_whose_owner_starts_just_now_is_left_alone() {
    let ledgers = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let recoveries = scope.spawn(|| {
            (0..20)
                .map(|_| recover(ledgers.path()).unwrap().dead.len())
                .sum::<usize>()
        });
        for round in 0..300 {
            let ledger = Ledger::open(&ledgers.path().join(round.to_string())).unwrap();
            let _torn_down = ledger.teardown();
        }
        assert_eq!(recoveries.join().unwrap(), 0);
    });
}

#[test]
fn what_is_forgotten_stays() {
    let directory = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&directory.path().join("run")).unwrap();
    let folders = ["forgotten", "kept"].map(|name| directory.path().join(name));
    let make = |folder: &PathBuf| {
        let make = || {
            fs::create_dir(folder).unwrap();
            Ok::<_, MachineError>(())
        };
        ledger
            .make(Resource::Directory(folder.clone()), make)
            .unwrap()
    };
    let [(forgotten, ()), _] = folders.each_ref().map(make);
    ledger.forget(forgotten).unwrap();
    ledger.forget(forgotten).unwrap();
    let removed = ledger.teardown().removed;
    assert_eq!(removed, [format!("directory {}", folders[1].display())]);
    assert!(folders[0].exists());
}

#[test]
fn a_pid_that_was_given_to_another_process_is_a_dead_owner() {
    let directory = tempfile::tempdir().unwrap();
    let made = directory.path().join("made");
    fs::create_dir(&made).unwrap();
    let ledgers = tempfile::tempdir().unwrap();
    let line = format!("{{\"make\":{{\"id\":1,\"resource\":{{\"directory\":{made:?}}}}}}}\n");
    dead_ledger(ledgers.path(), &line);
    let recovery = recover(ledgers.path()).unwrap();
    assert_eq!(
        recovery.dead[0].1.removed,
        [format!("directory {}", made.display())]
    );
    assert!(!made.exists());
}

#[test]
fn a_run_that_another_recovery_undoes_meanwhile_is_no_error() {
    for _ in 0..300 {
        let ledgers = tempfile::tempdir().unwrap();
        dead_ledger(ledgers.path(), "");
        std::thread::scope(|scope| {
            let all =
                [(); 4].map(|()| scope.spawn(|| recover(ledgers.path()).map(|it| it.dead.len())));
            let dead = all.map(|one| one.join().unwrap().unwrap());
            assert_eq!(dead.iter().sum::<usize>(), 1, "{dead:?}");
        });
        assert_eq!(fs::read_dir(ledgers.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_ledger_that_is_damaged_is_an_error_with_its_line_and_removes_nothing() {
    let ledgers = tempfile::tempdir().unwrap();
    let made = ledgers.path().join("made");
    let line =
        format!("{{\"make\":{{\"id\":1,\"resource\":{{\"directory\":{made:?}}}}}}}\nrubbish\n");
    let deployment = dead_ledger(ledgers.path(), &line);
    let error = recover(ledgers.path()).unwrap_err().to_string();
    assert!(
        error.contains("line 3") && error.contains("dead/ledger"),
        "{error}"
    );
    assert!(deployment.exists());
}

/// A deployment under `ledgers` that made a directory and left it.
fn leave_behind(ledgers: &Path) -> PathBuf {
    let ledger = Ledger::open(&ledgers.join("run")).unwrap();
    let made = ledgers.with_file_name("made");
    let make = || fs::create_dir(&made);
    let made_it = ledger.make(Resource::Directory(made.clone()), || {
        make().map_err(|error| MachineError::Unusable(error.to_string()))
    });
    let (_entry, ()) = made_it.unwrap();
    ledger.leave().unwrap();
    let after: Result<(_, ()), MachineError> = ledger
        .make(Resource::Directory(made.join("more")), || {
            panic!("was made")
        });
    assert!(after.is_err());
    assert_eq!(ledger.teardown().removed, Vec::<String>::new());
    made
}

fn ledgers_in(place: &Path) -> PathBuf {
    let ledgers = place.join("ledgers");
    fs::create_dir(&ledgers).unwrap();
    ledgers
}

#[test]
fn what_was_left_on_purpose_stands_until_it_is_taken_over_and_torn_down() {
    let place = tempfile::tempdir().unwrap();
    let ledgers = ledgers_in(place.path());
    let made = leave_behind(&ledgers);
    let deployment = ledgers.join("run");
    assert_eq!(
        recover(&ledgers).unwrap().live,
        std::slice::from_ref(&deployment)
    );
    assert!(made.exists());
    assert_eq!(left(&ledgers).unwrap(), std::slice::from_ref(&deployment));

    let ledger = take_over(&deployment).unwrap();
    assert_eq!(left(&ledgers).unwrap(), Vec::<PathBuf>::new());
    assert!(take_over(&deployment).is_err(), "it has an owner now");
    let removed = ledger.teardown().removed;
    assert_eq!(removed, [format!("directory {}", made.display())]);
    assert!(!made.exists() && !deployment.exists());
}

#[test]
fn what_was_left_before_the_machine_started_anew_is_recovered() {
    let place = tempfile::tempdir().unwrap();
    let ledgers = ledgers_in(place.path());
    let made = leave_behind(&ledgers);
    let path = ledgers.join("run/ledger");
    let text = fs::read_to_string(&path).unwrap();
    let boot = ProcessIdentity::current().unwrap().boot;
    fs::write(&path, text.replace(&boot, "another")).unwrap();
    assert_eq!(left(&ledgers).unwrap(), Vec::<PathBuf>::new());
    assert_eq!(recover(&ledgers).unwrap().dead.len(), 1);
    assert!(!made.exists());
}

#[test]
fn whoever_dies_while_taking_a_left_run_down_has_it_recovered() {
    let place = tempfile::tempdir().unwrap();
    let ledgers = ledgers_in(place.path());
    let made = leave_behind(&ledgers);
    let owner = ProcessIdentity {
        started_ticks: 1,
        ..ProcessIdentity::current().unwrap()
    };
    let owner = serde_json::to_string(&owner).unwrap();
    let path = ledgers.join("run/ledger");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}{{\"owner\":{owner}}}\n")).unwrap();
    assert_eq!(recover(&ledgers).unwrap().dead.len(), 1);
    assert!(!made.exists());
}

#[test]
fn a_run_whose_owner_lives_cannot_be_taken_over() {
    let place = tempfile::tempdir().unwrap();
    let ledgers = ledgers_in(place.path());
    let _ledger = Ledger::open(&ledgers.join("run")).unwrap();
    assert!(take_over(&ledgers.join("run")).is_err());
    assert_eq!(left(&ledgers).unwrap(), Vec::<PathBuf>::new());
}
