//! Clients: who makes the requests, and takes the answers.

use std::ops::Range;
use std::sync::Arc;

use hotset_petri::{Colour, Fifo, Firing, Page, Place, Time};

use super::board::Board;
use super::links::{Sender, inlet, outlets};
use super::route::{Onward, Route, Sent};
use crate::tiers::counts::Counts;
use crate::tiers::message::Message;
use crate::tiers::system::{Arrivals, ByClass, ClientClass, Tiers};
use crate::tiers::traffic::Traffic;

/// A client who thinks.
#[derive(Clone, Copy, Debug)]
struct Client {
    class: u16,
    /// The connection that the client keeps; nothing where the next request needs one.
    connection: Option<u32>,
    /// Whether the client has made no request yet.
    is_new: bool,
    /// How often all clients had begun anew when this one came. One of an earlier round has gone.
    round: u32,
}

impl Colour for Client {}

/// The caches are warm: from now on clients make requests of their own.
#[derive(Clone, Copy, Debug)]
struct Warm;

impl Colour for Warm {}

/// Clients have made requests of their own for long enough. They begin anew, and are measured.
#[derive(Clone, Copy, Debug)]
struct Settled;

impl Colour for Settled {}

/// The request that comes next, by its place in the traffic.
#[derive(Clone, Copy, Debug)]
struct Arrival(u32);

impl Colour for Arrival {}

/// Draws them.
pub(super) fn clients(page: &mut Page<'_>, tiers: &Tiers, board: &Board) {
    match &tiers.arrivals {
        Arrivals::Open(entries) => {
            let ways = entries.iter().map(|&entry| {
                let onward = Onward::from_switch(board, entry, true);
                (Some(entry), onward)
            });
            let asked = Route::of(board, ways.collect());
            open(page, board, &asked, (entries, tiers.keeps_connections()));
        }
        closed_loops => {
            let classes = closed_loops.classes();
            let by_class = match closed_loops {
                Arrivals::ByClass(it) => Some(it),
                _ => None,
            };
            let asked = ways(page, board, tiers, classes);
            closed(page, board, asked, (classes, by_class));
        }
    }
}

/// How requests of a class leave their clients.
#[derive(Clone, Copy)]
struct Leaving {
    /// What names their place among those that requests go to.
    target: usize,
    /// The node that the clients are on.
    home: Option<usize>,
}

/// How requests of each class leave their clients, and the places that all of them go to. Those of clients on no node come to the nodes
/// that they ask at once, others by links.
fn ways(
    page: &mut Page<'_>,
    board: &Board,
    tiers: &Tiers,
    classes: &[ClientClass],
) -> (Vec<Leaving>, Route) {
    let nodes = tiers.client_nodes.iter().enumerate();
    let sent = nodes.map(|(place, _)| client_node(page, board, tiers, place, classes));
    let sent: Vec<Route> = sent.collect();
    let each = classes.iter().enumerate().map(|(class, it)| {
        let at_switch = Onward::from_switch(board, it.asks, true);
        let (target, onward) = match it.node {
            None => (it.asks, at_switch),
            Some(node) => {
                let onward = sent[node].onward(Some(it.asks)).unwrap_or(at_switch);
                (tiers.nodes_count() + class, onward)
            }
        };
        let home = tiers.home(it);
        (Leaving { target, home }, (Some(target), onward))
    });
    let (ways, onward): (Vec<Leaving>, Vec<(Option<usize>, Onward)>) = each.unzip();
    (ways, Route::of(board, onward))
}

/// Draws the links of a node with clients alone; how what they ask leaves it.
fn client_node(
    page: &mut Page<'_>,
    board: &Board,
    tiers: &Tiers,
    place: usize,
    classes: &[ClientClass],
) -> Route {
    let (node, at) = (&tiers.client_nodes[place], tiers.nodes.len() + place);
    let own = classes.iter().filter(|it| it.node == Some(place));
    let targets: Vec<Option<usize>> = own.map(|it| Some(it.asks)).collect();
    let sent = Route::leaving(board, at, &targets, node.link.is_none());
    let sender = Sender {
        at,
        link: node.link,
        targets: &targets,
    };
    page.page(&node.name, |page| {
        inlet(page, (board, tiers), (at, node.link), &board.senders[at]);
        outlets(page, (board, tiers), sender, &sent)
    })
}

