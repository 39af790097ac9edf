//! What a plot draws: values under a name, in a colour.

/// A colour that keeps its meaning throughout a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// What the page is about: the plan, the total.
    Main,
    /// What it is held against: page cache alone. Dashed on the page.
    Baseline,
    /// The n-th of several equals, in a cycle of six.
    Other(usize),
}

impl Ink {
    /// Dark enough for a contrast of 4.5 : 1 on white (WCAG 2.2, criterion 1.4.3).
    const OTHERS: [(u8, u8, u8); 6] = [
        (0xC2, 0x41, 0x0C),
        (0x0F, 0x76, 0x6E),
        (0x7E, 0x3A, 0xA8),
        (0x92, 0x5F, 0x00),
        (0xBE, 0x18, 0x5D),
        (0x4D, 0x7C, 0x0F),
    ];

    pub(crate) fn rgb(self) -> (u8, u8, u8) {
        match self {
            Ink::Main => (0x0B, 0x62, 0xA4),
            Ink::Baseline => (0x47, 0x55, 0x69),
            Ink::Other(n) => Ink::OTHERS[n % Ink::OTHERS.len()],
        }
    }

    /// As in CSS: `#0B62A4`.
    pub fn hex(self) -> String {
        let (r, g, b) = self.rgb();
        format!("#{r:02X}{g:02X}{b:02X}")
    }
}

/// How the values of a series are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through (x, y).
    Line(Vec<(f64, f64)>),
    /// An area between (x, low, high): an interval around a line.
    Band(Vec<(f64, f64, f64)>),
    /// Bars (from x, to x, y) on the horizontal axis.
    Bars(Vec<(f64, f64, f64)>),
    /// A bar with the interval of its height as a whisker.
    Estimate(Estimate),
    /// A line across the plot at this x, with the series' name beside it.
    At(f64),
}

/// A bar whose height is known within an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Left and right end of the bar.
    pub span: (f64, f64),
    /// Its height.
    pub y: f64,
    /// Lower and upper end of the interval, where there is one.
    pub interval: Option<(f64, f64)>,
}

/// Values that belong together, under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend and hover texts call it.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// Its values. Those that are not finite, or not positive on a log axis, are left out.
    pub mark: Mark,
}

impl Series {
    fn new(name: &str, ink: Ink, mark: Mark) -> Series {
        Series {
            name: name.to_owned(),
            ink,
            mark,
        }
    }

    /// A line.
    pub fn line(name: &str, ink: Ink, points: Vec<(f64, f64)>) -> Series {
        Series::new(name, ink, Mark::Line(points))
    }

    /// An interval.
    pub fn band(name: &str, ink: Ink, points: Vec<(f64, f64, f64)>) -> Series {
        Series::new(name, ink, Mark::Band(points))
    }

    /// A bar with its interval.
    pub fn estimate(name: &str, ink: Ink, estimate: Estimate) -> Series {
        Series::new(name, ink, Mark::Estimate(estimate))
    }

    /// A line at `x`, in the colour of text.
    pub fn at(name: &str, x: f64) -> Series {
        Series::new(name, Ink::Baseline, Mark::At(x))
    }

    /// Bars.
    pub fn bars(name: &str, ink: Ink, bars: Vec<(f64, f64, f64)>) -> Series {
        Series::new(name, ink, Mark::Bars(bars))
    }
}
