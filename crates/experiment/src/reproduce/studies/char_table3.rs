//! B table 3: bandwidth of disk systems.

use super::published_cells;
use crate::reproduce::plain_study::{Contradiction, EMPTY, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-table3",
    title: "Sequential bandwidth of disk systems, MB/s",
    section: "B table 3",
    notes: &["An input: the drives of experiments/disks are made of these figures"],
    published: || published_cells::of(include_str!("../published/char-table3.csv"), ""),
    contradictions: &[
        Contradiction {
            passages: [
                "SCSI is about 50 % faster than IDE (§5.1)",
                "table 3 has it 66 % faster at reading and 41 % at writing",
            ],
            section: "B §5.1, table 3",
            why: "58 / 35 and 55 / 39; their mean is 53 %.",
        },
        Contradiction {
            passages: [
                "RAID is up to a factor of 2 faster than SCSI (§5.1)",
                "table 3 has a factor of 2.07 at reading and of 2.67 at writing",
            ],
            section: "B §5.1, table 3",
            why: "120 / 58 and 147 / 55: the table is above the bound of the text.",
        },
        Contradiction {
            passages: [
                "The SCSI disk MAM3184MC has 1500 revolutions a minute (§3)",
                "the disk of that name has 15 000",
            ],
            section: "B §3",
            why: "A misprint.",
        },
    ],
    ..EMPTY
};
