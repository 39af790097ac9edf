//! The pages of a net that writes, joined.

use hotset_petri::Page;

use super::application::application;
use super::balance::balance;
use super::copy::copy;
use super::disk::disk;
use super::file_system::file_system;
use super::flushing::flushing;
use super::fwrite::fwrite;
use super::generic_file_write::generic_file_write;
use super::job::WriteJob;
use super::journal::journal;
use super::journaling::Journaling;
use super::layout::FileLayout;
use super::places::{Cache, Copies, Kernel, Writes};
use super::write_back::WriteBack;
use crate::file_system::FileSystemKind;
use crate::nets::scheduler::scheduler;
use crate::nets::tokens::PageTree;

/// Adds all pages, from the application down to the disk: pictures have them in this order. Nets of file systems differ in the page
/// cache and in the file system, which is on the page of this `name`.
pub(super) fn write_path<T: PageTree>(
    page: &mut Page<'_>,
    job: &WriteJob,
    (name, kind): (&str, FileSystemKind),
    tree: T,
    add_cache: impl FnOnce(&mut Page<'_>, &Cache<T>),
) {
    let layout = FileLayout(kind);
    let writes = Writes::new(page);
    application(page, job, &writes);
    fwrite(page, job, &writes);
    let cache = Cache::new(page, tree);
    let copies = Copies::new(page);
    let (write_back, journaling) = (WriteBack::new(job, layout), Journaling::new(job, layout));
    let kernel = Kernel::new(page, write_back, journaling);
    generic_file_write(page, job, &writes, &cache, &copies, &kernel);
    copy(page, &job.copy, &copies);
    balance(page, &copies, &kernel);
    add_cache(page, &cache);
    journal(page, &writes, &kernel);
    flushing(page, &writes, &kernel);
    file_system(page, name, layout, &kernel);
    scheduler(page, job.scheduler, &kernel.to_disk);
    disk(page, (&job.disk, job.flush_ns), &writes, &cache, &kernel);
}
