//! Options that do not go together are refused before any work is done, and messages name them by their fields.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_actions::{
    Field, JobError, Logs, NoWatch, Results, apply, compare, describe, generate, net, plan,
    simulate,
};
use hotset_cache::PolicyKind;
use hotset_petri::nets::LIBRARY;
use hotset_scenario::{MemorySize, Objective};
use hotset_trace::read::ReadOptions;
use hotset_workload::access_log::LogStyle;
use hotset_workload::{Load, SingleFile};
use tempfile::TempDir;

/// The refusal of options, with options in capitals, which a spelling on a command line never is.
#[track_caller]
fn usage<T>(done: Result<T, JobError>) -> String {
    let error = done.err().expect("it is refused");
    assert!(error.is_usage(), "{error:?}");
    said(&error)
}

fn said(error: &JobError) -> String {
    let said = error
        .message()
        .spelt(|field| field.name().to_ascii_uppercase());
    assert!(!said.contains("--"), "{said}");
    said
}

fn log_in(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let line =
        "192.0.2.7 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 10 \"-\" \"-\"\n";
    fs::write(&path, line.repeat(50)).expect("a temporary file");
    path
}

fn logs(path: &Path) -> Logs {
    Logs {
        paths: vec![path.to_owned()],
        ..Logs::default()
    }
}

fn planning() -> plan::Options {
    plan::Options {
        memory: Some(MemorySize::Bytes(1 << 20)),
        ..plan::Options::default()
    }
}

fn simulation() -> simulate::trace::Options {
    simulate::trace::Options {
        logs: Logs::default(),
        time_zone: Default::default(),
        policy: None,
        memory: MemorySize::Bytes(1 << 20),
        unit: None,
        backing: None,
        sampled: None,
        seed: 0,
        is_compared: false,
    }
}

fn generation() -> generate::Options {
    generate::Options {
        workload: generate::Workload::SingleFile(SingleFile {
            size_bytes: 1000,
            load: Load::new(10, 1.0),
        }),
        output: None,
        replace: false,
        files: None,
        log: None,
        log_style: LogStyle::Combined,
        seed: 0,
        json: false,
        asked: String::new(),
    }
}

#[test]
fn a_plan_that_is_kept_takes_a_size_and_one_is_proposed() {
    let options = plan::Options {
        needs_size: true,
        ..plan::Options::default()
    };
    let said = usage(plan::run(&options, &NoWatch));
    assert!(said.contains("name it with MEMORY, such as "), "{said}");
    assert!(said.contains("MiB, which is free "), "{said}");
}

#[test]
fn a_plan_for_targets_that_nobody_has_is_refused() {
    let options = plan::Options {
        objective: Some(Objective::Targets),
        ..planning()
    };
    let said = usage(plan::run(&options, &NoWatch));
    assert!(
        said.starts_with("OBJECTIVE targets: no site has a target: name one with TARGET"),
        "{said}"
    );
}

#[test]
fn samples_of_a_policy_that_has_none_are_refused() {
    let options = simulate::trace::Options {
        policy: Some(PolicyKind::Sieve),
        sampled: Some(0.1),
        ..simulation()
    };
    let said = usage(simulate::trace::run(&options, &NoWatch));
    assert!(
        said.starts_with("SAMPLED estimates lru or two-list, not sieve"),
        "{said}"
    );
}

#[test]
fn a_store_beside_samples_that_have_no_response_is_refused() {
    let options = simulate::trace::Options {
        backing: Some("ssd".into()),
        sampled: Some(0.1),
        ..simulation()
    };
    let said = usage(simulate::trace::run(&options, &NoWatch));
    assert!(
        said.starts_with("BACKING cannot be used with SAMPLED"),
        "{said}"
    );
}

#[test]
fn a_workload_that_goes_nowhere_is_refused() {
    let said = usage(generate::run(&generation(), &NoWatch));
    assert!(said.contains("FILES FOLDER or LOG FILE"), "{said}");
}

#[test]
fn two_results_in_one_file_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let file = Some(folder.path().join("result"));
    let options = plan::Options {
        results: Results {
            output: file.clone(),
            html: file,
            ..Results::default()
        },
        ..planning()
    };
    let said = usage(plan::run(&options, &NoWatch));
    assert!(said.contains("named for two results"), "{said}");
}

#[test]
fn a_result_that_would_overwrite_what_is_read_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let log = log_in(&folder, "access.log");
    let before = fs::read(&log).expect("the log");
    let options = describe::Options {
        logs: logs(&log),
        results: Results {
            html: Some(log.clone()),
            ..Results::default()
        },
        ..describe::Options::default()
    };
    let said = usage(describe::run(&options, &NoWatch));
    assert!(said.contains("would be overwritten"), "{said}");
    assert_eq!(fs::read(&log).expect("the log"), before);
}

