//! Emulated browsers follow links and forms of the pages that they receive.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::support::PATIENCE;
use hotset_replay::{
    Endpoint, ErrorKind, NoObserver, ReplayError, SessionOptions, SessionsResult, replay_sessions,
};
use hotset_test_support::together;
use hotset_workload::applications::{Application, Tpcw};
use hotset_workload::sessions::{
    Field, Mix, Next, PageType, SessionLength, ThinkTime, Transition, Value, stationary,
};

/// What a shop was asked: method, target, body.
type Asked = Arc<Mutex<Vec<(String, String, String)>>>;

/// A server of pages by their paths; one that is not there is an error of the server.
struct Shop {
    address: SocketAddr,
    asked: Asked,
}

impl Shop {
    fn open(pages: &'static [(&'static str, &'static str)]) -> Shop {
        together();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let asked = Asked::default();
        let seen = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = seen.clone();
                thread::spawn(move || serve(stream, pages, &seen));
            }
        });
        Shop { address, asked }
    }

    fn options(&self) -> SessionOptions {
        let endpoint = Endpoint::resolve(&format!("http://{}", self.address)).expect("a URL");
        SessionOptions {
            clients: 2,
            // A client that is kept from the processor for longer asks for nothing.
            duration: Duration::from_secs(1),
            connect_timeout: PATIENCE,
            response_timeout: PATIENCE,
            ..SessionOptions::new(endpoint)
        }
    }

    fn visited(&self, mix: &Mix) -> SessionsResult {
        replay_sessions(mix, &self.options(), &NoObserver).expect("a replay")
    }

    fn asked(&self) -> Vec<(String, String, String)> {
        self.asked.lock().expect("no panic").clone()
    }
}

fn serve(stream: TcpStream, pages: &[(&str, &str)], seen: &Asked) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let mut words = line.split(' ').map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let mut length = 0;
        loop {
            let mut field = String::new();
            reader.read_line(&mut field).ok()?;
            if let Some(value) = field.strip_prefix("Content-Length: ") {
                length = value.trim().parse().ok()?;
            }
            if field.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let body = String::from_utf8(body).ok()?;
        let path = target.split('?').next()?.to_owned();
        seen.lock().ok()?.push((method, target, body));
        let page = pages.iter().find(|(of, _)| *of == path);
        let (status, html) = page.map_or(("500 Oh", ""), |(_, html)| ("200 OK", *html));
        // In two chunks, as scripts send their pages.
        let (one, two) = html.split_at(html.len() / 2);
        let chunk = |part: &str| format!("{:x}\r\n{part}\r\n", part.len());
        let chunks: String = [one, two]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(chunk)
            .collect();
        let head = format!("HTTP/1.1 {status}\r\nTransfer-Encoding: chunked\r\n\r\n");
        writer
            .write_all(format!("{head}{chunks}0\r\n\r\n").as_bytes())
            .ok()?;
    }
}

/// Pages by their names, each followed by the next ones with these shares.
fn mix(pages: &[(&str, &[(Next, f64)])]) -> Mix {
    let page = |(name, next): &(&str, &[(Next, f64)])| PageType {
        name: (*name).to_owned(),
        path: format!("/{name}.php"),
        fields: Vec::new(),
        next: next
            .iter()
            .map(|(to, share)| Transition {
                to: *to,
                share: *share,
            })
            .collect(),
    };
    Mix {
        name: "test".to_owned(),
        think: ThinkTime::NONE,
        session: SessionLength::default(),
        shares_of: 1.0,
        pages: pages.iter().map(page).collect(),
    }
}

/// The measured part of a page type.
fn page<'a>(result: &'a SessionsResult, name: &str) -> &'a hotset_replay::Metrics {
    let found = result.pages.iter().find(|(page, _)| page == name);
    &found.expect("a page of the mix").1
}

