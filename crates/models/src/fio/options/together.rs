//! What options together must be.

use crate::fio::{Delivery, Distribution, Engine, Job};

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
    let writing = writing_checks(job);
    let mut all = checks.iter().chain(&writing);
    match all.find(|(is_wrong, _)| *is_wrong) {
        Some((_, message)) => Err((*message).to_owned()),
        None => Ok(()),
    }
}

/// What options of a job that writes must be together: those that are right are simulated.
fn writing_checks(job: &Job) -> [(bool, &'static str); 8] {
    let writes = job.mode.writes();
    let syncs = job.syncs_at_end
        || job.syncs_on_close
        || job.sync_every.is_some()
        || job.data_sync_every.is_some()
        || job.range_sync.is_some();
    [
        (
            writes && job.engine == Engine::Mapped,
            "ioengine=mmap with a mode that writes is not modelled yet; write ioengine=psync",
        ),
        (
            writes && job.has_lists,
            "a value for each direction is not modelled for modes that write; give one for both",
        ),
        (
            !writes && job.log.is_none() && syncs,
            "fsync, fdatasync, sync_file_range, end_fsync and fsync_on_close change nothing where nothing is written; take them out, or give a \
             mode that writes, such as rw=write",
        ),
        (
            writes && job.delivery != Delivery::Kept,
            "only what is read is sent; give a mode that reads",
        ),
        (
            job.appends && job.mode.reads(),
            "file_append=1 with a mode that reads is not modelled: fio makes the file longer each time; take it out",
        ),
        (
            job.appends && (job.loops > 1 || job.time_based),
            "file_append=1 with loops or time_based is not modelled: fio looks for the file's end anew; give a larger size",
        ),
        (
            job.appends && job.filename.is_some() && job.threads > 1,
            "file_append=1 with filename and numjobs is not modelled: each process appends to what the one before has made; write a job for \
             each process",
        ),
        (
            job.creates_on_open && job.mode.reads() && job.log.is_none(),
            "create_on_open=1 with a mode that reads leaves fio with an empty file; take it out",
        ),
    ]
}
