//! The two sites that the demo generates.

use hotset_demo::traffic;

#[test]
fn the_sites_are_the_same_every_time() {
    let [one, other] = [traffic(), traffic()].map(|trace| trace.expect("traffic"));
    assert_eq!(one.requests.object, other.requests.object);
    assert_eq!(one.requests.time_us, other.requests.time_us);
    assert_eq!(one.objects.size, other.objects.size);
}

#[test]
fn a_shop_with_small_files_is_asked_ten_times_as_often_as_large_videos() {
    let trace = traffic().expect("traffic");
    assert_eq!(trace.sites, ["shop", "video"]);
    let requests = |site: u16| {
        let sites = trace.requests.site.iter();
        sites.filter(|of| **of == site).count()
    };
    assert_eq!((requests(0), requests(1)), (150_000, 15_000));
    let mean_bytes = |site: u16| {
        let files = trace.objects.site.iter().zip(&trace.objects.size);
        let own: Vec<u64> = files
            .filter(|(of, _)| **of == site)
            .map(|(_, bytes)| *bytes)
            .collect();
        own.iter().sum::<u64>() as f64 / own.len() as f64
    };
    assert!(mean_bytes(1) > 10.0 * mean_bytes(0));
    assert!(trace.requests.time_us.is_sorted());
}
