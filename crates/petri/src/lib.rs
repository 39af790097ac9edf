//! Timed coloured Petri nets, drawn in Rust and run at millions of firings a second.
//!
//! # A net
//!
//! A net has *places* that hold tokens and *transitions* that take and give them. A token may have a *colour*: a value of
//! a Rust type that implements [`Colour`]. A transition is *enabled* by a *binding*: a choice of ready tokens for its input arcs that its guard accepts.
//! Here a clerk serves customers in the order of their arrival:
//!
//! ```
//! use hotset_petri::{Choice, Delay, Net};
//!
//! let net = Net::build("counter", |page| {
//!     let queue = page.fifo("queue", ["Ann", "Bob"]);
//!     let idle = page.unit("idle clerks", 1);
//!     let served = page.sink("served");
//!     page.transition("serve")
//!         .take(&queue)
//!         .take(&idle)
//!         .put(&served)
//!         .put(&idle)
//!         .delay(Delay::constant(60.0))
//!         .fire(|customer, _| customer);
//! })?;
//!
//! let mut run = net.simulate(1, 0, Choice::Fair);
//! let first = run.step()?.expect("somebody waits");
//! let second = run.step()?.expect("somebody waits");
//! assert_eq!((first.binding.as_str(), first.time.secs()), ("\"Ann\"", 0.0));
//! assert_eq!((second.binding.as_str(), second.time.secs()), ("\"Bob\"", 60.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each `take` of a coloured place adds a variable to the binding; each `put` of one adds a value to what the code returns.
//! Places of uncoloured tokens ([`Page::unit`]) are counters and stand in neither.
//!
//! # What places offer
//!
//! | place | offers |
//! | --- | --- |
//! | [`Page::bag`] | all its tokens; equal ones are bindings of their own |
//! | [`Page::fifo`] | the token that was ready first |
//! | [`Page::priority`] | the token of the least [`Urgency::rank`] |
//! | [`Page::keyed`] | the tokens of the key that [`Transition::join`] names |
//! | [`Page::unit`] | as many tokens as an arc needs: one binding |
//! | [`Page::sink`] | nothing: tokens leave the net |
//!
//! # Time
//!
//! Time is as in CPN Tools. Tokens carry time stamps. A binding is enabled when its tokens are ready. An enabled
//! transition fires at once, and its delay stamps what it gives. When nothing is enabled, the clock goes on to the
//! next stamp. Of all enabled bindings of the most urgent transitions, each is as likely as the others
//! ([`Choice::Fair`]). An inhibitor arc counts all tokens of its place, ready or not; a reset takes them all.
//!
//! A guard that compares tokens of two bags would try every pair, so it is refused. A join looks its partner up instead:
//!
//! ```
//! use hotset_petri::{Choice, Net};
//!
//! let net = Net::build("answers", |page| {
//!     let open = page.keyed("open requests", [(7, "index.html"), (8, "logo.png")]);
//!     let answers = page.fifo("answers", [(8, 200), (7, 404)]);
//!     page.transition("accept")
//!         .take(&answers)
//!         .join(&open, |(request, _)| *request)
//!         .when(|((_, status), _)| *status == 200)
//!         .done();
//!     page.transition("report")
//!         .take(&answers)
//!         .join(&open, |(request, _)| *request)
//!         .when(|((_, status), _)| *status != 200)
//!         .done();
//! })?;
//! let mut run = net.simulate(1, 0, Choice::Fair);
//! let event = run.step()?.expect("an answer is there");
//! assert_eq!(event.binding, r#"((8, 200), (8, "logo.png"))"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Objects of a run
//!
//! What is too large to be a token, a cache for example, is an object of the run. Named transitions borrow it while they fire. It is
//! made when a run begins, and need be neither `Clone` nor `Send`. Code may return tokens with a delay each:
//!
//! ```
//! use std::collections::HashSet;
//! use hotset_petri::{Choice, Net, Time};
//!
//! let net = Net::build("reader", |page| {
//!     let wanted = page.fifo("wanted", ["a", "a"]);
//!     let read = page.fifo("read", []);
//!     let cache = page.object("cache", |_| HashSet::new());
//!     page.transition("read a file")
//!         .take(&wanted)
//!         .borrow(&cache)
//!         .put(read.timed())
//!         .fire_with(|file, cache, _| match cache.insert(file) {
//!             true => (Time::from_nanos(9_000_000), (file, "from the disk")),
//!             false => (Time::from_nanos(2_000), (file, "from memory")),
//!         });
//!     page.transition("answer").take(&read).done();
//! })?;
//! let mut run = net.simulate(1, 0, Choice::Fast);
//! run.run_firings(2)?;
//! let first = run.step()?.expect("a file was read");
//! assert_eq!(first.binding, r#"("a", "from memory")"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Pages
//!
//! A page is a function. Its parameters are ordinary arguments. Its ports are places that the page above connects to its own.
//! Places on different pages can also be one by the name of a fusion set ([`Page::fuse`]).
//!
//! ```
//! use hotset_petri::{Delay, Net, Page, Unit};
//!
//! fn machine(page: &mut Page<'_>, seconds: f64) -> (Unit, Unit) {
//!     let parts = page.unit_port("parts");
//!     let made = page.unit_port("made");
//!     page.transition("work")
//!         .take(&parts)
//!         .put(&made)
//!         .delay(Delay::constant(seconds))
//!         .done();
//!     (parts, made)
//! }
//!
//! let line = |connected: bool| {
//!     Net::build("line", |page| {
//!         let raw = page.unit("raw", 10);
//!         let half = page.unit("half made", 0);
//!         for (name, seconds, from, to) in [("saw", 2.0, raw, half), ("drill", 3.0, half, raw)] {
//!             let (parts, made) = page.page(name, |page| machine(page, seconds));
//!             page.connect(&parts, &from);
//!             if connected {
//!                 page.connect(&made, &to);
//!             }
//!         }
//!     })
//! };
//! let net = line(true)?;
//! assert_eq!(Vec::from_iter(net.transitions()), ["saw/work", "drill/work"]);
//! let error = line(false).unwrap_err().to_string();
//! assert!(error.starts_with("saw/made: the port is not connected"));
//! # Ok::<(), hotset_petri::NetError>(())
//! ```
//!
//! A queue with servers is the commonest page, so it is there: [`Page::station`]. A visit is one event, because the firing
//! that begins a service also says when it ends. A net that draws the end as a transition of its own serves alike; a test
//! compares both on random networks.
//!
//! # Answers
//!
//! Monitors say what is watched: tokens in places, rates of transitions, busy servers, times and values that code records.
//! An [`Experiment`] cuts the warm-up off, runs replications on all processors, and gives each monitor a 95 % interval.
//! Recorded times have a histogram, too. The same seed gives the same answer on any number of threads.
//!
//! The warm-up is found by the rule MSER-5 on five pilot runs, unless it is given. A single replication gets its intervals
//! from the means of 30 batches ([`batch_means`]). [`Answer::outcome`] turns an answer into the result type that simulations and
//! measurements share.
//!
//! ```
//! use hotset_petri::{StoppingRule, Experiment, Time, nets};
//!
//! let mm1 = nets::find("mm1").expect("it is in the library");
//! let net = mm1.build(&[("rho", 0.5)])?;
//! let experiment = Experiment {
//!     length: Time::from_nanos(2_000_000_000),
//!     enough: StoppingRule::Replications(10),
//!     ..Experiment::default()
//! };
//! let answer = experiment.run(&net, &())?;
//! let in_system = &answer.estimates[0];
//! // ρ / (1 − ρ) customers are in an M/M/1 queue.
//! assert_eq!(in_system.name, "in system");
//! assert!((in_system.mean - 1.0).abs() < 0.2);
//!
//! // A response takes 1 ms / (1 − ρ) on average, and its time is exponential.
//! let response = answer.estimates.iter().find(|it| it.name == "response time");
//! let median = response.and_then(|it| it.quantile(0.5)).expect("times were recorded");
//! assert!((median / 1e-3 - 2.0 * 2.0_f64.ln()).abs() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # All markings
//!
//! An [`Exploration`] goes through every marking that firings can lead to. Here two people each take one fork, and wait for the
//! other for ever:
//!
//! ```
//! use hotset_petri::{Exploration, Net};
//!
//! let net = Net::build("two forks", |page| {
//!     let [left, right] = ["left", "right"].map(|name| page.unit(name, 1));
//!     for (name, first, second) in [("Ann", left, right), ("Bob", right, left)] {
//!         page.page(name, |page| {
//!             let holds_one = page.unit("holds one", 0);
//!             page.transition("take one").take(&first).put(&holds_one).done();
//!             page.transition("eat").take(&holds_one).take(&second).put(&first).put(&second).done();
//!         });
//!     }
//! })?;
//! let mut space = Exploration::default().explore(&net, &|_| true)?;
//! assert_eq!((space.len(), space.bounds()), (4, &[1, 1, 1, 1][..]));
//!
//! let dead = space.dead().next().expect("both hold one");
//! let way = space.path_to(dead);
//! let names = way.iter().map(|step| net.transitions().nth(step.transition));
//! assert_eq!(Vec::from_iter(names.flatten()), ["Ann/take one", "Bob/take one"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Such a marking is no deadlock where the net has ended: where each place that [`Page::end`] has drawn has a token.
//!
//! Delays are ignored: enabled transitions fire in any order, and tokens that were given a delay come in any order. Code sees a
//! clock that stands at 0, and its draws of `chance` and `below` are followed to every outcome.
//!
//! A net of unit tokens whose delays are exponential is also a Markov chain. [`Net::stationary`] solves it exactly: mean tokens of
//! places and rates of transitions, to check a simulation with.
//!
//! # Other tools
//!
//! The crate `hotset-petri-exchange` draws nets, writes them for other tools and reads them back. What it needs to know of a net is its
//! [`Drawing`]. Structures declared by [`colour!`] and expressions in [`expr!`] are Rust that runs at full speed, and that other
//! tools understand too.
//!
//! # How it is fast
//!
//! The net is drawn as a tree of pages, flattened to dense numbers, and compiled: the arcs, guard and code of a transition become
//! one body behind one pointer, and tokens lie unboxed in their places. After a firing, only transitions
//! downstream of a changed place are looked at again, and one of those that are enabled is found in a tree of sums. Tokens that are not ready wait in a radix queue, whose cost hardly
//! grows with their number. Tokens that one firing gives for the same moment wait there as one.
//!
//! # Where each deed is done
//!
//! Rooms stand on each other: `places` and `state` below `net`, `arcs` and `author` on it, and `run`, `answer` and `space`
//! on top.
//!
//! | deed | place |
//! | --- | --- |
//! | what a net is once it is drawn: flat, with dense numbers | `net/flat.rs`; the drawing that it keeps: `net/drawing.rs` |
//! | draw a net; refuse what cannot be meant | `author`; the checks: `author/check.rs` |
//! | an order in which a place offers its tokens | `places/NAME.rs` |
//! | count bindings; choose one | `arcs/inputs.rs`; `run/choice.rs` |
//! | give tokens | `arcs/outputs.rs`; to one of several places: `arcs/one_of.rs` |
//! | lend objects of the run to code | `arcs/objects.rs`; made: `run/simulation.rs` |
//! | what code sees and may do while it fires | `state/firing.rs` |
//! | pending tokens | `state/queue.rs` |
//! | the loop of a run | `run/simulation.rs` |
//! | warm-up, replications, intervals | `answer` |
//! | every marking | `space` |
//! | a net of the library | `nets/NAME.rs` |

