//! Nets of the comparison, run by libpetri's fastest executor: `peer-libpetri NET FIRINGS` prints the firings and their
//! seconds of processor time.
//!
//! libpetri has no random delays and no time stamps of tokens, so its nets are untimed: each firing follows the one
//! before at once. It has no guards either: the code of a transition chooses among its outputs instead. A run ends when
//! nothing is enabled, so a token counts how often it may still go round.

use std::fs;

use libpetri::core::action::ActionError;
use libpetri::core::match_spec::MatchSpec;
use libpetri::core::name::NameId;
use libpetri::{
    BoxedAction, CompiledNet, In, Marking, NoopEventStore, Out, PetriNet, Place, PrecompiledNet,
    PrecompiledNetExecutor, Token, Transition, TransitionContext, and, one, out_place, sync_action,
    xor,
};

type Code = fn(&mut TransitionContext) -> Result<(), ActionError>;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let firings: u64 = arguments[2].parse().expect("a number of firings");
    let (net, marking, firings) = match arguments[1].as_str() {
        "closed network" => closed_network(firings),
        "producer-consumer" => producer_consumer(firings),
        "guards and join" => join(firings),
        other => panic!("libpetri has no {other}"),
    };
    let program = PrecompiledNet::from_compiled(CompiledNet::compile(&net));
    let mut executor = PrecompiledNetExecutor::<NoopEventStore>::builder(&program, marking)
        .skip_output_validation(true)
        .build();
    let started = processor_time();
    let left = executor.run_sync();
    let seconds = processor_time() - started;
    assert!(left.has_tokens("done"), "the run ended too early");
    println!("{firings} {seconds}");
}

fn transition(name: &str, inputs: Vec<In>, output: Out, code: BoxedAction) -> Transition {
    let of = Transition::builder(name).inputs(inputs).output(output);
    of.action(code).build()
}

fn code(of: Code) -> BoxedAction {
    sync_action(of)
}

/// Passes tokens on as they are, each from one place to another.
fn pass(arcs: &'static [(&str, &str)]) -> BoxedAction {
    sync_action(move |context| {
        for (from, to) in arcs {
            let token = context.input_raw(from)?;
            context.output_raw(to, token)?;
        }
        Ok(())
    })
}

/// 100 customers go round three servers. A customer is the number of rounds that are left.
fn closed_network(firings: u64) -> (PetriNet, Marking, u64) {
    const CUSTOMERS: u64 = 100;
    let rounds = firings / 3 / CUSTOMERS;
    let queues = ["queue 1", "queue 2", "queue 3"].map(Place::<u64>::new);
    let idle = ["idle 1", "idle 2", "idle 3"].map(Place::<()>::new);
    let done = Place::<u64>::new("done");
    let served: [BoxedAction; 3] = [
        code(|context| {
            let left = *context.input::<u64>("queue 1")?;
            let to = if left == 0 { "done" } else { "queue 2" };
            context.output(to, left.saturating_sub(1))?;
            context.output("idle 1", ())
        }),
        pass(&[("queue 2", "queue 3"), ("idle 2", "idle 2")]),
        pass(&[("queue 3", "queue 1"), ("idle 3", "idle 3")]),
    ];
    let mut net = PetriNet::builder("closed network");
    for (server, code) in served.into_iter().enumerate() {
        let next = out_place(&queues[(server + 1) % 3]);
        let next = if server == 0 {
            xor(vec![next, out_place(&done)])
        } else {
            next
        };
        net = net.transition(transition(
            &format!("serve {}", server + 1),
            vec![one(&queues[server]), one(&idle[server])],
            and(vec![next, out_place(&idle[server])]),
            code,
        ));
    }
    let mut marking = Marking::new();
    (0..CUSTOMERS).for_each(|_| marking.add(&queues[0], Token::at(rounds, 0)));
    idle.iter()
        .for_each(|place| marking.add(place, Token::at((), 0)));
    (net.build(), marking, rounds * 3 * CUSTOMERS + CUSTOMERS)
}