/// How long a client at least does nothing whose connection is refused. Assumed: without it, clients who do not think would go through
/// all their requests in no time.
const REFUSED: Time = Time::from_nanos(1_000_000);

/// How much later than others have left clients begin anew, so that their requests are told apart by time.
const NEXT: Time = Time::from_nanos(1);

/// A request, and when who makes requests goes on.
type Asked<C> = (Option<Sent>, Option<(Time, C)>);

/// How clients make requests who wait for answers.
struct Asking {
    traffic: Arc<Traffic>,
    classes: Vec<ClientClass>,
    /// By class.
    ways: Vec<Leaving>,
    /// The requests of each class, where it has some of its own.
    own: Vec<Range<usize>>,
    route: Route,
}

impl Asking {
    /// The request that a client of a class makes next; nothing where none is left.
    fn next(&self, class: u16, counts: &mut Counts) -> Option<usize> {
        let class = usize::from(class);
        let own = self.own.get(class);
        let (row, end) = match own.filter(|_| counts.asked >= self.traffic.warm_up) {
            Some(own) => (own.start + counts.make(class), own.end),
            None => (counts.asked, self.traffic.requests.len()),
        };
        (row < end).then(|| {
            counts.asked += 1;
            row
        })
    }

    /// A client has thought.
    fn ask(&self, client: Client, counts: &mut Counts, firing: &mut Firing<'_>) -> Asked<Client> {
        if client.round != counts.faults.round() {
            return (None, None);
        }
        let ClientClass {
            asks,
            think_ns,
            timeout_ns,
            ..
        } = self.classes[usize::from(client.class)];
        let goes_on = Client {
            is_new: false,
            ..client
        };
        if client.is_new && think_ns > 0 {
            // Clients who all began at once would go on doing so for long.
            let wait_ns = (firing.random().unit() * think_ns as f64) as u64;
            return (None, Some((Time::from_nanos(wait_ns), goes_on)));
        }
        let Some(row) = self.next(client.class, counts) else {
            return (None, None);
        };
        let (file, _) = self.traffic.file_of(row);
        let Leaving { target, home } = self.ways[usize::from(client.class)];
        let connection = client.connection.unwrap_or_else(|| counts.connect());
        let request = Message::request(row, file, client.class, asks, firing.now());
        let request = request.sent_from(home).on(connection);
        if counts.faults.is_out_of_reach(home, asks) {
            counts.fail(firing.now(), &request, &self.traffic);
            let wait = Time::from_nanos(think_ns).max(REFUSED);
            let refused = Client {
                connection: None,
                ..goes_on
            };
            return (None, Some((wait, refused)));
        }
        counts.faults.ask(&request);
        if let Some(for_ns) = timeout_ns {
            let class = usize::from(client.class);
            (counts.patience).wait(class, &request, for_ns, &counts.faults);
        }
        let now = firing.now();
        let asked = self.route.send(now, Some(target), request, counts);
        (Some(asked), None)
    }
}

/// How requests come by the clock.
struct Arriving {
    traffic: Arc<Traffic>,
    entries: Vec<usize>,
    /// Whether the requests of a connection go to the same node.
    has_connections: bool,
    route: Route,
}

impl Arriving {
    /// The time of a request has come.
    fn arrive(
        &self,
        Arrival(number): Arrival,
        counts: &mut Counts,
        firing: &mut Firing<'_>,
    ) -> Asked<Arrival> {
        counts.asked += 1;
        let row = number as usize;
        let (file, _) = self.traffic.file_of(row);
        let connection = self.traffic.connection_of(row);
        let turn = match self.has_connections {
            true => connection as usize,
            false => row,
        };
        let entry = self.entries[turn % self.entries.len()];
        let request = Message::request(row, file, 0, entry, firing.now()).on(connection);
        let next = self.traffic.gap_ns(row);
        let next = next.map(|gap_ns| (Time::from_nanos(gap_ns), Arrival(number + 1)));
        if counts.faults.is_out_of_reach(None, entry) {
            counts.fail(firing.now(), &request, &self.traffic);
            return (None, next);
        }
        counts.faults.ask(&request);
        let now = firing.now();
        let asked = self.route.send(now, Some(entry), request, counts);
        (Some(asked), next)
    }
}

