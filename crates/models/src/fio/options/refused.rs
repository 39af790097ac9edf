//! Options of fio that are not modelled, and why.

/// The reason why `option` is refused, where it is one that fio has.
pub(super) fn reason(option: &str) -> Option<&'static str> {
    Some(match option {
        "allow_file_create" => "files are always as long as size and offset say",
        "blockalign" | "bs_unaligned" => "reads are aligned to bs",
        "buffered" => "write direct=0 or direct=1",
        "cgroup" => "memory groups are not modelled; write --set memory=512MiB for hotset instead",
        "cpus_allowed" => "processors are not told apart",
        "cpuload" => "only reading and writing are modelled",
        "exec_prerun" | "exec_postrun" => "no program is run",
        "exitall" => "jobs end by themselves",
        "file_service_type" => "a process reads one file, so there is none to choose; take it out",
        "filename_format" => "files keep fio's names; give filename for one of your own",
        "filesize" => "files are as long as size says",
        "hipri" => "polling is not modelled",
        "iodepth_batch" | "iodepth_batch_submit" => "reads are handed over one by one",
        "iodepth_batch_complete" => "reads are taken back one by one",
        "iodepth_low" => "the queue is kept full",
        "latency_target" => "the queue's depth does not change",
        "mem" => "memory of buffers is not modelled",
        "nice" | "prio" | "prioclass" => "priorities are not modelled",
        "nrfiles" => {
            "a process reads one file; take it out, and give numjobs where processes may read a file each"
        }
        "offset_increment" => "each process has a file of its own unless filename is given",
        "pre_read" => "write invalidate=0: files are then in memory, as far as they fit",
        "rate_min" => "only the highest rate is modelled",
        "rate_process" => "reads come as evenly as rate says",
        "thinktime_blocks" => "the pause comes after each read",
        "thinktime_spin" => "a pause leaves the processor free",
        "verify" => "verifying is not modelled",
        "zonemode" => "zoned devices are not modelled",
        _ => return None,
    })
}
