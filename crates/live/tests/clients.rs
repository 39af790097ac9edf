//! What a client may make count.

use hotset_live::Clients;

#[test]
fn a_client_counts_up_to_its_share_and_others_go_on_counting() {
    let mut clients = Clients::new(2);
    let counted = (0..5000).filter(|_| clients.counts(0, b"one")).count();
    assert_eq!(counted, 1000);
    assert!(clients.counts(0, b"two") && clients.counts(1, b"one"));
    for _ in 0..35_000 {
        clients.counts(0, b"");
    }
    assert_eq!(clients.next_interval(), 4000);
    // 40,001 requests: a tenth of them.
    let counted = (0..5000).filter(|_| clients.counts(0, b"one")).count();
    assert_eq!(counted, 4000);
    assert_eq!(
        (0..5000).filter(|_| clients.counts(1, b"one")).count(),
        1000
    );
}
