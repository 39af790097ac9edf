//! Generates the twins of Olympics98, NYSE and Proxy and prints each row of the published table beside
//! what the twin measures: `cargo run --release -p hotset-workload --example twin_tables -- [SCALE]`.
#![allow(
    clippy::print_stdout,
    reason = "printing the table is what the example is for"
)]

mod measure;

use hotset_workload::{GenerateError, Generator, Twin, Workload};

fn main() -> Result<(), GenerateError> {
    let scale = std::env::args()
        .nth(1)
        .and_then(|scale| scale.parse().ok())
        .unwrap_or(1.0);
    for workload in Workload::ALL {
        let twin = Twin { workload, scale };
        let trace = twin.generate(1)?;
        println!("\n{} at scale {scale}", workload.name);
        let minutes = f64::from(twin.minutes());
        for ((row, wanted), (_, measured)) in measure::wanted(&twin.target())
            .into_iter()
            .zip(measure::measured(&trace, minutes))
        {
            println!(
                "{row:28} {wanted:>16.1} {measured:>16.1} {:>8.4}",
                measured / wanted
            );
        }
        for (row, wanted, measured) in measure::beside_the_table(&trace, &twin.target()) {
            let ratio = measured / wanted;
            println!("{row:28} {wanted:>16.1} {measured:>16.1} {ratio:>8.4}");
        }
    }
    Ok(())
}
