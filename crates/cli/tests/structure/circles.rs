//! Circles of a graph.

use std::collections::{BTreeMap, BTreeSet};

/// What each file uses.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// Files that use each other, directly or through others: each circle with its files in order.
pub fn circles(graph: &Graph) -> Vec<Vec<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|file| (file.as_str(), reach(graph, file)))
        .collect();
    let circle_of = |file: &str| -> Vec<&str> {
        let mutual = reached[file]
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(file)));
        mutual.copied().collect()
    };
    let all = graph.keys().map(|file| circle_of(file));
    let several: BTreeSet<Vec<&str>> = all.filter(|files| files.len() > 1).collect();
    several.into_iter().collect()
}

/// The same between the folders and single files beside the crate's root, which itself uses what it likes.
pub fn between_folders(graph: &Graph) -> Graph {
    let folder = |file: &str| {
        file.split('/')
            .next()
            .unwrap_or(file)
            .trim_end_matches(".rs")
            .to_owned()
    };
    let mut folders = Graph::new();
    for (file, used) in graph {
        let used = used.iter().map(|it| folder(it));
        let of = folder(file);
        let used = used.filter(|it| *it != of && it != "lib" && it != "main");
        folders.entry(of.clone()).or_default().extend(used);
    }
    folders
}

/// Every file that `from` uses, directly or through others.
fn reach<'g>(graph: &'g Graph, from: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for used in graph.get(file).into_iter().flatten() {
            if reached.insert(used.as_str()) {
                open.push(used);
            }
        }
    }
    reached
}
