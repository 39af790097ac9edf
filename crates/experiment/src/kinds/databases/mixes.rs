//! Pages a second of TPC-W's mixes, beside the order that "Workload-driven analysis of file systems in shared multi-tier data-centers over
//! InfiniBand" reports: they fall from browsing over shopping to ordering.

use super::result::DatabasesComparison;
use super::tables::foreground_rate;
use crate::Axis;
use crate::quantile::median;

/// Whose order it is.
const APPLICATION: &str = "tpcw";
/// Mixes in that order.
const DOCUMENTED: [&str; 3] = ["browsing", "shopping", "ordering"];

/// A sentence for each background and arm under which all three mixes have runs.
pub(super) fn remarks(points: &[DatabasesComparison]) -> Vec<String> {
    let own = points.iter();
    let own = own.filter(|it| it.kept.settings.application == APPLICATION);
    let own: Vec<&DatabasesComparison> = own.collect();
    let mut places: Vec<(&str, &str)> = Vec::new();
    for point in &own {
        let place = place(point);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let said = places.into_iter().filter_map(|of| {
        let here: Vec<&DatabasesComparison> =
            own.iter().copied().filter(|it| place(it) == of).collect();
        in_words(of, &here)
    });
    said.collect()
}

/// The background and the arm of a point.
fn place(point: &DatabasesComparison) -> (&str, &str) {
    let kept = &point.kept;
    (kept.settings.background.as_str(), kept.point.on(Axis::Arm))
}

fn in_words((background, arm): (&str, &str), points: &[&DatabasesComparison]) -> Option<String> {
    let measured = rates(points, foreground_rate)?;
    let simulated = rates(points, |it| it.prediction.as_ref()?.detail.pages_per_s);
    let order = match is_documented(measured) {
        true => "They fall as the documents report",
        false => "They do not fall as the documents report",
    };
    let simulated = simulated.map_or_else(String::new, |rates| {
        let does = if is_documented(rates) {
            "fall"
        } else {
            "do not"
        };
        format!("; simulated, they {does} ({})", listed(rates))
    });
    Some(format!(
        "Beside {background}, {arm}: {} pages/s. {order}{simulated}.",
        listed(measured)
    ))
}

/// The median of each mix, in the documents' order; nothing where one is missing.
fn rates(
    points: &[&DatabasesComparison],
    of: impl Fn(&DatabasesComparison) -> Option<f64>,
) -> Option<[f64; 3]> {
    let rate = |mix: &str| {
        let points = points.iter().copied();
        let own = points.filter(|it| it.kept.settings.mix == mix);
        median(own.filter_map(&of))
    };
    let [first, second, third] = DOCUMENTED.map(rate);
    Some([first?, second?, third?])
}

fn is_documented(rates: [f64; 3]) -> bool {
    rates[0] > rates[1] && rates[1] > rates[2]
}

fn listed(rates: [f64; 3]) -> String {
    let named = DOCUMENTED.iter().zip(rates);
    let named: Vec<String> = named
        .map(|(mix, rate)| format!("{mix} {rate:.1}"))
        .collect();
    named.join(", ")
}
