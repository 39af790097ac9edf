//! The accesses of one site, as a workload of its own.

use std::sync::Arc;

use hotset_scenario::Target;

use super::curve::Curves;
use crate::PlanError;
use crate::backtest::prepare::{Backtest, linux};
use crate::backtest::workload::Workload;
use crate::select::HeldSet;
use crate::value::{Catalogue, Values};

/// A site's training accesses and its files, by numbers of their own.
pub(super) struct Site {
    pub accesses: Vec<u32>,
    /// The workload's number of each file.
    pub objects: Vec<u32>,
    sizes: Vec<u64>,
    site_of_object: Vec<u16>,
    values: Arc<Values>,
}

impl Site {
    /// The sites of `test`, and each file's number within its own.
    pub fn all(test: &Backtest) -> (Vec<Site>, Vec<u32>) {
        let sites = test.workload.files.sites.len();
        let mut objects = vec![Vec::new(); sites];
        let number = |object: u32| {
            let own = &mut objects[test.values.site(object)];
            own.push(object);
            own.len() as u32 - 1
        };
        let numbers: Vec<u32> = (0..test.objects() as u32).map(number).collect();
        let mut accesses = vec![Vec::new(); sites];
        for &object in test.training_accesses() {
            accesses[test.values.site(object)].push(numbers[object as usize]);
        }
        let sites = objects.into_iter().zip(accesses);
        let site = |(objects, accesses)| Site::of(test, objects, accesses);
        (sites.map(site).collect(), numbers)
    }

    /// The site `site` of `test`.
    pub fn one(test: &Backtest, site: usize) -> Site {
        let is_own = |&object: &u32| test.values.site(object) == site;
        let objects: Vec<u32> = (0..test.objects() as u32).filter(is_own).collect();
        let number = |object: &u32| objects.binary_search(object).ok().map(|at| at as u32);
        let accesses = test.training_accesses().iter();
        let accesses = accesses.filter_map(number).collect();
        Site::of(test, objects, accesses)
    }

    fn of(test: &Backtest, objects: Vec<u32>, accesses: Vec<u32>) -> Site {
        let files = &test.workload.files;
        Site {
            accesses,
            sizes: objects.iter().map(|&object| test.size(object)).collect(),
            site_of_object: objects
                .iter()
                .map(|&object| files.site_of_object[object as usize])
                .collect(),
            values: Arc::new(test.values.of_objects(&objects)),
            objects,
        }
    }

    /// The site alone, in a group of no memory yet, with what of it is held in `test`.
    pub fn backtest<'a>(&'a self, test: &Backtest<'a>) -> Result<Backtest<'a>, PlanError> {
        let workload = Workload {
            accesses: &self.accesses,
            times_us: None,
            files: Catalogue {
                sizes: &self.sizes,
                site_of_object: &self.site_of_object,
                sites: test.workload.files.sites,
            },
        };
        let held = (0u32..).zip(&self.objects);
        let held = held.filter(|&(_, &object)| test.previous.contains(object));
        let held: Vec<u32> = held.map(|(number, _)| number).collect();
        let page_cache = test.linux.as_ref().map(|_| linux(&workload, &self.values));
        Ok(Backtest {
            workload,
            linux: page_cache.transpose()?.map(Arc::new),
            writers: None,
            reserved_pages: vec![0; test.reserved_pages.len()],
            memory_pages: 0,
            training: self.accesses.len(),
            previous: Arc::new(HeldSet::of(&self.values, &held)),
            rankings: Arc::default(),
            counts: Arc::default(),
            values: self.values.clone(),
            targets: test.targets.clone(),
            sampling: test.sampling,
        })
    }

    /// What memory would do for it.
    pub fn curves(&self, test: &Backtest, targets: &[Target]) -> Result<Curves, PlanError> {
        Curves::of(&self.backtest(test)?, targets)
    }
}