#[test]
fn values_of_links_and_forms_are_carried_and_blanks_are_filled_in() {
    let shop = Shop::open(&[
        (
            "/home.php",
            "<a href=\"item.php?token=7&amp;of=a%26b\">item</a> <a href=\"/else.php\">no</a>",
        ),
        (
            "/item.php",
            "<form method=post action=buy.php><input type=hidden name=key value=k1><input name=word></form>",
        ),
        (
            "/buy.php",
            "<form action=home.php><input type=hidden name=id value=9></form>",
        ),
    ]);
    let mut mix = mix(&[
        ("home", &[(Next::Page(1), 1.0)]),
        ("item", &[(Next::Page(2), 1.0)]),
        ("buy", &[(Next::Page(0), 1.0)]),
    ]);
    mix.pages[2].fields = vec![Field {
        name: "word".to_owned(),
        share: 1.0,
        value: Value::Letters(3, 3),
    }];
    let result = shop.visited(&mix);
    let (sessions, asked) = (result.sessions, shop.asked());
    assert_eq!(
        (sessions.begun, sessions.without_link, sessions.broken),
        (2, 0, 0)
    );
    assert!(result.total.requests >= 6, "{}", result.total.requests);
    assert_eq!(result.total.errors.total(), 0);
    assert!(
        sessions.posts > 0 && sessions.posts < sessions.forms,
        "{sessions:?}"
    );
    let of_pages: u64 = result.pages.iter().map(|(_, page)| page.requests).sum();
    assert_eq!(of_pages, result.total.requests);
    assert!(result.pages_per_s > 0.0);
    for (method, target, body) in &asked {
        match target.split('?').next() {
            Some("/home.php") => assert!(target == "/home.php" || target == "/home.php?id=9"),
            Some("/item.php") => assert_eq!(target, "/item.php?token=7&of=a%26b"),
            _ => {
                assert_eq!((&**method, &**target), ("POST", "/buy.php"));
                let word = body.strip_prefix("key=k1&word=").expect("both fields");
                assert!(word.len() == 3 && word.bytes().all(|it| it.is_ascii_lowercase()));
            }
        }
    }
    assert!(
        asked
            .iter()
            .any(|(_, target, _)| target == "/home.php?id=9")
    );
}

/// A page with a link to each page of TPC-W, at each of their paths.
const EVERYWHERE: &str = "<a href=home.php>a</a><a href=new_products.php>a</a><a href=best_sellers.php>a</a>\
    <a href=product_detail.php>a</a><a href=search_request.php>a</a><a href=search_results.php>a</a>\
    <a href=shopping_cart.php>a</a><a href=customer_registration.php>a</a><a href=buy_request.php>a</a>\
    <a href=buy_confirm.php>a</a><a href=order_inquiry.php>a</a><a href=order_display.php>a</a>\
    <a href=admin_request.php>a</a><a href=admin_confirm.php>a</a>";

#[test]
fn pages_served_have_the_mix_of_the_shop() {
    let shop = Shop::open(&[
        ("/home.php", EVERYWHERE),
        ("/new_products.php", EVERYWHERE),
        ("/best_sellers.php", EVERYWHERE),
        ("/product_detail.php", EVERYWHERE),
        ("/search_request.php", EVERYWHERE),
        ("/search_results.php", EVERYWHERE),
        ("/shopping_cart.php", EVERYWHERE),
        ("/customer_registration.php", EVERYWHERE),
        ("/buy_request.php", EVERYWHERE),
        ("/buy_confirm.php", EVERYWHERE),
        ("/order_inquiry.php", EVERYWHERE),
        ("/order_display.php", EVERYWHERE),
        ("/admin_request.php", EVERYWHERE),
        ("/admin_confirm.php", EVERYWHERE),
    ]);
    let size = Tpcw {
        items: 1000,
        customers: 2880,
    };
    let mut mix = size.mixes().remove(1);
    mix.think = ThinkTime::NONE;
    let visited = |seconds| {
        let options = SessionOptions {
            clients: 4,
            duration: Duration::from_secs(seconds),
            ..shop.options()
        };
        replay_sessions(&mix, &options, &NoObserver).expect("a replay")
    };
    let mut result = visited(2);
    if result.total.requests < 500 {
        // A busy machine takes longer for as many.
        result = visited(20);
    }
    let all = result.total.requests as f64;
    assert!(all >= 500.0, "{all} pages");
    assert_eq!(
        (result.sessions.without_link, result.sessions.broken),
        (0, 0)
    );
    let shares = stationary(&mix).expect("nobody goes back");
    for ((name, page), share) in result.pages.iter().zip(shares) {
        let served = page.requests as f64 / all;
        // Pages of one visitor follow each other, so that their counts vary more than those of draws.
        let bound = 6.0 * (share * (1.0 - share) / all).sqrt() + 4.0 / all;
        assert!(
            (served - share).abs() < bound,
            "{name}: {served}, not {share}"
        );
    }
}

#[test]
fn a_page_that_nothing_leads_to_is_asked_for_all_the_same_and_counted() {
    let shop = Shop::open(&[("/home.php", "nothing"), ("/item.php", "nothing")]);
    let mut mix = mix(&[
        ("home", &[(Next::Page(1), 1.0)]),
        ("item", &[(Next::End, 1.0)]),
    ]);
    mix.pages[1].fields = vec![Field {
        name: "id".to_owned(),
        share: 1.0,
        value: Value::OneOf(vec!["4".to_owned()]),
    }];
    let result = shop.visited(&mix);
    let sessions = result.sessions;
    assert!(sessions.without_link > 0, "{sessions:?}");
    assert_eq!(sessions.links + sessions.forms, 0);
    assert!(sessions.ended > 0 && sessions.begun >= sessions.ended);
    assert!(
        shop.asked()
            .iter()
            .any(|(_, target, _)| target == "/item.php?id=4")
    );
}

