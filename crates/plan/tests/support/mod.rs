//! Workloads for tests, and hotset's definition of page cache and plan written out plainly.

// Each test program uses a part of this.

pub mod plain;
pub mod shifting;

use hotset_plan::{
    Catalogue, PageCacheModel, Plan, PlanError, PlanOptions, ProfileCosts, Workload, plan,
};
use hotset_scenario::Profile;
use proptest::prelude::*;

/// A workload that owns its columns.
#[derive(Clone, Debug)]
pub struct Case {
    pub accesses: Vec<u32>,
    pub times_us: Option<Vec<i64>>,
    pub sizes: Vec<u64>,
    pub site_of_object: Vec<u16>,
    pub sites: Vec<String>,
}

pub fn profile(name: &str) -> Profile {
    Profile::builtin(name).expect("a built-in profile")
}

impl Case {
    /// One site without times.
    pub fn one_site(accesses: Vec<u32>, sizes: Vec<u64>) -> Self {
        let site_of_object = vec![0; sizes.len()];
        Self {
            accesses,
            times_us: None,
            sizes,
            site_of_object,
            sites: vec!["all".to_owned()],
        }
    }

    pub fn workload(&self) -> Workload<'_> {
        Workload {
            accesses: &self.accesses,
            times_us: self.times_us.as_deref(),
            files: self.files(),
        }
    }

    pub fn files(&self) -> Catalogue<'_> {
        Catalogue {
            sizes: &self.sizes,
            site_of_object: &self.site_of_object,
            sites: &self.sites,
        }
    }

    /// The plan with a disk behind.
    pub fn plan(&self, options: &PlanOptions) -> Result<Plan, PlanError> {
        self.plan_on(profile("hdd"), options)
    }

    /// The plan with `backing` behind.
    pub fn plan_on(&self, backing: Profile, options: &PlanOptions) -> Result<Plan, PlanError> {
        plan(
            &self.workload(),
            &ProfileCosts {
                memory: &profile("memory"),
                backing: &[backing],
                files: self.files(),
            },
            options,
        )
    }
}

/// Options of hotset's definition, without a curve.
pub fn options(memory_bytes: u64) -> PlanOptions {
    PlanOptions {
        curve_points: 0,
        page_cache: PageCacheModel::WholeFiles,
        ..PlanOptions::new(memory_bytes)
    }
}

/// A few hundred accesses to a few dozen objects of up to 5 pages, some far more popular than others.
pub fn any_case(sites: u16) -> impl Strategy<Value = Case> {
    let sizes = prop::collection::vec(1u64..20_000, 1..40);
    let draws = prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 1..300);
    (sizes, draws, prop::collection::vec(0..sites, 40)).prop_map(
        move |(sizes, draws, site_of_object)| {
            let objects = sizes.len() as f64;
            let accesses = draws
                .iter()
                .map(|(a, b)| (a * b * b * objects) as u32)
                .collect();
            let site_of_object = site_of_object[..sizes.len()].to_vec();
            let sites = (0..sites).map(|site| format!("site{site}")).collect();
            Case {
                accesses,
                times_us: None,
                sizes,
                site_of_object,
                sites,
            }
        },
    )
}

/// Zipf-like accesses to files of one to 200 pages, whose popularity shifts by `shift` files in each quarter.
pub fn zipf(accesses: usize, files: usize, exponent: f64, shift: usize, seed: u64) -> Case {
    let mut random = seed | 1;
    let mut next = move || {
        // Marsaglia's xorshift: any numbers will do.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1u64 << 53) as f64
    };
    let sizes: Vec<u64> = (0..files)
        .map(|_| (4096.0 * 200f64.powf(next() * next())) as u64)
        .collect();
    let access = |index: usize| {
        let rank = (files as f64).powf(1.0 - exponent);
        let rank = (1.0 + next() * (rank - 1.0)).powf(1.0 / (1.0 - exponent));
        ((rank as usize + index * 4 / accesses * shift) % files) as u32
    };
    Case::one_site((0..accesses).map(access).collect(), sizes)
}