#[test]
fn tables_beside_csv_files_that_are_read_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let options = describe::Options {
        logs: logs(&log_in(&folder, "access.csv")),
        results: Results {
            csv: Some(folder.path().to_owned()),
            ..Results::default()
        },
        ..describe::Options::default()
    };
    let said = usage(describe::run(&options, &NoWatch));
    assert!(said.contains("could be overwritten by a table"), "{said}");
}

#[test]
fn options_for_reading_a_trace_folder_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let trace = folder.path().join("a.trace");
    let options = generate::Options {
        output: Some(trace.clone()),
        ..generation()
    };
    generate::run(&options, &NoWatch).expect("a trace");
    let with = |logs: Logs| {
        let options = describe::Options {
            logs,
            ..describe::Options::default()
        };
        usage(describe::run(&options, &NoWatch))
    };
    let said = with(Logs {
        has_reading: true,
        ..logs(&trace)
    });
    assert!(said.contains("give options about reading logs"), "{said}");
    let said = with(Logs {
        reading: ReadOptions {
            keep_clients: true,
            ..ReadOptions::default()
        },
        ..logs(&trace)
    });
    assert!(said.ends_with("leave KEEP-CLIENTS out"), "{said}");
    let said = with(Logs {
        paths: vec![trace.clone(), log_in(&folder, "access.log")],
        ..Logs::default()
    });
    assert!(said.contains("give it alone"), "{said}");
}

#[test]
fn a_plan_whose_sites_have_no_root_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("plan.json");
    let options = plan::Options {
        logs: logs(&log_in(&folder, "access.log")),
        ..planning()
    };
    let planned = plan::run(&options, &NoWatch).expect("a plan");
    let written = planned.view().plan_file(options.output_format);
    fs::write(&file, written.expect("a plan file").contents).expect("a temporary file");
    let options = apply::Options {
        plan: file,
        ..apply::Options::default()
    };
    let said = usage(apply::preview(&options, &NoWatch));
    assert!(said.contains("ROOT"), "{said}");
}

#[test]
fn an_outcome_that_is_named_twice_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let log = log_in(&folder, "access.log");
    let options = plan::Options {
        logs: logs(&log),
        ..planning()
    };
    let planned = plan::run(&options, &NoWatch).expect("a plan");
    let json = hotset_report::View::json(&planned.view()).expect("JSON");
    let file = folder.path().join("plan.json");
    fs::write(&file, json).expect("a temporary file");
    let name = file.display().to_string();
    let options = compare::Options {
        documents: vec![name.clone(), name],
        ..compare::Options::default()
    };
    let said = usage(compare::run(&options));
    assert!(said.contains("is named twice"), "{said}");
}

#[test]
fn parameters_that_a_net_does_not_have_are_refused() {
    let entry = LIBRARY.first().expect("the library has nets");
    let options = net::Options {
        net: net::Name::Library(entry),
        set: vec![("colour".into(), 1.0)],
    };
    let said = usage(options.build());
    assert!(said.contains("has no parameter `colour`"), "{said}");
    let file = net::Options {
        net: net::Name::File("a.pnml".into()),
        set: vec![("n".into(), 1.0)],
    };
    assert!(usage(file.build()).ends_with("leave out SET"));
}

#[test]
fn a_message_is_spelt_as_whoever_reads_it_gave_its_options() {
    let options = plan::Options {
        objective: Some(Objective::Targets),
        ..planning()
    };
    let error = plan::run(&options, &NoWatch).expect_err("no targets");
    let flag = |field: Field| format!("--{}", field.name());
    let spelt = error.message().spelt(flag);
    assert!(spelt.starts_with("--objective targets: "), "{spelt}");
    assert!(error.to_string().starts_with("`objective` targets: "));
}

#[test]
fn a_slip_of_the_pen_in_memory_is_taken_for_memory_and_a_key_of_the_profile_is_not() {
    let folder = TempDir::new().expect("a temporary folder");
    let jobs = folder.path().join("a.fio");
    fs::write(&jobs, "[a]\nrw=read\nsize=1m\n").expect("a temporary file");
    let set = |setting: &str| {
        let options = simulate::fio::Options {
            jobs: jobs.clone(),
            profile: Some("hdd".to_owned()),
            scenario: None,
            store: None,
            clients: None,
            set: vec![setting.parse().expect("name and value")],
            seed: 0,
            strict_keys: false,
        };
        simulate::fio::run(&options, &NoWatch)
    };
    assert_eq!(
        said(&set("memroy=1G").expect_err("a slip")),
        "SET memroy=1G: `memroy` is not known; did you mean `memory`?"
    );
    assert!(set("memory=1G").is_ok());
    assert!(set("open_us=3").is_ok());
    assert!(!said(&set("nme=a").expect_err("no key")).contains("memory"));
}
