//! Tables are aligned, fit their width, and show hostile text as text.

use hotset_document::{Column, Style, Table, display_width, printable, shorten_middle};

fn held_files() -> Table {
    let mut table = Table::new([
        Column::flexible("file"),
        Column::number("size"),
        Column::number("requests/h"),
    ]);
    table.row(["/images/jordan-80.png", "6 KiB", "12.3"]);
    table.strong_row([
        "/presentations/logstash-monitorama-2013/images/kibana-dashboard3.png",
        "170 KiB",
        "1,250",
    ]);
    table
}

#[test]
fn columns_are_aligned() {
    insta::assert_snapshot!(held_files().render(Style::PLAIN), @r"
    file                                                                     size  requests/h
    /images/jordan-80.png                                                   6 KiB        12.3
    /presentations/logstash-monitorama-2013/images/kibana-dashboard3.png  170 KiB       1,250
    ");
}

#[test]
fn a_narrow_terminal_shortens_paths_in_the_middle() {
    let text = held_files().render(Style {
        width: Some(50),
        ..Style::PLAIN
    });
    insta::assert_snapshot!(text, @r"
    file                              size  requests/h
    /images/jordan-80.png            6 KiB        12.3
    /presentations…dashboard3.png  170 KiB       1,250
    ");
}

#[test]
fn a_table_too_wide_breaks_its_headers_then_goes_on_below() {
    let mut table = Table::new([
        Column::flexible("site"),
        Column::number("file reads"),
        Column::number("requests per connection"),
        Column::number("saved"),
    ]);
    table.row(["www.example.com", "12,345", "3.2", "12.3 % (8.1–15.0 %)"]);
    let at = |width| {
        table.render(Style {
            width: Some(width),
            ..Style::PLAIN
        })
    };
    insta::assert_snapshot!(at(80), @r"
    site             file reads  requests per connection                saved
    www.example.com      12,345                      3.2  12.3 % (8.1–15.0 %)
    ");
    insta::assert_snapshot!(at(60), @r"
                               requests
                       file         per
    site              reads  connection                saved
    www.example.com  12,345         3.2  12.3 % (8.1–15.0 %)
    ");
    insta::assert_snapshot!(at(40), @r"
                               requests
                       file         per
    site              reads  connection
    www.example.com  12,345         3.2

    site                           saved
    www.example.com  12.3 % (8.1–15.0 %)
    ");
}

#[test]
fn colour_appears_only_when_asked_for() {
    assert!(!held_files().render(Style::PLAIN).contains('\x1b'));
    assert!(held_files().render(Style::terminal(80)).contains("\x1b[1m"));
}

#[test]
fn escape_sequences_in_a_path_do_not_reach_the_terminal() {
    let mut table = Table::new([Column::flexible("file")]);
    table.row(["/a\x1b[2J\x07\u{202e}gnp.exe\r\n\u{9b}31m"]);
    let text = table.render(Style::PLAIN);
    assert_eq!(text, "file\n/a%1B[2J%07%E2%80%AEgnp.exe%0D%0A%C2%9B31m\n");
}

#[test]
fn plain_text_is_left_as_it_is() {
    assert_eq!(printable("/straße/日本.html"), "/straße/日本.html");
}

#[test]
fn shortening_counts_columns_not_characters() {
    let short = shorten_middle("/日本語日本語日本語/index.html", 12);
    assert!(display_width(&short) <= 12, "{short}");
    assert!(
        short.starts_with("/日") && short.ends_with(".html"),
        "{short}"
    );
    assert_eq!(shorten_middle("abc", 0), "");
    assert_eq!(shorten_middle("abc", 1), "…");
    assert_eq!(shorten_middle("abc", 3), "abc");
}

#[test]
fn html_cells_are_escaped() {
    let mut table = Table::new([Column::flexible("file")]);
    table.row(["<script>alert(1)</script>"]);
    let html = table.html("Held <files>").into_string();
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "{html}"
    );
    assert!(!html.contains("<script>"), "{html}");
    assert!(
        html.contains("scope=\"col\"") && html.contains("scope=\"row\""),
        "{html}"
    );
}

#[test]
fn a_table_that_nothing_shortens_keeps_its_paths_and_goes_on_below_at_100_columns() {
    let columns = (0..14).map(|i| Column::number(&format!("store number {i}")));
    let mut table = Table::new([Column::flexible("site")].into_iter().chain(columns));
    table.row(["www.example.com"].into_iter().chain(["12.3 ms"; 14]));
    let text = table.render(Style::PLAIN);
    assert!(
        text.lines().all(|line| display_width(line) <= 100),
        "{text}"
    );
    assert_eq!(text.matches("www.example.com").count(), 2, "{text}");
    let columns = (0..14).map(|i| Column::number(&format!("store number {i}")));
    let labels = [Column::flexible("site"), Column::text("memory used by")];
    let mut table = Table::new(labels.into_iter().chain(columns));
    for arm in ["page cache alone", "plan"] {
        table.row(["www.example.com", arm].into_iter().chain(["12.3 ms"; 14]));
    }
    let text = table.render(Style::PLAIN);
    let lines = text.lines().filter(|line| line.contains("12.3 ms"));
    let labelled = |line: &str| line.contains("page cache alone") || line.contains("plan  ");
    assert!(
        lines.clone().count() > 2 && lines.clone().all(labelled),
        "{text}"
    );
    let mut table = Table::new([Column::flexible("path"), Column::number("reads an hour")]);
    let path = format!("/{}", "long/".repeat(60));
    table.row([path.as_str(), "7"]);
    let text = table.render(Style::PLAIN);
    assert!(text.starts_with("path ") && text.contains(&path), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn a_page_has_what_leads_right_behind_the_labels() {
    let table: Table = Table::of([1u64])
        .text("site", |_| "shop")
        .text("memory used by", |_| "plan")
        .count("accesses", |it| *it)
        .count("moved", |it| *it)
        .percent("saves", |_| 0.5)
        .leading()
        .into();
    let html = table.html("Gain").into_string();
    let place = |header: &str| html.find(&format!(">{header}<")).expect(header);
    let order = ["site", "memory used by", "saves", "accesses", "moved"].map(place);
    assert!(order.is_sorted(), "{html}");
    let text = table.render(Style::PLAIN);
    assert!(
        text.starts_with("site  memory used by  accesses  moved   saves"),
        "{text}"
    );
}
