//! The studies, a file each.

mod benches;
mod centres_of_a;
mod centres_of_b;
mod char_figure10;
mod char_figure11;
mod char_figure13;
mod char_figure20;
mod char_figure7;
mod char_figure8;
mod char_table1;
mod char_table3;
mod char_table5;
mod char_tcp;
mod cpn_figure17;
mod cpn_figure5;
mod cpn_figure55;
mod cpn_orangefs;
mod cpn_table2;
mod cpn_table4;
mod cpn_validation;
mod diskless;
mod diskless_knees;
mod diskless_servers;
mod diskless_specweb99;
mod diskless_table1;
mod diskless_table2;
mod diskless_table3;
mod file_system_choice;
mod file_systems;
mod gains;
mod published_cells;
mod served_files;
mod served_table;
mod simulated_gains;
mod tr65_figure10;
mod tr65_figure11;
mod tr65_figure12;
mod tr65_figure13;
mod tr65_figure14;
mod tr65_figure5;
mod tr65_figure6;
mod tr65_figure7;
mod tr65_figure8;
mod tr65_figure9;
mod tr65_slides;
mod tr65_table1;
mod tr65_table2;
mod tr65_table3;
mod tr65_table4;
mod tr65_table5;
mod tr65_table6;
mod two_sites;

use super::document_study::DocumentStudy;

/// All studies, in the order of the documents.
pub(super) static ALL: [&dyn DocumentStudy; 39] = [
    &tr65_table1::STUDY,
    &tr65_table2::Table2,
    &tr65_table3::STUDY,
    &tr65_figure5::Figure5,
    &tr65_figure6::Figure6,
    &tr65_table4::Table4,
    &tr65_table5::Table5,
    &tr65_table6::Table6,
    &tr65_figure7::Figure7,
    &tr65_figure8::STUDY,
    &tr65_figure9::Figure9,
    &tr65_figure10::Figure10,
    &tr65_figure11::Figure11,
    &tr65_figure12::STUDY,
    &tr65_figure13::STUDY,
    &tr65_figure14::Figure14,
    &tr65_slides::Slides,
    &char_table1::Table1,
    &char_figure7::Figure7,
    &char_table3::STUDY,
    &char_figure8::Figure8,
    &char_figure10::Figure10,
    &char_figure11::Figure11,
    &char_figure13::Figure13,
    &char_tcp::Tcp,
    &char_table5::Table5,
    &char_figure20::Figure20,
    &diskless_table1::Table1,
    &diskless_table2::Table2,
    &diskless_table3::Table3,
    &diskless_specweb99::SpecWeb99,
    &diskless_servers::Servers,
    &cpn_table2::STUDY,
    &cpn_table4::Table4,
    &cpn_figure5::Figure5,
    &cpn_figure17::Figure17,
    &cpn_validation::Validation,
    &cpn_figure55::Figure55,
    &cpn_orangefs::OnOrangeFs,
];

/// The studies of these names, all where there are none.
pub(super) fn named(names: &[String]) -> Vec<&'static dyn DocumentStudy> {
    let all = ALL.iter().copied();
    all.filter(|study| names.is_empty() || names.iter().any(|name| name == study.name()))
        .collect()
}
