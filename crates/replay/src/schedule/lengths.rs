//! How long the body of an answer should be.

use hotset_trace::read::CountingRule;
use hotset_trace::{Method, NO_OBJECT, Trace};

use super::columns::UNKNOWN_BYTES;

/// Of which files the trace tells how long they are.
pub(super) struct Lengths {
    known: Vec<bool>,
}

impl Lengths {
    /// A file's size is that of its file on disk or of a full response; a size that is merely the longest
    /// part of it that was asked for tells nothing, nor does a log that has no sizes at all. By the rule C1 a file is
    /// the bytes that were logged.
    pub fn of(trace: &Trace, counting: CountingRule) -> Lengths {
        let requests = &trace.requests;
        if counting == CountingRule::C1 {
            return Lengths {
                known: vec![true; trace.objects.len()],
            };
        }
        if requests.bytes.iter().all(|bytes| *bytes == 0)
            && trace.objects.size.iter().all(|size| *size <= 1)
        {
            return Lengths {
                known: vec![false; trace.objects.len()],
            };
        }
        let mut full = vec![false; trace.objects.len()];
        let mut longest_part = vec![0; trace.objects.len()];
        let of_files = (0..requests.len()).filter(|&row| requests.object[row] != NO_OBJECT);
        for row in of_files.filter(|&row| requests.method[row] == Method::Get) {
            let object = requests.object[row] as usize;
            match requests.status[row] {
                200 => full[object] = true,
                206 => longest_part[object] = requests.bytes[row].max(longest_part[object]),
                _ => {}
            }
        }
        let sizes = trace.objects.size.iter().zip(longest_part);
        let known = |(full, (size, part)): (bool, (&u64, u64))| full || *size > part;
        Lengths {
            known: full.into_iter().zip(sizes).map(known).collect(),
        }
    }

    /// Bytes of the body that answers the request of `row`. A trace counts an empty file as 1 byte, and
    /// what was sent of it as 0.
    pub fn expected(&self, trace: &Trace, row: usize) -> u64 {
        let object = trace.requests.object[row] as usize;
        match trace.objects.size[object] {
            _ if !self.known[object] => UNKNOWN_BYTES,
            1 => trace.requests.bytes[row].min(1),
            size => size,
        }
    }
}
