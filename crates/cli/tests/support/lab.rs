//! Whether a lab can be built here, and what need not be measured in it.

use super::Workplace;
use hotset_test_support::skip;
use rustix::process::geteuid;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs the experiment in a place's folder, with what it builds in `work`, and prints its results as JSON.
pub const EXPERIMENT_RUN: [&str; 6] = [
    "experiment",
    "run",
    "experiment.toml",
    "--work",
    "work",
    "--json",
];

/// Takes the machine by `turn` for a test that builds a lab and runs programs; says why where it cannot be. Each program with
/// the Debian package that has it.
pub fn lab_is_possible(programs: &[(&str, &str)], turn: fn()) -> bool {
    let disks = [
        ("/dev/fuse", "/dev/fuse"),
        ("/dev/loop-control", "/dev/loop-control"),
    ];
    let lacking = (!geteuid().is_root()).then_some("root").or_else(|| {
        let needed = disks.iter().chain(programs);
        let lacking = needed
            .into_iter()
            .find(|(path, _)| !Path::new(path).exists());
        lacking.map(|&(_, needed)| needed)
    });
    match lacking {
        Some(lacking) => skip(format_args!("needs {lacking}")),
        None => turn(),
    }
    lacking.is_none()
}

/// What serving costs, as an experiment of kind shared-node keeps it for a cell. Measured, it takes some hundred reads of a slow disk, and
/// differs from run to run, and with it the plan.
pub struct GivenCosts {
    path: PathBuf,
    text: String,
}

impl GivenCosts {
    /// For the experiment in `place`, whose results for `cell` have these settings.
    pub fn write(place: &Workplace, cell: &str, settings: &Value) -> Self {
        let line = |fixed_us: f64, bytes_per_us: f64| json!({"fixed_us": fixed_us, "bytes_per_us": bytes_per_us});
        let profile = |name: &str, uncached: Value, cold: Value| {
            json!({
                "name": name, "open_us": 0.0, "cached": line(50.0, 3500.0), "uncached": uncached, "cold": cold,
                "source": "assumed",
            })
        };
        let backing = |name| profile(name, line(9800.0, 39.0), line(35_000.0, 39.0));
        let memory = profile("memory", line(50.0, 3500.0), line(50.0, 3500.0));
        let document = json!({
            "settings": settings,
            "costs": {"backing": [backing("foreground"), backing("background")], "memory": memory, "samples": []},
        });
        let folder = place.path(&format!("results/{cell}"));
        fs::create_dir_all(&folder).expect("a folder of results");
        let given = Self {
            path: folder.join("costs.json"),
            text: document.to_string(),
        };
        fs::write(&given.path, &given.text).expect("a result");
        given
    }

    /// They were not measured anew.
    #[track_caller]
    pub fn are_kept(&self) {
        let kept = fs::read_to_string(&self.path).expect("the costs");
        assert_eq!(kept, self.text);
    }
}
