//! The demo's two sites.

use hotset_trace::Trace;
use hotset_workload::{GenerateError, Generator as _, Load, Mix, Zipf};

/// Requests of the site with small, hot files.
const SHOP_REQUESTS: u64 = 150_000;
/// Requests of the site with large, rarely read files.
const VIDEO_REQUESTS: u64 = 15_000;
/// Requests a second of the shop; the videos span the same time.
const SHOP_RATE: f64 = 50.0;

/// The traffic of a shop with small, hot files that shares its server with large videos. It is the same every time.
///
/// # Errors
/// When the generator refuses its parameters, which it does not.
pub fn traffic() -> Result<Trace, GenerateError> {
    let video_rate = SHOP_RATE * VIDEO_REQUESTS as f64 / SHOP_REQUESTS as f64;
    let shop = Zipf::class(0, Load::new(SHOP_REQUESTS, SHOP_RATE))?;
    let video = Zipf::class(2, Load::new(VIDEO_REQUESTS, video_rate))?;
    // Neither site's popular files are its small ones, so that a plan has to weigh size against requests.
    let shuffled = |site| Zipf {
        size_correlation: 0.0,
        ..site
    };
    let mix = Mix {
        sites: vec![
            ("shop".into(), Box::new(shuffled(shop))),
            ("video".into(), Box::new(shuffled(video))),
        ],
    };
    mix.generate(0)
}