/// All clients, in the order of their classes.
fn all(classes: &[ClientClass]) -> Vec<Client> {
    let all = classes.iter().enumerate().flat_map(|(class, it)| {
        let client = Client {
            class: class as u16,
            connection: None,
            is_new: true,
            round: 0,
        };
        std::iter::repeat_n(client, it.clients as usize)
    });
    all.collect()
}

/// Each client makes the next request of the traffic, or of those that its class has, waits for its answer, and thinks.
fn closed(
    page: &mut Page<'_>,
    board: &Board,
    (ways, asked): (Vec<Leaving>, Route),
    (classes, by_class): (&[ClientClass], Option<&ByClass>),
) {
    let mut first = all(classes);
    if by_class.is_some() && board.traffic.warm_up > 0 {
        first.truncate(1);
    }
    let thinking = page.fifo("thinking", first);
    let asking = Asking {
        traffic: Arc::clone(&board.traffic),
        classes: classes.to_vec(),
        ways,
        own: by_class.map_or_else(Vec::new, |it| it.requests.clone()),
        route: asked.clone(),
    };
    let ask = page
        .transition("ask")
        .take(&thinking)
        .borrow(&board.counts)
        .put(asked.arcs().maybe().timed())
        .put(thinking.maybe().timed());
    match &board.events {
        None => ask.fire_with(move |client, counts, firing| asking.ask(client, counts, firing)),
        Some(events) => {
            let (events, first) = (events.clone(), board.traffic.warm_up);
            ask.put(events.due.maybe().timed())
                .fire_with(move |client, counts, firing| {
                    let before = counts.asked;
                    let (request, client) = asking.ask(client, counts, firing);
                    let is_first = before == first && counts.asked > before;
                    (request, client, events.first().filter(|_| is_first))
                })
        }
    };
    giving_up(page, board, classes, &thinking);
    let receiving = Receiving {
        traffic: Arc::clone(&board.traffic),
        classes: classes.to_vec(),
    };
    match by_class {
        None => {
            page.transition("receive")
                .take(&board.answered)
                .borrow(&board.counts)
                .put(thinking.maybe().timed())
                .fire_with(move |piece: Message, counts, firing| {
                    receiving.receive(piece, counts, firing.now())
                });
        }
        Some(it) => by_rounds(page, board, (receiving, it), &thinking),
    }
}

/// It is looked at what clients of a class give up.
#[derive(Clone, Copy, Debug)]
struct Late(u16);

impl Colour for Late {}

/// Draws how clients give up what takes too long, where some do. They think then, as after an answer.
fn giving_up(
    page: &mut Page<'_>,
    board: &Board,
    classes: &[ClientClass],
    thinking: &Place<Fifo<Client>>,
) {
    let ends = classes.iter().enumerate();
    let ends = ends.filter_map(|(class, it)| it.timeout_ns.map(|_| Late(class as u16)));
    let ends: Vec<Late> = ends.collect();
    if ends.is_empty() {
        return;
    }
    let (classes, traffic) = (classes.to_vec(), Arc::clone(&board.traffic));
    let patience = page.fifo("patience", ends);
    page.transition("give up")
        .take(&patience)
        .borrow(&board.counts)
        .put(thinking.many().timed())
        .put(patience.maybe().timed())
        .fire_with(move |Late(number), counts, firing| {
            let (now, class) = (firing.now(), &classes[usize::from(number)]);
            let (given_up, next) =
                (counts.patience).end(usize::from(number), now, &mut counts.faults);
            for request in &given_up {
                counts.fail(now, request, &traffic);
            }
            let client = Client {
                class: number,
                // They have closed theirs.
                connection: None,
                is_new: false,
                round: counts.faults.round(),
            };
            let think = Time::from_nanos(class.think_ns);
            let clients = vec![(think, client); given_up.len()];
            // Nothing that is asked for later is given up sooner.
            let idle = class.timeout_ns.filter(|_| !counts.has_ended());
            let idle = idle.map(|timeout_ns| now + Time::from_nanos(timeout_ns));
            let next = next.or(idle).map(|next| (next - now, Late(number)));
            (clients, next)
        });
}

