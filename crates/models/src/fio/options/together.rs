//! What options together must be.

use crate::fio::{Distribution, Engine, Job};

/// A device reads no less, bytes.
pub(in crate::fio) const SECTOR_BYTES: u64 = 512;

/// What options together must be.
pub(in crate::fio) fn check(job: &Job) -> Result<(), String> {
    let in_blocks = job.size_bytes.is_multiple_of(job.blocks.least());
    let zoned = job.distribution.zoned_bytes();
    let checks = [
        (
            job.log.is_some() && job.threads > 1,
            "read_iolog and numjobs together are not modelled: fio has the other processes read the first file alone; write \
             a job for each process",
        ),
        (
            job.log.is_none() && job.replays_at_once,
            "replay_no_stall is of logs; give read_iolog, or take it out",
        ),
        (
            job.log.is_none() && job.size_bytes == 0,
            "has no size; write one, such as size=1g",
        ),
        (
            job.size_bytes > 0 && job.blocks.least() > job.size_bytes,
            "bs is larger than size; give a smaller bs",
        ),
        (
            job.io_bytes.is_some_and(|it| it < job.blocks.most()),
            "io_size is smaller than bs; give a larger one",
        ),
        (
            job.bytes_per_s.is_some() && job.reads_per_s.is_some(),
            "rate and rate_iops exclude each other, in fio too; give one of them",
        ),
        (
            job.distribution != Distribution::Uniform && !in_blocks,
            "random_distribution needs a size of whole blocks: fio ends when it draws the last one, which is cut off",
        ),
        (
            zoned.is_some_and(|bytes| bytes > job.size_bytes),
            "random_distribution has zones behind the end of size; fio ends with an error",
        ),
        (
            job.io_bytes.is_some() && job.loops > 1,
            "io_size and loops together are not modelled; give one of them",
        ),
        (
            job.time_based && job.runtime_us.is_none(),
            "time_based needs a runtime, such as runtime=10s",
        ),
        (
            job.direct && !(job.blocks.least() | job.offset_bytes).is_multiple_of(SECTOR_BYTES),
            "direct=1 needs a bs and an offset of whole sectors of 512 bytes",
        ),
        (
            job.engine == Engine::Mapped && job.direct,
            "ioengine=mmap with direct=1 is not modelled: fio then takes each block out of the page table once it is copied; write \
             direct=0",
        ),
        (
            job.engine == Engine::Mapped && job.log.is_some(),
            "ioengine=mmap with read_iolog is not modelled: what mappings of files lose that a log closes is not followed; write \
             ioengine=psync",
        ),
        (
            job.think_us > 0.0 && job.handed_over() > 1,
            "thinktime with an iodepth above 1 is not modelled; write iodepth=1",
        ),
    ];
    match checks.iter().find(|(is_wrong, _)| *is_wrong) {
        Some((_, message)) => Err((*message).to_owned()),
        None => Ok(()),
    }
}
