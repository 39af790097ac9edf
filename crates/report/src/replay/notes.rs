//! What of the trace was sent and what has to be known to read the figures.

use hotset_replay::schedule::ScheduleSummary;

use super::view::ReplayView;
use crate::number;

/// Why `schedule` has clearly fewer requests a second than its scale asks for.
pub fn scale_limit(schedule: &ScheduleSummary) -> Option<String> {
    let (asked, due) = schedule.short_rates()?;
    Some(format!(
        "{} are asked for and {} due: a scale starts connections sooner, but the requests of each follow one another after the \
         same pauses as in the trace, and the longest connection lasts {}",
        number::per_second(asked),
        number::per_second(due),
        number::long_duration(schedule.longest_connection_us as f64),
    ))
}

impl ReplayView {
    /// Sentences to be read with the figures; facts first.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = vec![self.sent()];
        let skipped = self.schedule.skipped.in_words(number::count);
        if !skipped.is_empty() {
            notes.push(format!("not sent: {skipped}"));
        }
        notes.extend(self.scale_limit.clone());
        notes.extend(self.of_the_trace());
        notes.extend(self.of_specweb99());
        notes.extend(self.of_the_run());
        notes
    }

    fn sent(&self) -> String {
        let schedule = &self.schedule;
        let over = match self.requested_rate {
            Some(_) => format!(
                ", due over {} in {}",
                number::long_duration(schedule.span_us as f64),
                number::counted(schedule.connections, "connection", "connections"),
            ),
            None => String::new(),
        };
        format!(
            "{}: {} of {} of the trace, for {}{over}",
            self.url,
            number::count(schedule.requests),
            number::counted(schedule.trace_requests, "request", "requests"),
            number::counted(schedule.files, "file", "files"),
        )
    }

    fn of_the_trace(&self) -> Vec<String> {
        let schedule = &self.schedule;
        let mut notes = Vec::new();
        if schedule.partial > 0 {
            let partial =
                number::counted(schedule.partial, "partial response", "partial responses");
            notes.push(format!("{partial} (206) requested in full"));
        }
        if schedule.steps_back.sorted > 0 {
            let lines = number::counted(schedule.steps_back.sorted, "line", "lines");
            let largest = number::long_duration(schedule.steps_back.largest_us as f64);
            notes.push(format!(
                "{lines} logged out of order and sorted; the largest step back is {largest}"
            ));
        }
        if schedule.cut.gaps > 0 {
            let gaps = number::counted(schedule.cut.gaps, "gap", "gaps");
            let (cut, longest) = (schedule.cut.total_us as f64, schedule.cut.longest_us as f64);
            let (cut, longest) = (number::long_duration(cut), number::long_duration(longest));
            notes.push(format!(
                "{gaps} between connections shortened by {cut} in total; the longest was {longest}"
            ));
        }
        notes
    }

    /// Operations, and connections by the rule of SPECweb99.
    fn of_specweb99(&self) -> Vec<String> {
        let operations = self.schedule.operations.map(|of| {
            let share = |count: u64| {
                let share = count as f64 / self.schedule.requests.max(1) as f64;
                format!("{} ({})", number::count(count), number::percent(share))
            };
            format!(
                "operations of the trace: {} static GETs, {} dynamic GETs, {} POSTs",
                share(of.static_gets),
                share(of.dynamic_gets),
                share(of.posts)
            )
        });
        let conforming = self.conforming.map(|of| {
            format!(
                "{} of {} conform: they received 40,000 to 50,000 bytes/s; mean {} bytes/s, slowest {}",
                number::count(of.conforming),
                number::counted(of.connections, "connection", "connections"),
                number::count(of.mean_bytes_per_second as u64),
                number::count(of.slowest_bytes_per_second as u64),
            )
        });
        operations.into_iter().chain(conforming).collect()
    }

    fn of_the_run(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.ramp_us > 0.0 {
            let ramp = number::long_duration(self.ramp_us);
            notes.push(format!("the ramp, the first {ramp}, is in no figure"));
        }
        let mut note = |count: u64, one: &str, many: &str, what: &str| {
            if count > 0 {
                notes.push(format!("{} {what}", number::counted(count, one, many)));
            }
        };
        let (one, many) = ("connection", "connections");
        note(
            self.held_connections,
            one,
            many,
            "waited because the limit of open connections was reached",
        );
        note(
            self.reopened_connections,
            one,
            many,
            "closed by the server and opened again",
        );
        note(
            self.total.wrong_length,
            "body",
            "bodies",
            "whose length differs from the trace",
        );
        note(
            self.unfinished,
            "request",
            "requests",
            "unfinished when the replay was interrupted",
        );
        notes
    }
}
