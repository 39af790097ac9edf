//! The tables of RUBiS, and an index for each search and join of its pages.

use crate::applications::application::Table;

/// Columns of items, sold or not.
const ITEM: &str = "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  name VARCHAR(100) NOT NULL,
  description TEXT NOT NULL,
  initial_price DECIMAL(12,2) NOT NULL,
  quantity INT UNSIGNED NOT NULL,
  reserve_price DECIMAL(12,2) NOT NULL,
  buy_now DECIMAL(12,2) NOT NULL,
  nb_of_bids INT UNSIGNED NOT NULL,
  max_bid DECIMAL(12,2) NOT NULL,
  start_date DATETIME NOT NULL,
  end_date DATETIME NOT NULL,
  seller INT UNSIGNED NOT NULL,
  category INT UNSIGNED NOT NULL,
  PRIMARY KEY (id)";

/// In the order in which they are loaded.
pub(super) const TABLES: [Table; 8] = [
    Table {
        name: "regions",
        columns: "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  name VARCHAR(25) NOT NULL,
  PRIMARY KEY (id)",
        indexes: &[],
    },
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
  balance DECIMAL(12,2) NOT NULL,
  creation_date DATETIME NOT NULL,
  region INT UNSIGNED NOT NULL,
  PRIMARY KEY (id)",
        indexes: &["nickname", "region"],
    },
    Table {
        name: "items",
        columns: ITEM,
        indexes: &["seller", "category, end_date"],
    },
    Table {
        name: "old_items",
        columns: ITEM,
        indexes: &["seller", "category, end_date"],
    },
    Table {
        name: "bids",
        columns: "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  user_id INT UNSIGNED NOT NULL,
  item_id INT UNSIGNED NOT NULL,
  qty INT UNSIGNED NOT NULL,
  bid DECIMAL(12,2) NOT NULL,
  max_bid DECIMAL(12,2) NOT NULL,
  date DATETIME NOT NULL,
  PRIMARY KEY (id)",
        indexes: &["item_id", "user_id"],
    },
    Table {
        name: "comments",
        columns: "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  from_user_id INT UNSIGNED NOT NULL,
  to_user_id INT UNSIGNED NOT NULL,
  item_id INT UNSIGNED NOT NULL,
  rating INT NOT NULL,
  date DATETIME NOT NULL,
  comment TEXT NOT NULL,
  PRIMARY KEY (id)",
        indexes: &["from_user_id", "to_user_id", "item_id"],
    },
    Table {
        name: "buy_now",
        columns: "\
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  buyer_id INT UNSIGNED NOT NULL,
  item_id INT UNSIGNED NOT NULL,
  qty INT UNSIGNED NOT NULL,
  date DATETIME NOT NULL,
  PRIMARY KEY (id)",
        indexes: &["buyer_id", "item_id"],
    },
];