mod answer;
mod arcs;
mod author;
mod colour;
mod delay;
mod error;
mod expression;
mod handles;
mod monitor;
mod net;
pub mod nets;
mod places;
mod run;
mod space;
mod state;
mod stream;
mod time;

pub use answer::{
    Answer, Estimate, Experiment, Kind, StoppingRule, Watcher, batch_means, mean_and_half_width,
};
pub use arcs::OneOf;
pub use author::{Page, Sketch, Station, Transition};
pub use colour::{Colour, ColourSet, Constant};
pub use delay::Delay;
pub use error::{Flaw, NetError, RunError};
pub use expression::ExprText;
pub use handles::{AnyPlace, Object, Place, PlaceId, Samples, Times, TransitionId, Unit, Units};
pub use monitor::Monitor;
pub use net::{Drawing, DrawnPlace, DrawnTransition, Holding, Net, OutputArc, Urgent, Wording};
pub use places::{Bag, Discipline, Fifo, Keyed, Offer, Priority, Sink, Urgency};
pub use run::{Choice, Event, Simulation, Token};
pub use space::{
    ChainError, End, Exploration, LongRun, Marking, PlaceInvariant, SpaceError, StateSpace,
    SteadyState, Step, Weights,
};
pub use state::Firing;
pub use stream::Stream;
pub use time::Time;
