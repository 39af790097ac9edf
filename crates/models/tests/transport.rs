//! When calls are sent again, and when clients give up: the kernel's times by hand.

use hotset_models::remote::{Expiry, Transport, retransmission_ns};

const MS: u64 = 1_000_000;

/// When the timer of a call that is sent at 0 runs out, and what its client does, up to so many times.
fn expiries(transport: Transport, most: usize) -> Vec<(u64, Expiry)> {
    let mut timer = transport.timer(0).expect("a timer");
    let (mut now_ns, mut expiries) = (0, Vec::new());
    while expiries.len() < most {
        now_ns += timer.wait_ns();
        let expiry = timer.expire(now_ns);
        expiries.push((now_ns / MS, expiry));
        if expiry == Expiry::GivesUp {
            break;
        }
    }
    expiries
}

#[test]
fn datagrams_are_sent_again_in_twice_the_time_until_a_soft_mount_gives_up() {
    let soft = Transport {
        is_soft: true,
        ..Transport::UDP
    };
    let again = Expiry::SendsAgain;
    let expected = [
        (1_100, again),
        (3_300, again),
        (7_700, again),
        (16_500, Expiry::GivesUp),
    ];
    assert_eq!(expiries(soft, 10), expected);
    // A hard mount begins anew.
    let hard = expiries(Transport::UDP, 6);
    let expected = [1_100, 3_300, 7_700, 16_500, 17_600, 19_800].map(|ms| (ms, again));
    assert_eq!(hard, expected);
}

#[test]
fn kernels_of_old_waited_seven_tenths_of_a_second() {
    let old = Transport {
        timeout_ns: 700 * MS,
        ..Transport::UDP
    };
    let times = expiries(old, 3).into_iter().map(|it| it.0);
    assert_eq!(times.collect::<Vec<u64>>(), [700, 2_100, 4_900]);
}

#[test]
fn a_soft_mount_over_a_connection_gives_up_after_three_minutes() {
    let soft = Transport {
        is_soft: true,
        ..Transport::TCP
    };
    let expected = [(60_000, Expiry::Waits), (180_000, Expiry::GivesUp)];
    assert_eq!(expiries(soft, 10), expected);
    assert_eq!(Transport::TCP.timer(0), None);
}

#[test]
fn a_connection_waits_twice_as_long_each_time_up_to_two_minutes() {
    let times = [0, 1, 2, 10, 80].map(|attempt| retransmission_ns(2 * MS, attempt) / MS);
    assert_eq!(times, [202, 404, 808, 120_000, 120_000]);
}
