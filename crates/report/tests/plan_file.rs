//! The plan file as other programs read it.

use std::path::PathBuf;

use crate::sample::Sample;
use hotset_report::{OnDisk, PlanFileFormat};
use hotset_scenario::{FilePath, Placement};

/// Two files of the shop and one of the blog.
fn three_files() -> Sample {
    let mut sample = Sample::new();
    let shop = sample.placement.files.len() - 2;
    sample.placement.files.drain(1..shop);
    sample.on_disk = vec![OnDisk::NoRoot; 3];
    sample
}

fn lines(sample: &Sample) -> String {
    let file = sample.view().plan_file(PlanFileFormat::List).unwrap();
    String::from_utf8(file.contents).unwrap()
}

fn refusal(sample: &Sample, format: PlanFileFormat) -> String {
    sample.view().plan_file(format).unwrap_err().to_string()
}

#[test]
fn json_is_what_a_later_plan_reads() {
    let sample = Sample::new();
    let file = sample.view().plan_file(PlanFileFormat::Json).unwrap();
    assert_eq!(
        Placement::from_json(&file.contents).unwrap(),
        sample.placement
    );
}

#[test]
fn a_list_has_a_path_a_line_on_disk_where_that_is_known() {
    let mut sample = three_files();
    sample.on_disk[0] = OnDisk::At(PathBuf::from("/srv/blog/0.png"));
    sample.on_disk[1] = OnDisk::Missing;
    let file = sample.view().plan_file(PlanFileFormat::List).unwrap();
    assert_eq!(file.contents, b"/srv/blog/0.png\nshop/images/shop-14.png\n");
    assert_eq!((file.by_url, file.left_out), (1, 1));
}

#[test]
fn the_urls_of_a_single_site_stand_without_its_name() {
    let mut sample = three_files();
    sample.plan.sites.truncate(1);
    sample.placement.files.truncate(1);
    assert_eq!(lines(&sample), "/images/blog.example.org-0.png\n");
}

#[test]
fn vmtouch_gets_paths_that_end_with_nul_so_that_line_breaks_are_part_of_them() {
    let mut sample = three_files();
    let paths = ["/srv/a\nb", "/srv/c", "/srv/d"];
    sample.on_disk = paths.map(|path| OnDisk::At(path.into())).into();
    let file = sample.view().plan_file(PlanFileFormat::Vmtouch).unwrap();
    assert_eq!(file.contents, b"/srv/a\nb\0/srv/c\0/srv/d\0");
    let error = refusal(&sample, PlanFileFormat::List);
    assert!(error.starts_with("/srv/a%0Ab has a line break"), "{error}");
}

#[test]
fn a_line_break_in_a_url_is_refused_in_a_list_and_written_as_json() {
    let mut sample = three_files();
    sample.placement.files[2].path = FilePath(b"/x\ny".to_vec());
    assert!(refusal(&sample, PlanFileFormat::List).contains("write vmtouch or json"));
    assert!(sample.view().plan_file(PlanFileFormat::Json).is_ok());
}

#[test]
fn vmtouch_needs_the_root_of_every_site_that_holds_files() {
    let mut sample = three_files();
    sample.on_disk[0] = OnDisk::At("/srv/0".into());
    let error = refusal(&sample, PlanFileFormat::Vmtouch);
    assert!(
        error.contains("site `shop` has no document root"),
        "{error}"
    );
}

#[test]
fn a_list_for_several_nodes_is_refused() {
    let sample = Sample::of_two_nodes();
    for format in [PlanFileFormat::List, PlanFileFormat::Vmtouch] {
        assert!(refusal(&sample, format).contains("this plan is for web1, "));
    }
    assert!(sample.view().plan_file(PlanFileFormat::Json).is_ok());
}
