//! Drawing by `plotters`.

use super::axis::{Axis, Scaled, Unit};
use super::series::{Estimate, Mark, Series};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt::Write;

/// Drawn this many times larger than shown, since `plotters` places points on whole pixels.
const FINE: u32 = 4;
/// Size shown, in CSS pixels, where there is room for it.
const SIZE: (u32, u32) = (560, 320);
const TEXT_PX: u32 = 17;
const LINE_PX: u32 = 2;
/// More points than this cannot be told apart at this size.
const MOST_POINTS: usize = 400;
/// Places on a line that tell their value when pointed at.
const MOST_HOVERS: usize = 60;
const HOVER_RADIUS_PX: u32 = 7;
/// Keeps the labels of both axes apart where they meet.
const TICK_PX: u32 = 6;
/// Share of a bar's width left free on each side.
const BAR_GAP: f64 = 0.08;
/// Half the width of the ends of a whisker, as share of the bar's.
const WHISKER_CAP: f64 = 0.1;
/// Between a line and its name.
const LABEL_GAP_PX: u32 = 6;
/// Text and frame; the page's style sheet maps both for a dark ground.
const TEXT: RGBColor = RGBColor(0x33, 0x41, 0x55);
const GRID: RGBColor = RGBColor(0xDD, 0xE3, 0xEA);

/// Series on two axes.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows, in a few words.
    pub title: &'static str,
    /// What it says, in a sentence, for those who do not see it.
    pub description: &'static str,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, the last on top.
    pub series: Vec<Series>,
}

/// A plot could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the plot \"{title}\" could not be drawn: {reason}")]
#[non_exhaustive]
pub struct PlotError {
    /// The plot's title.
    pub title: &'static str,
    /// What the drawing library said.
    pub reason: String,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scaled, Scaled>>;
type Drawn = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// The plot as an `<svg>` element with title, description and hover texts.
///
/// # Errors
/// When the drawing library fails.
pub fn svg(plot: &Plot) -> Result<String, PlotError> {
    let mut picture = String::new();
    let mut hovers = String::new();
    let size = (SIZE.0 * FINE, SIZE.1 * FINE);
    let area = SVGBackend::with_string(&mut picture, size).into_drawing_area();
    draw(plot, &area, &mut hovers).map_err(|error| PlotError {
        title: plot.title,
        reason: error.to_string(),
    })?;
    drop(area);
    Ok(accessible(&picture, plot, &hovers))
}

fn draw(plot: &Plot, area: &Area, hovers: &mut String) -> Drawn {
    let shown: Vec<Series> = plot
        .series
        .iter()
        .map(|series| visible(plot, series))
        .collect();
    let x = Scaled::over(&plot.x, shown.iter().flat_map(x_values));
    let y = Scaled::over(&plot.y, shown.iter().flat_map(y_values));
    let (floor, ceiling) = (y.low, y.high);
    let mut chart = ChartBuilder::on(area)
        .margin(10 * FINE)
        .margin_right(18 * FINE)
        .x_label_area_size(44 * FINE)
        .y_label_area_size(68 * FINE)
        .build_cartesian_2d(x.clone(), y.clone())?;
    let text = ("system-ui, sans-serif", TEXT_PX * FINE)
        .into_font()
        .color(&TEXT);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.stroke_width(FINE))
        .axis_style(GRID.stroke_width(FINE))
        .set_all_tick_mark_size(TICK_PX * FINE)
        .label_style(text.clone())
        .axis_desc_style(text)
        .x_labels(x.ticks.len().max(1))
        .y_labels(y.ticks.len().max(1))
        .x_desc(&plot.x.label)
        .y_desc(&plot.y.label)
        .draw()?;
    for series in &shown {
        match series.mark {
            Mark::Estimate(estimate) => {
                draw_estimate(plot, series, &estimate, floor, &mut chart, hovers)?;
            }
            Mark::At(at) => draw_line_at(series, at, (floor, ceiling), &mut chart)?,
            _ => draw_series(plot, series, floor, &mut chart, hovers)?,
        }
    }
    area.present()?;
    Ok(())
}