/// How clients have their answers who wait for them.
struct Receiving {
    traffic: Arc<Traffic>,
    classes: Vec<ClientClass>,
}

impl Receiving {
    /// A piece of an answer has come; a client who has all of it thinks.
    fn receive(&self, piece: Message, counts: &mut Counts, now: Time) -> Option<(Time, Client)> {
        let has_ended = counts.receive(now, &piece, &self.traffic);
        has_ended.then(|| {
            let think_ns = self.classes[usize::from(piece.class)].think_ns;
            let client = Client {
                class: piece.class,
                connection: (!piece.is_error).then_some(piece.connection),
                is_new: false,
                round: counts.faults.round(),
            };
            (Time::from_nanos(think_ns), client)
        })
    }
}

/// Draws how clients have their answers of whom each class has requests of its own. One client warms the caches up, so that requests come
/// in their order. Then all of them ask until they have settled. They leave where they are, and begin anew.
fn by_rounds(
    page: &mut Page<'_>,
    board: &Board,
    (receiving, by_class): (Receiving, &ByClass),
    thinking: &Place<Fifo<Client>>,
) {
    let (warm_up, all) = (board.traffic.warm_up, all(&by_class.classes));
    let warm = page.fifo("warm", (warm_up == 0).then_some(Warm));
    let settled: Place<Fifo<Settled>> = page.fifo("settled", []);
    let others: Vec<Client> = all.iter().skip(1).copied().collect();
    page.transition("receive")
        .take(&board.answered)
        .borrow(&board.counts)
        .put(thinking.many().timed())
        .put(warm.maybe())
        .fire_with(move |piece: Message, counts, firing| {
            let client = receiving.receive(piece, counts, firing.now());
            let is_warm = client.is_some() && counts.ended == warm_up;
            let mut clients: Vec<(Time, Client)> = client.into_iter().collect();
            if is_warm {
                clients.extend(others.iter().map(|it| (Time::ZERO, *it)));
            }
            (clients, is_warm.then_some(Warm))
        });
    let settling_ns = by_class.settling_ns;
    page.transition("settle")
        .take(&warm)
        .put(settled.maybe().timed())
        .fire(move |Warm, _| {
            let settling = Time::from_nanos(settling_ns);
            (settling_ns > 0).then_some((settling, Settled))
        });
    page.transition("begin anew")
        .take(&settled)
        .borrow(&board.counts)
        .put(thinking.many().timed())
        .fire_with(move |Settled, counts, firing| {
            counts.begin_anew(firing.now());
            let round = counts.faults.round();
            let clients = all.iter().map(|it| (NEXT, Client { round, ..*it }));
            clients.collect::<Vec<_>>()
        });
}

/// Requests come at the traffic's times, whatever becomes of earlier ones.
fn open(
    page: &mut Page<'_>,
    board: &Board,
    asked: &Route,
    (entries, has_connections): (&[usize], bool),
) {
    let arriving = page.fifo("arriving", [Arrival(0)]);
    let arrivals = Arriving {
        traffic: Arc::clone(&board.traffic),
        entries: entries.to_vec(),
        has_connections,
        route: asked.clone(),
    };
    let arrive = page
        .transition("arrive")
        .take(&arriving)
        .borrow(&board.counts)
        .put(asked.arcs().maybe().timed())
        .put(arriving.maybe().timed());
    match &board.events {
        None => arrive.fire_with(move |it, counts, firing| arrivals.arrive(it, counts, firing)),
        Some(events) => {
            let (events, first) = (events.clone(), board.traffic.warm_up);
            arrive
                .put(events.due.maybe().timed())
                .fire_with(move |it: Arrival, counts, firing| {
                    let is_first = it.0 as usize == first;
                    let (request, next) = arrivals.arrive(it, counts, firing);
                    (request, next, events.first().filter(|_| is_first))
                })
        }
    };
    let traffic = Arc::clone(&board.traffic);
    page.transition("receive")
        .take(&board.answered)
        .borrow(&board.counts)
        .fire_with(move |piece: Message, counts, firing| {
            counts.receive(firing.now(), &piece, &traffic);
        });
}