#[test]
fn going_back_asks_for_the_page_before_with_its_values() {
    let shop = Shop::open(&[
        ("/home.php", "<a href=list.php?of=3>list</a>"),
        ("/list.php", "<a href=item.php>item</a>"),
        ("/item.php", ""),
    ]);
    let mix = mix(&[
        ("home", &[(Next::Page(1), 1.0)]),
        ("list", &[(Next::Page(2), 1.0)]),
        ("item", &[(Next::Back, 1.0)]),
    ]);
    let result = shop.visited(&mix);
    assert!(result.sessions.back > 1, "{:?}", result.sessions);
    let (lists, items) = (page(&result, "list"), page(&result, "item"));
    assert!(lists.requests + 4 >= items.requests && lists.requests > 2);
    let targets = shop.asked().into_iter().map(|(_, target, _)| target);
    let mut of_list = targets.filter(|target| target.starts_with("/list"));
    assert!(of_list.all(|target| target == "/list.php?of=3"));
}

#[test]
fn an_error_ends_the_session_and_is_counted_by_page() {
    let shop = Shop::open(&[("/home.php", "<a href=gone.php>gone</a>")]);
    let mix = mix(&[("home", &[(Next::Page(1), 1.0)]), ("gone", &[])]);
    let result = shop.visited(&mix);
    let gone = page(&result, "gone");
    assert_eq!(gone.errors.get(ErrorKind::ServerError), gone.requests);
    assert!(gone.requests > 0);
    assert_eq!(result.sessions.broken, gone.requests);
    assert_eq!(page(&result, "home").errors.total(), 0);
}

#[test]
fn sessions_end_where_the_mix_lets_them() {
    let shop = Shop::open(&[
        ("/home.php", "<a href=item.php>item</a>"),
        ("/item.php", "<a href=home.php>home</a>"),
    ]);
    let mut mix = mix(&[
        ("home", &[(Next::Page(1), 1.0)]),
        ("item", &[(Next::Page(0), 1.0)]),
    ]);
    mix.session = SessionLength {
        time: Some(ThinkTime::NONE),
        ends_at: Some(0),
        most_pages: None,
    };
    let result = shop.visited(&mix);
    let (homes, items) = (
        page(&result, "home").requests,
        page(&result, "item").requests,
    );
    assert!(result.sessions.ended > 0, "{:?}", result.sessions);
    // Each session has both pages, however often it ends.
    assert!(homes.abs_diff(items) <= 2, "{homes} and {items}");
}

#[test]
fn threads_share_the_visitors() {
    let shop = Shop::open(&[("/home.php", "<a href=home.php>again</a>")]);
    let mix = mix(&[("home", &[(Next::Page(0), 1.0)])]);
    let options = SessionOptions {
        clients: 5,
        threads: 2,
        ..shop.options()
    };
    let result = replay_sessions(&mix, &options, &NoObserver).expect("a replay");
    assert_eq!((result.sessions.begun, result.connections), (5, 5));
}

#[test]
fn what_is_asked_for_in_ramp_and_warm_up_is_not_recorded() {
    let shop = Shop::open(&[("/home.php", "<a href=home.php>again</a>")]);
    let mix = mix(&[("home", &[(Next::Page(0), 1.0)])]);
    let options = SessionOptions {
        duration: Duration::from_millis(300),
        warm_up: Duration::from_millis(150),
        ..shop.options()
    };
    let result = replay_sessions(&mix, &options, &NoObserver).expect("a replay");
    assert_eq!(result.elapsed, Duration::from_millis(150));
    assert_eq!(result.sessions.begun, 0);
    let asked = shop.asked().len() as u64;
    assert!(result.total.requests < asked, "{asked}");
}

#[test]
fn what_sends_nothing_is_refused() {
    let shop = Shop::open(&[]);
    let mix = mix(&[("home", &[])]);
    let refuses = |options: SessionOptions, named: &str| {
        let error = replay_sessions(&mix, &options, &NoObserver).expect_err(named);
        let is_named = matches!(&error, ReplayError::Option { name, .. } if *name == named);
        assert!(is_named, "{error}");
    };
    refuses(
        SessionOptions {
            clients: 0,
            ..shop.options()
        },
        "clients",
    );
    refuses(
        SessionOptions {
            threads: 0,
            ..shop.options()
        },
        "threads",
    );
    let all = shop.options().duration;
    refuses(
        SessionOptions {
            ramp: all,
            ..shop.options()
        },
        "duration",
    );
    let endpoint = Endpoint::resolve("https://127.0.0.1:1").expect("a URL");
    refuses(
        SessionOptions {
            endpoint,
            ..shop.options()
        },
        "url",
    );
}
