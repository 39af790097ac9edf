//! What holding each file of a catalogue takes and saves.

use std::sync::Arc;

use hotset_cache::{PAGE_BYTES, Stop};

use super::catalogue::Catalogue;
use super::cost::ProfileCosts;
use super::response::{AccessResult, Responses};
use super::terms::{SiteTerms, check_terms, terms_of_sites};
use crate::PlanError;

/// Sizes, sites and costs of each file of a [`Catalogue`], by its ids.
#[derive(Clone, Debug)]
pub struct Values {
    /// Bytes of each object.
    sizes: Vec<u64>,
    /// Whole pages of each object.
    pages: Vec<u64>,
    /// Weighted microseconds that an access to each object saves when it is held.
    saved_us: Vec<f64>,
    site_of_object: Vec<u16>,
    /// Responses of each site. Shared with the values of parts of the files: a copy for each of a thousand groups took
    /// gigabytes.
    responses: Arc<[Responses]>,
    /// Weight of each site.
    weights: Arc<[f64]>,
    has_metadata: bool,
    /// Ends what runs over accesses to the files.
    stop: Option<Stop>,
}

impl Values {
    /// The files at the costs of serving them; `terms` in the order of [`Catalogue::sites`], or none where all sites have
    /// the default.
    ///
    /// # Errors
    /// Columns that do not fit together, weights out of range, costs that are negative or not finite.
    pub fn new(
        files: &Catalogue,
        costs: &ProfileCosts,
        terms: &[SiteTerms],
    ) -> Result<Self, PlanError> {
        files.check()?;
        let terms = terms_of_sites(files, terms);
        check_terms(files, &terms)?;
        let store = |site| Responses::new(costs.memory, costs.backing(site));
        let mut values = Self {
            sizes: costs.files.sizes.to_vec(),
            pages: files.sizes.iter().map(|&size| pages(size)).collect(),
            saved_us: Vec::with_capacity(files.sizes.len()),
            site_of_object: files.site_of_object.to_vec(),
            responses: (0..files.sites.len()).map(store).collect(),
            weights: terms.iter().map(|terms| terms.weight).collect(),
            has_metadata: false,
            stop: None,
        };
        for object in 0..files.sizes.len() as u32 {
            let (responses, size) = values.priced(object);
            responses.check(object, size)?;
            let (saved_us, has_metadata) = (responses.saved_us(size), responses.has_metadata(size));
            values.saved_us.push(saved_us * values.weight(object));
            values.has_metadata |= has_metadata;
        }
        Ok(values)
    }

    /// Those of `objects`, which get new ids in their order.
    pub(crate) fn of_objects(&self, objects: &[u32]) -> Self {
        fn picked<T: Copy>(column: &[T], objects: &[u32]) -> Vec<T> {
            objects
                .iter()
                .map(|&object| column[object as usize])
                .collect()
        }
        Self {
            sizes: picked(&self.sizes, objects),
            pages: picked(&self.pages, objects),
            saved_us: picked(&self.saved_us, objects),
            site_of_object: picked(&self.site_of_object, objects),
            responses: self.responses.clone(),
            weights: self.weights.clone(),
            has_metadata: self.has_metadata,
            stop: self.stop.clone(),
        }
    }

    /// The same for work that ends when `stop` is asked.
    pub(crate) fn stopped_by(self, stop: Option<Stop>) -> Self {
        Self { stop, ..self }
    }

    /// Whether work on them is to end.
    #[inline]
    pub(crate) fn are_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(Stop::is_asked)
    }

    /// Weight of each site.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Number of objects.
    pub fn objects(&self) -> usize {
        self.pages.len()
    }

    /// Whole pages of each object.
    pub(crate) fn all_pages(&self) -> &[u64] {
        &self.pages
    }

    /// Bytes of `object`.
    #[inline]
    pub(crate) fn size(&self, object: u32) -> u64 {
        self.sizes[object as usize]
    }

    /// Reads what [`Values::response_us`] needs for each of `objects`, so that it is in the processor's cache by then: one
    /// that prices access by access spends most of the time waiting for sizes.
    #[inline]
    pub(crate) fn read_ahead(&self, objects: &[u32]) {
        let size = |&object: &u32| self.sizes.get(object as usize).copied().unwrap_or(0);
        std::hint::black_box(objects.iter().map(size).fold(0, u64::wrapping_add));
    }

    #[inline]
    pub(crate) fn pages(&self, object: u32) -> u64 {
        self.pages[object as usize]
    }

    #[inline]
    pub(crate) fn site(&self, object: u32) -> usize {
        usize::from(self.site_of_object[object as usize])
    }

    #[inline]
    pub(crate) fn weight(&self, object: u32) -> f64 {
        self.weights[self.site(object)]
    }

    /// Whether all sites have the same weight.
    pub(crate) fn weighs_alike(&self) -> bool {
        self.weights.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Weighted microseconds that an access saves when `object` is held instead of read from its store; none for an object
    /// that has no value.
    pub fn saved_us(&self, object: u32) -> f64 {
        self.saved_us.get(object as usize).copied().unwrap_or(0.0)
    }

    /// Microseconds to serve `object` from memory where it is held, else from its store as if no page cache had it.
    pub fn served_us(&self, object: u32, is_held: bool) -> f64 {
        let served = match is_held {
            true => AccessResult::Held,
            false => AccessResult::Miss,
        };
        self.response_us(object, served)
    }

    /// Microseconds to serve `object` as it was found.
    #[inline]
    pub(crate) fn response_us(&self, object: u32, served: AccessResult) -> f64 {
        let (responses, size) = self.priced(object);
        responses.us(served, size, pages(size))
    }

    /// What serves `object`, and the bytes that it is priced by.
    #[inline]
    fn priced(&self, object: u32) -> (&Responses, u64) {
        (&self.responses[self.site(object)], self.size(object).max(1))
    }

    /// Whether reading the directory and inode of any file costs anything.
    pub(crate) fn has_metadata(&self) -> bool {
        self.has_metadata
    }
}

/// Whole pages of an object of `size` bytes.
fn pages(size: u64) -> u64 {
    size.div_ceil(PAGE_BYTES).max(1)
}
