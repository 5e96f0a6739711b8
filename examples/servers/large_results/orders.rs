//! The table. The database skips the rows that were sent, so each page takes the same time.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use mcp_tool_runtime::{Cursor, Paged, mcp_tools};
use rusqlite::{Connection, params};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) struct Orders {
    database: Mutex<Connection>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Order {
    id: i64,
    customer: i64,
    article: String,
    /// In cents.
    price: i64,
}

impl Orders {
    /// Opens the table, and fills it if it is new.
    pub(crate) fn open(file: &Path, rows: u64) -> rusqlite::Result<Self> {
        let mut database = Connection::open(file)?;
        let transaction = database.transaction()?;
        transaction.execute_batch(
            "CREATE TABLE IF NOT EXISTS orders (
                 id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, article TEXT NOT NULL, price INTEGER NOT NULL
             ) STRICT;
             CREATE INDEX IF NOT EXISTS orders_of_customer ON orders (customer, id);",
        )?;
        let is_new =
            transaction.query_row("SELECT count(*) = 0 FROM (SELECT 1 FROM orders LIMIT 1)", [], |row| row.get(0))?;
        if is_new {
            transaction.execute(
                "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
                 INSERT INTO orders SELECT n, n % 100, 'article ' || (n * 7919 % 10007), n * 31 % 100000 FROM number",
                [i64::try_from(rows).unwrap_or(i64::MAX)],
            )?;
        }
        transaction.commit()?;
        Ok(Self { database: Mutex::new(database) })
    }
}

#[mcp_tools]
impl Orders {
    /// List orders by id.
    #[mcp_tool(blocking, read_only_hint)]
    fn list_orders(&self, customer: Option<u32>, after: Cursor<i64>) -> Result<Paged<Order>, rusqlite::Error> {
        let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let after = after.position().copied().unwrap_or_default();
        // Somewhat more rows than a page holds. What does not fit is not serialized.
        let mut query = database.prepare_cached(match customer {
            Some(_) => "SELECT * FROM orders WHERE id > ?1 AND customer = ?2 ORDER BY id LIMIT 1000",
            None => "SELECT * FROM orders WHERE id > ?1 AND ?2 IS NULL ORDER BY id LIMIT 1000",
        })?;
        let rows = query.query_map(params![after, customer], |row| {
            Ok(Order { id: row.get(0)?, customer: row.get(1)?, article: row.get(2)?, price: row.get(3)? })
        })?;
        let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
        Ok(Paged::by(rows, |order| order.id))
    }
}
