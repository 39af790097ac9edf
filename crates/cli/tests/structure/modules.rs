//! The modules of a crate, and which file's items each file uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree, Visibility};

use super::circles::Graph;

/// Segments of a path.
type Segments = Vec<String>;

/// What one module declares and uses.
#[derive(Default)]
struct Module {
    file: String,
    /// Items that it defines.
    defined: BTreeSet<String>,
    /// Names that it imports, private or not, and where from.
    imported: BTreeMap<String, Vec<Segments>>,
    /// Modules that it imports all of.
    globs: Vec<Segments>,
    /// Paths that its code names; those that it only passes on are not among them.
    named: BTreeSet<Segments>,
}

/// The modules of a crate, by their path from its root.
pub struct Modules {
    modules: BTreeMap<Segments, Module>,
}

impl Modules {
    /// Reads the crate whose source is in `folder`, from its library or its program.
    pub fn read(folder: &Path) -> Self {
        let mut modules = Self {
            modules: BTreeMap::new(),
        };
        let roots = ["lib.rs", "main.rs"].map(|root| folder.join(root));
        let root = roots.iter().find(|root| root.exists()).expect("a crate");
        modules.read_file(root, folder, folder, Vec::new());
        modules
    }

    /// How many files there are.
    pub fn files(&self) -> usize {
        let files: BTreeSet<&str> = self.modules.values().map(|it| it.file.as_str()).collect();
        files.len()
    }

    /// Which files each file uses.
    pub fn uses(&self) -> Graph {
        let mut graph = Graph::new();
        for (path, module) in &self.modules {
            let used = graph.entry(module.file.clone()).or_default();
            for named in &module.named {
                for definer in self.definers(&self.expanded(path, named), &mut Vec::new()) {
                    let file = &self.modules[&definer].file;
                    if *file != module.file {
                        used.insert(file.clone());
                    }
                }
            }
        }
        graph
    }

    fn read_file(&mut self, file: &Path, folder: &Path, source: &Path, path: Segments) {
        let text = std::fs::read_to_string(file).expect("a readable file");
        let parsed = syn::parse_file(&text).expect("a file of Rust");
        let name = file.strip_prefix(source).expect("a file of the crate");
        let name = name.display().to_string();
        self.read_items(&parsed.items, &name, folder, source, path);
    }

    fn read_items(
        &mut self,
        items: &[Item],
        file: &str,
        folder: &Path,
        source: &Path,
        path: Segments,
    ) {
        let mut reader = Reader::default();
        for item in items {
            match item {
                Item::Mod(module) if is_test(&module.attrs) => {}
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let inner = path.iter().cloned().chain([name.clone()]).collect();
                    let below = folder.join(&name);
                    match &module.content {
                        Some((_, items)) => self.read_items(items, file, &below, source, inner),
                        None => {
                            let files = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
                            let of_module = files.iter().find(|file| file.exists());
                            let of_module = of_module.expect("the file of a module");
                            self.read_file(of_module, &below, source, inner);
                        }
                    }
                }
                item => {
                    reader.module.defined.extend(defined_name(item));
                    reader.visit_item(item);
                }
            }
        }
        reader.module.file = file.to_owned();
        self.modules.insert(path, reader.module);
    }

    /// `named` in `module` from the crate's root; nothing where another crate is meant.
    fn expanded(&self, module: &[String], named: &[String]) -> Vec<Segments> {
        let mut from = module.to_vec();
        let mut rest = named;
        match named.first().map(String::as_str) {
            Some("crate") => return vec![named[1..].to_vec()],
            Some("self" | "super") => {
                while let Some((word, after)) = rest.split_first()
                    && ["self", "super"].contains(&word.as_str())
                {
                    if word == "super" {
                        from.pop();
                    }
                    rest = after;
                }
                from.extend_from_slice(rest);
                return vec![from];
            }
            _ => {}
        }
        let Some(first) = named.first() else {
            return Vec::new();
        };
        let child: Segments = module.iter().chain([first]).cloned().collect();
        if self.modules.contains_key(&child) {
            from.extend_from_slice(named);
            return vec![from];
        }
        let imported = self.modules[module].imported.get(first);
        let others = imported
            .into_iter()
            .flatten()
            .filter(|path| path[0] != *first);
        others
            .flat_map(|path| self.expanded(module, path))
            .map(|path| path.into_iter().chain(named[1..].iter().cloned()).collect())
            .collect()
    }

    /// The modules that define what `paths` lead to, through every name that is passed on.
    fn definers(&self, paths: &[Segments], seen: &mut Vec<Segments>) -> BTreeSet<Segments> {
        let mut found = BTreeSet::new();
        for path in paths {
            if seen.contains(path) {
                continue;
            }
            seen.push(path.clone());
            let depth = (0..=path.len()).rev();
            let mut prefixes = depth.map(|depth| path.split_at(depth));
            let Some((module, rest)) = prefixes.find(|(it, _)| self.modules.contains_key(*it))
            else {
                continue;
            };
            let of_module = &self.modules[module];
            let Some(name) = rest.first() else {
                found.insert(module.to_vec());
                continue;
            };
            if of_module.defined.contains(name) {
                found.insert(module.to_vec());
            } else if of_module.imported.contains_key(name) {
                found.extend(self.definers(&self.expanded(module, rest), seen));
            } else {
                for glob in &of_module.globs {
                    let within = self.expanded(module, glob).into_iter();
                    let within: Vec<Segments> = within
                        .map(|it| it.into_iter().chain(rest.iter().cloned()).collect())
                        .collect();
                    found.extend(self.definers(&within, seen));
                }
            }
        }
        found
    }
}

