//! Whether documents hold to grammars, as the program xmllint of libxml2 says.

use hotset_test_support::skip;
use std::io::Write;
use std::process::{Command, Stdio};

/// Has xmllint check a document with these options; without it, the test says so and passes.
pub fn holds(document: &str, options: &[&str]) {
    let command = Command::new("xmllint")
        .args(options)
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = command else {
        return skip("the program xmllint of libxml2 is not installed");
    };
    let mut input = child.stdin.take().expect("it is piped");
    input
        .write_all(document.as_bytes())
        .expect("xmllint reads it");
    drop(input);
    let output = child.wait_with_output().expect("xmllint ends");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}\n{document}");
}
