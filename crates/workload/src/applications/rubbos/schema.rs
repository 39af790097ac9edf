//! The tables of RUBBoS, and an index for each search and join of its pages.

use crate::applications::application::Table;

/// Columns of stories, new or old.
const STORY: &str = "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  title VARCHAR(100) NOT NULL,
  body TEXT NOT NULL,
  date DATETIME NOT NULL,
  writer INT UNSIGNED NOT NULL,
  category INT UNSIGNED NOT NULL,
  PRIMARY KEY (id)";

/// Columns of comments of either.
const COMMENT: &str = "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  writer INT UNSIGNED NOT NULL,
  story_id INT UNSIGNED NOT NULL,
  parent INT UNSIGNED NOT NULL,
  childs INT UNSIGNED NOT NULL,
  rating INT NOT NULL,
  date DATETIME NOT NULL,
  subject VARCHAR(100) NOT NULL,
  comment TEXT NOT NULL,
  PRIMARY KEY (id)";

/// In the order in which they are loaded.
pub(super) const TABLES: [Table; 8] = [
    Table {
        name: "categories",
        columns: "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  name VARCHAR(50) NOT NULL,
  PRIMARY KEY (id)",
        indexes: &[],
    },
    Table {
        name: "users",
        columns: "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  firstname VARCHAR(20) NOT NULL,
  lastname VARCHAR(20) NOT NULL,
  nickname VARCHAR(20) NOT NULL,
  password VARCHAR(20) NOT NULL,
  email VARCHAR(50) NOT NULL,
  rating INT NOT NULL,
  access TINYINT UNSIGNED NOT NULL,
  creation_date DATETIME NOT NULL,
  PRIMARY KEY (id)",
        indexes: &["nickname"],
    },
    Table {
        name: "stories",
        columns: STORY,
        indexes: &["date", "writer", "category, date", "title"],
    },
    Table {
        name: "old_stories",
        columns: STORY,
        indexes: &["date", "writer", "category, date", "title"],
    },
    Table {
        name: "submissions",
        columns: STORY,
        indexes: &["date"],
    },
    Table {
        name: "comments",
        columns: COMMENT,
        indexes: &["story_id, parent", "subject"],
    },
    Table {
        name: "old_comments",
        columns: COMMENT,
        indexes: &["story_id, parent", "subject"],
    },
    Table {
        name: "moderator_log",
        columns: "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  moderator_id INT UNSIGNED NOT NULL,
  comment_id INT UNSIGNED NOT NULL,
  rating INT NOT NULL,
  date DATETIME NOT NULL,
  PRIMARY KEY (id)",
        indexes: &[],
    },
];
