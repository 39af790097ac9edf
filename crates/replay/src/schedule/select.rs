//! Which rows of a trace are sent.

use hotset_trace::read::CountingRule;
use hotset_trace::sessions::Sessions;
use hotset_trace::{Method, NO_OBJECT, Trace};

use super::moment::micros;
use super::{Moment, ScheduleError, ScheduleOptions, Skipped, StepsBack};

/// Sites named in a message.
const SITES_NAMED: usize = 10;

/// Rows to send, and what became of the others.
pub(super) struct Selection {
    /// Rows in order of their arrival, those that arrive together in log order.
    pub rows: Vec<u32>,
    pub skipped: Skipped,
    pub steps_back: StepsBack,
}

impl Selection {
    /// # Errors
    /// An unknown site, a range that is none, or nothing left.
    pub fn of(
        trace: &Trace,
        sessions: &Sessions,
        options: &ScheduleOptions,
    ) -> Result<Selection, ScheduleError> {
        let (late, mut steps_back) =
            late_rows(&trace.requests.time_us, micros(options.sort_window));
        let is_late = |row: usize| late.binary_search(&(row as u32)).is_ok();
        let on_time = |row: &usize| !is_late(*row);
        let start_us = (0..trace.requests.len())
            .filter(on_time)
            .map(|row| trace.requests.time_us[row])
            .min();
        let choice = Choice {
            trace,
            sites: chosen_sites(trace, &options.sites)?,
            times: times(options.from, options.to, start_us.unwrap_or(0))?,
            counting: options.counting,
            specweb99: options.specweb99,
        };
        let mut skipped = Skipped::default();
        let mut keep = |row: &u32| {
            let row = *row as usize;
            choice.keeps(row, sessions.time_us[row], is_late(row), &mut skipped)
        };
        let mut rows: Vec<u32> = (0..trace.requests.len() as u32).filter(&mut keep).collect();
        rows.sort_by_key(|row| sessions.time_us[*row as usize]);
        steps_back.sorted -= late.len() as u64;
        if rows.is_empty() {
            return Err(nothing(trace, &skipped, options.counting));
        }
        Ok(Selection {
            rows,
            skipped,
            steps_back,
        })
    }
}

/// Rows that step back further than the window, rising, and all steps back.
fn late_rows(time_us: &[i64], window_us: i64) -> (Vec<u32>, StepsBack) {
    let mut steps_back = StepsBack::default();
    let (mut latest, mut late) = (i64::MIN, Vec::new());
    for (row, &time) in time_us.iter().enumerate() {
        if time >= latest {
            latest = time;
            continue;
        }
        let behind = latest.abs_diff(time);
        steps_back.sorted += 1;
        steps_back.largest_us = steps_back.largest_us.max(behind);
        if behind > window_us.unsigned_abs() {
            late.push(row as u32);
        }
    }
    (late, steps_back)
}

/// Whether each site is chosen.
fn chosen_sites(trace: &Trace, names: &[String]) -> Result<Vec<bool>, ScheduleError> {
    let mut chosen = vec![names.is_empty(); trace.sites.len()];
    for name in names {
        let site = trace.sites.iter().position(|site| site == name);
        let site = site.ok_or_else(|| unknown_site(trace, name))?;
        chosen[site] = true;
    }
    Ok(chosen)
}

fn unknown_site(trace: &Trace, name: &str) -> ScheduleError {
    let likeness = |site: &&String| strsim::jaro_winkler(name, site);
    let nearest = trace
        .sites
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let mut known = trace
        .sites
        .iter()
        .take(SITES_NAMED)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    if trace.sites.len() > SITES_NAMED {
        known += &format!(" and {} more", trace.sites.len() - SITES_NAMED);
    }
    ScheduleError::UnknownSite {
        site: name.into(),
        nearest: nearest.filter(|site| likeness(site) > 0.7).cloned(),
        known,
    }
}

/// First moment and the one after the last.
fn times(
    from: Option<Moment>,
    to: Option<Moment>,
    start_us: i64,
) -> Result<(i64, i64), ScheduleError> {
    let from_us = from.map_or(i64::MIN, |moment| moment.resolve(start_us));
    let to_us = to.map_or(i64::MAX, |moment| moment.resolve(start_us));
    if from_us < to_us {
        Ok((from_us, to_us))
    } else {
        Err(ScheduleError::EmptyRange { from_us, to_us })
    }
}

/// What is to be sent.
struct Choice<'a> {
    trace: &'a Trace,
    sites: Vec<bool>,
    times: (i64, i64),
    counting: CountingRule,
    specweb99: bool,
}

impl Choice<'_> {
    /// Whether a row is sent; counts why not.
    fn keeps(&self, row: usize, time_us: i64, is_late: bool, skipped: &mut Skipped) -> bool {
        let reason = self.reason(row, time_us, is_late);
        if let Some(reason) = reason {
            *reason(skipped) += 1;
        }
        reason.is_none()
    }

    /// Where a row that is not sent is counted.
    fn reason(
        &self,
        row: usize,
        time_us: i64,
        is_late: bool,
    ) -> Option<fn(&mut Skipped) -> &mut u64> {
        let requests = &self.trace.requests;
        if !self.sites[usize::from(requests.site[row])] {
            return Some(|skipped| &mut skipped.other_sites);
        }
        if is_late {
            return Some(|skipped| &mut skipped.out_of_order);
        }
        if time_us < self.times.0 || time_us >= self.times.1 {
            return Some(|skipped| &mut skipped.outside_times);
        }
        let reads_file = requests.access[row] && requests.object[row] != NO_OBJECT;
        if self.counting == CountingRule::C1 && reads_file {
            return None;
        }
        match (requests.method[row], requests.status[row]) {
            (Method::Post, _) if self.specweb99 => None,
            (Method::Head, _) => Some(|skipped| &mut skipped.head),
            (Method::Post, _) => Some(|skipped| &mut skipped.post),
            (Method::Other, _) => Some(|skipped| &mut skipped.other_method),
            (Method::Get, 304) => Some(|skipped| &mut skipped.not_modified),
            (Method::Get, 200 | 206) if reads_file => None,
            (Method::Get, 200 | 206) => Some(|skipped| &mut skipped.not_a_file),
            (Method::Get, _) => Some(|skipped| &mut skipped.unsuccessful),
        }
    }
}

fn nothing(trace: &Trace, skipped: &Skipped, counting: CountingRule) -> ScheduleError {
    let requests = trace.requests.len() as u64;
    let hint = if skipped.outside_times > 0 {
        let times = trace.requests.time_us.iter();
        let (first, last) = (times.clone().min(), times.max());
        let word = |time: Option<&i64>| {
            time.map_or_else(String::new, |time| super::error::in_words(*time))
        };
        format!("; the trace goes from {} to {}", word(first), word(last))
    } else {
        match counting {
            CountingRule::Default => "; only GETs answered 200 or 206 for a file are",
            CountingRule::C1 => {
                "; by the rule c1 every request without a query that names a file is"
            }
        }
        .to_owned()
    };
    ScheduleError::Nothing {
        requests,
        why: skipped.in_words(|count| count.to_string()) + &hint,
    }
}
