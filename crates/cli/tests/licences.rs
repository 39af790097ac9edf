//! Every dependency's licence lets hotset be used under MIT or Apache-2.0.

use std::process::Command;

/// Licences that ask for no more than a notice (SPDX identifiers).
const ACCEPTED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// Whether one alternative of an SPDX expression of the form `A OR B AND C` is accepted as a whole.
/// Parentheses only group alternatives in the expressions cargo packages use, so each side of every
/// `AND` must have an accepted alternative.
fn is_accepted(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|group| {
        group
            .split(" OR ")
            .any(|licence| ACCEPTED.contains(&licence.trim()))
    })
}

fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--all-features",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

#[test]
fn every_dependency_has_an_accepted_licence() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !is_accepted(package["license"].as_str().unwrap_or_default()))
        .map(|package| {
            format!(
                "{} {} ({})",
                package["name"], package["version"], package["license"]
            )
        })
        .collect();
    assert!(
        packages.len() > 50,
        "the list is complete: {}",
        packages.len()
    );
    assert!(refused.is_empty(), "not accepted: {refused:#?}");
}

#[test]
fn an_expression_is_accepted_by_its_alternatives() {
    assert!(is_accepted("MIT OR Apache-2.0"));
    assert!(is_accepted("GPL-3.0 OR MIT"));
    assert!(is_accepted("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(!is_accepted("MIT AND GPL-3.0"));
    assert!(!is_accepted("GPL-3.0"));
    assert!(!is_accepted(""));
}
