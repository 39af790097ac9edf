//! What a client may make count.

use hotset_live::Clients;

#[test]
fn a_client_counts_up_to_its_share_and_others_go_on_counting() {
    let mut clients = Clients::new([0.1, 0.1]);
    let counted = (0..5000).filter(|_| clients.counts(0, b"one")).count();
    assert_eq!(counted, 1000);
    assert!(clients.counts(0, b"two") && clients.counts(1, b"one"));
    for _ in 0..35_000 {
        clients.counts(0, b"");
    }
    clients.next_interval();
    // 40,001 requests: a tenth of them.
    let counted = (0..5000).filter(|_| clients.counts(0, b"one")).count();
    assert_eq!(counted, 4000);
    assert_eq!(
        (0..5000).filter(|_| clients.counts(1, b"one")).count(),
        1000
    );
}

#[test]
fn where_a_client_may_have_all_every_request_counts() {
    let mut clients = Clients::new([0.5, 1.0]);
    for counted in [1000, 2500] {
        assert!((0..5000).all(|_| clients.counts(1, b"proxy")));
        let of_half = (0..5000).filter(|_| clients.counts(0, b"proxy")).count();
        assert_eq!(of_half, counted);
        clients.next_interval();
    }
}