/// Collects what the items of a module import and name.
#[derive(Default)]
struct Reader {
    module: Module,
}

impl Reader {
    fn import(&mut self, tree: &UseTree, before: &[String], is_passed_on: bool) {
        let path_with = |name: &syn::Ident| -> Segments {
            before.iter().cloned().chain([name.to_string()]).collect()
        };
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &path_with(&path.ident), is_passed_on),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, is_passed_on);
                }
            }
            UseTree::Glob(_) => self.module.globs.push(before.to_vec()),
            UseTree::Name(name) => self.imported(path_with(&name.ident), None, is_passed_on),
            UseTree::Rename(to) => {
                self.imported(
                    path_with(&to.ident),
                    Some(to.rename.to_string()),
                    is_passed_on,
                );
            }
        }
    }

    fn imported(&mut self, mut path: Segments, name: Option<String>, is_passed_on: bool) {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        if !is_passed_on {
            self.module.named.insert(path.clone());
        }
        let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
        self.module.imported.entry(name).or_default().push(path);
    }

    /// Paths among the words of a macro.
    fn name_tokens(&mut self, tokens: TokenStream) {
        let mut path = Segments::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.name(std::mem::take(&mut path));
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.name(std::mem::take(&mut path));
                    self.name_tokens(group.stream());
                    colons = 0;
                }
                _ => {
                    self.name(std::mem::take(&mut path));
                    colons = 0;
                }
            }
        }
        self.name(path);
    }

    fn name(&mut self, path: Segments) {
        if path.len() > 1 {
            self.module.named.insert(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_passed_on = !matches!(item.vis, Visibility::Inherited);
        self.import(&item.tree, &[], is_passed_on);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.name(
            path.segments
                .iter()
                .map(|it| it.ident.to_string())
                .collect(),
        );
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.name_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| {
        it.path().is_ident("cfg")
            && it
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

fn defined_name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(it) => it.ident.to_string(),
        Item::Enum(it) => it.ident.to_string(),
        Item::Fn(it) => it.sig.ident.to_string(),
        Item::Macro(it) => it.ident.as_ref()?.to_string(),
        Item::Static(it) => it.ident.to_string(),
        Item::Struct(it) => it.ident.to_string(),
        Item::Trait(it) => it.ident.to_string(),
        Item::Type(it) => it.ident.to_string(),
        Item::Union(it) => it.ident.to_string(),
        _ => return None,
    })
}
