//! Experiments of kind fio-jobs: what they refuse.

use crate::place::{Place, says};

const NODE: &str = include_str!("samples/fio-jobs/node.toml");

const EXPERIMENT: &str = include_str!("samples/fio-jobs/experiment.toml");

const SCAN: &str = include_str!("samples/fio-jobs/scan.fio");
const CACHED: &str = include_str!("samples/fio-jobs/cached.fio");

#[track_caller]
fn refused(node: &str, experiment: &str, scan: &str, wanted: &str) {
    let place = Place::with(&[
        ("node.toml", node),
        ("experiment.toml", experiment),
        ("scan.fio", scan),
        ("cached.fio", CACHED),
    ]);
    says(place.load(), wanted);
}

#[test]
fn jobs_that_cannot_be_measured_or_simulated_are_refused_before_anything_is_made() {
    for (from, to, wanted) in [
        (
            "\"scan.fio\"",
            "\"none.fio\"",
            "there is no such file; name a job file",
        ),
        (
            "block =",
            "size =",
            "nothing stands for ${block}; add `block` to `values`",
        ),
        (
            "\"64k\"",
            "\"4k\"",
            "two jobs are called scan-4k; put a place such as ${block}",
        ),
        ("[\"load\"]", "[\"lode\"]", "no job is called lode"),
        (
            "rounds = 5",
            "rounds = 4",
            "`rounds` in [fio-jobs]: must be from 5 to 1000",
        ),
        ("rounds = 5", "round = 5", "did you mean `rounds`?"),
        (
            "rounds = 5",
            "rounds = 5\ngrown = [{ file = \"a\", size = \"1000\", piece = \"64KiB\" }]",
            "must be whole pages of 4 KiB",
        ),
        (
            "rounds = 5",
            "rounds = 5\ngrown = [{ file = \"a\", size = \"1MiB\", piece = \"512GiB\" }]",
            "`piece` must divide `size`, and be at most 256 MiB",
        ),
        (
            "rounds = 5",
            "rounds = 5\ngrown = [{ file = \"../a\", size = \"1MiB\", piece = \"1MiB\" }]",
            "`../a` is no name of a file",
        ),
    ] {
        assert!(EXPERIMENT.contains(from), "{from}");
        refused(NODE, &EXPERIMENT.replace(from, to), SCAN, wanted);
    }
    let trims = SCAN.replace("rw=read", "rw=trim");
    let wanted = "scan.fio:4: `rw=trim`: write read, randread, write, randwrite, rw or randrw";
    refused(NODE, EXPERIMENT, &trims, wanted);
    let memory = NODE
        .replace("\"ext4\"\ndisk", "\"tmpfs\"\n#")
        .replace("kind = \"ext4\"", "kind = \"tmpfs\"");
    let wanted = "on tmpfs; jobs are simulated on ext3, ext4 and xfs";
    refused(&memory, EXPERIMENT, SCAN, wanted);
}