/// A bar with a whisker from the lower to the upper end of its interval.
fn draw_estimate(
    plot: &Plot,
    series: &Series,
    estimate: &Estimate,
    floor: f64,
    chart: &mut Chart,
    hovers: &mut String,
) -> Drawn {
    let (from, to) = estimate.span;
    let bar = Series::bars(&series.name, series.ink, vec![(from, to, estimate.y)]);
    draw_series(plot, &bar, floor, chart, hovers)?;
    let Some((low, high)) = estimate.interval else {
        return Ok(());
    };
    let (middle, cap) = ((from + to) / 2.0, WHISKER_CAP * (to - from));
    let across = |y: f64| vec![(middle - cap, y), (middle + cap, y)];
    for line in [
        vec![(middle, low), (middle, high)],
        across(low),
        across(high),
    ] {
        let style = TEXT.stroke_width(LINE_PX * FINE);
        chart.draw_series([PathElement::new(line, style)])?;
    }
    Ok(())
}

/// A line from bottom to top with the series' name beside it, halfway up: to its left, where curves of
/// shares run low before it and high behind it, unless there is no room.
fn draw_line_at(series: &Series, at: f64, (low, high): (f64, f64), chart: &mut Chart) -> Drawn {
    let style = TEXT.stroke_width(LINE_PX * FINE);
    chart.draw_series([PathElement::new(vec![(at, low), (at, high)], style)])?;
    let across = chart.plotting_area().get_pixel_range().0;
    let from_left = chart.backend_coord(&(at, low)).0 - across.start;
    let gap = (LABEL_GAP_PX * FINE) as i32;
    let (side, shift) = if from_left * 4 > across.end - across.start {
        (HPos::Right, -gap)
    } else {
        (HPos::Left, gap)
    };
    let text = ("system-ui, sans-serif", TEXT_PX * FINE)
        .into_font()
        .color(&TEXT)
        .pos(Pos::new(side, VPos::Center));
    let label = EmptyElement::at((at, (low + high) / 2.0))
        + Text::new(series.name.clone(), (shift, 0), text);
    chart.draw_series([label])?;
    Ok(())
}

fn draw_series(
    plot: &Plot,
    series: &Series,
    floor: f64,
    chart: &mut Chart,
    hovers: &mut String,
) -> Drawn {
    let (r, g, b) = series.ink.rgb();
    let colour = RGBColor(r, g, b);
    match &series.mark {
        Mark::Line(points) => {
            let line = points.iter().copied();
            chart.draw_series(LineSeries::new(line, colour.stroke_width(LINE_PX * FINE)))?;
            for (x, y) in thinned(points, MOST_HOVERS) {
                let (px, py) = chart.backend_coord(&(x, y));
                let radius = HOVER_RADIUS_PX * FINE;
                let shape = format!("<circle cx=\"{px}\" cy=\"{py}\" r=\"{radius}\"");
                hover(
                    hovers,
                    &shape,
                    &hover_text(plot, series, &plot.x.text(x), y),
                );
            }
        }
        Mark::Band(points) => {
            let upper = points.iter().map(|(x, _, high)| (*x, *high));
            let lower = points.iter().rev().map(|(x, low, _)| (*x, *low));
            let outline: Vec<_> = upper.chain(lower).collect();
            chart.draw_series([Polygon::new(outline, colour.mix(0.18))])?;
        }
        Mark::Bars(bars) => {
            for (from, to, y) in bars {
                let gap = BAR_GAP * (to - from);
                let corners = [(from + gap, floor), (to - gap, *y)];
                chart.draw_series([Rectangle::new(corners, colour.mix(0.75).filled())])?;
                let (left, bottom) = chart.backend_coord(&corners[0]);
                let (right, top) = chart.backend_coord(&corners[1]);
                let (width, height) = ((right - left).max(0), (bottom - top).max(0));
                let shape =
                    format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"");
                let span = format!("{} to {}", plot.x.text(*from), plot.x.text(*to));
                let text = match plot.x.unit {
                    Unit::Place => format!("{}: {}", series.name, plot.y.unit.text(*y)),
                    _ => hover_text(plot, series, &span, *y),
                };
                hover(hovers, &shape, &text);
            }
        }
        Mark::Estimate(_) | Mark::At(_) => {}
    }
    Ok(())
}

