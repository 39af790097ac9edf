//! The rules by which requests were counted, in words, for every output.

use super::access::CountingRule;
use super::query::QueryRule;

/// What counts as access, object and size.
pub(super) fn rules(
    counting: CountingRule,
    query: QueryRule,
    has_roots: bool,
    has_no_sizes: bool,
) -> Vec<String> {
    let mut rules = rules_of_requests(counting, query, has_roots);
    if has_no_sizes && let Some(size) = rules.last_mut() {
        *size = UNKNOWN_SIZES.into();
    }
    rules
}

/// The same where sizes are logged, the rule of sizes being the last.
fn rules_of_requests(counting: CountingRule, query: QueryRule, has_roots: bool) -> Vec<String> {
    if counting == CountingRule::C1 {
        return vec![
            "access: every request whose URL has no query; requests with one are dropped".into(),
            "object: percent-decoded path and bytes logged, named PATH@BYTES".into(),
            "size: the bytes logged, at least 1".into(),
        ];
    }
    let (object, size) = match has_roots {
        true => ("file under the site's root", "of the file"),
        false => (
            "percent-decoded path",
            "largest 200 response, else largest 206",
        ),
    };
    vec![
        format!(
            "access: GET answered 200 or 206 for a file; {}",
            of_query(query, has_roots)
        ),
        format!("object: {object}"),
        format!("size: {size}, at least 1 byte"),
    ]
}

fn of_query(query: QueryRule, has_roots: bool) -> &'static str {
    match query {
        QueryRule::Auto if has_roots => {
            "a query is stripped for static types and files under the root, else not a file"
        }
        QueryRule::Auto => "a query is stripped for static types, else not a file",
        QueryRule::Exclude => "a URL with a query is not a file",
        QueryRule::Strip => "a query is stripped",
        QueryRule::Keep => "each query is a file of its own",
    }
}

/// The rules of traces that hold keys and nothing of HTTP.
pub(super) fn rules_of_keys() -> Vec<String> {
    vec![
        "access: every record".into(),
        "object: its key".into(),
        "size: as the trace says, else one page of 4096 bytes".into(),
    ]
}

/// Replaces the rule of sizes where the log states none: many servers log sizes only when told to, and a
/// plan for files of 1 byte is worth nothing.
const UNKNOWN_SIZES: &str = "size: not logged, so every file counts as 1 byte; name the document roots, or make the server log sizes";