/// A producer, ten slots and a consumer. The producer is the number of items that are still to be made.
fn producer_consumer(firings: u64) -> (PetriNet, Marking, u64) {
    let producer = Place::<u64>::new("producer");
    let consumer = Place::<()>::new("consumer");
    let slots = Place::<()>::new("slots");
    let items = Place::<u64>::new("items");
    let done = Place::<u64>::new("done");
    let produce = transition(
        "produce",
        vec![one(&producer), one(&slots)],
        and(vec![
            out_place(&items),
            xor(vec![out_place(&producer), out_place(&done)]),
        ]),
        code(|context| {
            let left = *context.input::<u64>("producer")?;
            context.output("items", left)?;
            context.output(
                if left == 0 { "done" } else { "producer" },
                left.saturating_sub(1),
            )
        }),
    );
    let consume = transition(
        "consume",
        vec![one(&items), one(&consumer)],
        and(vec![out_place(&slots), out_place(&consumer)]),
        code(|context| {
            context.output("slots", ())?;
            context.output("consumer", ())
        }),
    );
    let net = PetriNet::builder("producer-consumer")
        .transition(produce)
        .transition(consume);
    let mut marking = Marking::new();
    marking.add(&producer, Token::at(firings / 2, 0));
    marking.add(&consumer, Token::at((), 0));
    (0..10).for_each(|_| marking.add(&slots, Token::at((), 0)));
    (net.build(), marking, firings / 2 * 2 + 2)
}

/// A client, its name and how many requests it still makes.
#[derive(Clone)]
struct Client {
    name: NameId,
    left: u64,
}

/// An answer to a client's request; every fourth is a failure.
#[derive(Clone)]
struct Answer {
    client: NameId,
    failed: bool,
}

/// Ten clients whose requests are joined with their answers by name; failed ones are asked again. Of four answers one
/// is a failure, so that a client's round of asking and answering is 2 + 1/3 firings.
fn join(firings: u64) -> (PetriNet, Marking, u64) {
    const CLIENTS: u64 = 10;
    // Three requests in a row are seven firings: one of them fails once.
    let requests = firings / CLIENTS / 7 * 3;
    let thinking = Place::<Client>::new("thinking");
    let open = Place::<Client>::new("open");
    let answers = Place::<Answer>::new("answers");
    let done = Place::<Client>::new("done");
    let ask = transition(
        "ask",
        vec![one(&thinking)],
        xor(vec![
            and(vec![out_place(&open), out_place(&answers)]),
            out_place(&done),
        ]),
        code(|context| {
            let client = context.input::<Client>("thinking")?;
            if client.left == 0 {
                return context.output_raw("done", client);
            }
            let failed = client.left.is_multiple_of(3);
            context.output(
                "answers",
                Answer {
                    client: client.name.clone(),
                    failed,
                },
            )?;
            context.output_raw("open", client)
        }),
    );
    let by_name = MatchSpec::builder()
        .key(&open, |client: &Client| client.name.clone())
        .key(&answers, |answer: &Answer| answer.client.clone())
        .build();
    let answer = Transition::builder("answer")
        .inputs(vec![one(&open), one(&answers)])
        .output(xor(vec![
            out_place(&thinking),
            and(vec![out_place(&open), out_place(&answers)]),
        ]))
        .match_spec(by_name)
        .action(code(|context| {
            let client = context.input::<Client>("open")?;
            let answer = context.input::<Answer>("answers")?;
            if answer.failed {
                context.output(
                    "answers",
                    Answer {
                        failed: false,
                        ..(*answer).clone()
                    },
                )?;
                return context.output_raw("open", client);
            }
            let left = client.left - 1;
            context.output(
                "thinking",
                Client {
                    left,
                    ..(*client).clone()
                },
            )
        }))
        .build();
    let net = PetriNet::builder("guards and join")
        .transition(ask)
        .transition(answer);
    let mut marking = Marking::new();
    for client in 0..CLIENTS {
        let name = NameId::new(client.to_string());
        marking.add(
            &thinking,
            Token::at(
                Client {
                    name,
                    left: requests,
                },
                0,
            ),
        );
    }
    (net.build(), marking, CLIENTS * (requests / 3 * 7 + 1))
}

/// Processor time of this thread, in seconds.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux says it");
    let nanos = stat
        .split(' ')
        .next()
        .and_then(|first| first.parse::<f64>().ok());
    nanos.expect("the first number is nanoseconds") / 1e9
}