fn hover_text(plot: &Plot, series: &Series, x: &str, y: f64) -> String {
    format!("{}: {} at {x}", series.name, plot.y.unit.text(y))
}

fn hover(hovers: &mut String, shape: &str, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(
        hovers,
        "{shape}><title>{}</title>{}",
        escape(text),
        closing(shape)
    );
}

fn closing(shape: &str) -> &'static str {
    if shape.starts_with("<circle") {
        "</circle>"
    } else {
        "</rect>"
    }
}

/// The series without values that have no place on the axes, and without more than can be seen.
fn visible(plot: &Plot, series: &Series) -> Series {
    let (x, y) = (&plot.x, &plot.y);
    let mark = match &series.mark {
        Mark::Line(points) => {
            let shown: Vec<_> = points
                .iter()
                .copied()
                .filter(|(px, py)| x.shows(*px) && y.shows(*py))
                .collect();
            Mark::Line(thinned(&shown, MOST_POINTS).collect())
        }
        Mark::Band(points) => {
            let whole = |p: &(f64, f64, f64)| x.shows(p.0) && y.shows(p.1) && y.shows(p.2);
            let shown: Vec<_> = points.iter().copied().filter(whole).collect();
            Mark::Band(thinned(&shown, MOST_POINTS).collect())
        }
        Mark::Bars(bars) => {
            let whole = |p: &(f64, f64, f64)| x.shows(p.0) && x.shows(p.1) && y.shows(p.2);
            Mark::Bars(bars.iter().copied().filter(whole).collect())
        }
        Mark::Estimate(estimate) if !y.shows(estimate.y) => Mark::Bars(Vec::new()),
        Mark::Estimate(estimate) => Mark::Estimate(Estimate {
            interval: estimate
                .interval
                .filter(|(low, high)| y.shows(*low) && y.shows(*high)),
            ..*estimate
        }),
        Mark::At(at) => Mark::At(*at),
    };
    Series {
        name: series.name.clone(),
        ink: series.ink,
        mark,
    }
}

/// At most about `most` of `points`, evenly chosen, always with the first and the last.
fn thinned<T: Copy>(points: &[T], most: usize) -> impl Iterator<Item = T> {
    let stride = points.len().div_ceil(most).max(1);
    let last = points.len().saturating_sub(1);
    points
        .iter()
        .enumerate()
        .filter(move |(i, _)| i % stride == 0 || *i == last)
        .map(|(_, p)| *p)
}

fn x_values(series: &Series) -> Vec<f64> {
    match &series.mark {
        Mark::Line(points) => points.iter().map(|p| p.0).collect(),
        Mark::Band(points) => points.iter().map(|p| p.0).collect(),
        Mark::Bars(bars) => bars.iter().flat_map(|b| [b.0, b.1]).collect(),
        Mark::Estimate(estimate) => vec![estimate.span.0, estimate.span.1],
        Mark::At(at) => vec![*at],
    }
}

fn y_values(series: &Series) -> Vec<f64> {
    match &series.mark {
        Mark::Line(points) => points.iter().map(|p| p.1).collect(),
        Mark::Band(points) => points.iter().flat_map(|p| [p.1, p.2]).collect(),
        Mark::Bars(bars) => bars.iter().map(|b| b.2).collect(),
        Mark::Estimate(estimate) => {
            let top = estimate.interval.map_or(estimate.y, |(_, high)| high);
            vec![estimate.y, top]
        }
        Mark::At(_) => Vec::new(),
    }
}

/// Replaces the opening tag by one that scales with the page and speaks to screen readers, and lays
/// the hover texts on top.
fn accessible(picture: &str, plot: &Plot, hovers: &str) -> String {
    let body = picture.split_once('>').map_or("", |(_, body)| body);
    let body = body.trim_end().strip_suffix("</svg>").unwrap_or(body);
    format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" xmlns=\"http://www.w3.org/2000/svg\">\
         {body}<g fill=\"none\" pointer-events=\"all\">\n{hovers}</g></svg>",
        SIZE.0 * FINE,
        SIZE.1 * FINE,
        escape(&format!("{}. {}", plot.title, plot.description)),
    )
}

fn escape(text: &str) -> String {
    maud::html! { (text) }.into_string()
}
