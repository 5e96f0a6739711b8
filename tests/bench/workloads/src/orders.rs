//! The tool `order`: nested structures, numbers, strings and an enum, given back with a total.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an item must be treated.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Handling {
    /// Like anything.
    Standard,
    /// With care.
    Fragile,
    /// Never warm.
    Chilled,
}

/// One line of an order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Number of the article.
    #[schemars(length(min = 1))]
    pub sku: String,
    /// What it is called.
    pub name: String,
    /// How many of it.
    #[schemars(range(min = 1))]
    pub quantity: u32,
    /// The price of one.
    #[schemars(range(min = 0.0))]
    pub unit_price: f64,
    /// How it must be treated.
    pub handling: Handling,
    /// What it is filed under.
    pub tags: Vec<String>,
    /// Words to the packer.
    pub note: Option<String>,
}

/// Where to.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Address {
    /// Street and number.
    pub street: String,
    /// Town.
    pub city: String,
    /// Two letters.
    pub country: String,
}

/// An order with its total.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Order {
    /// Number of the order.
    pub id: String,
    /// Who ordered.
    pub customer: String,
    /// Where to.
    pub ship_to: Address,
    /// What was ordered.
    pub items: Vec<Item>,
    /// The price of all.
    pub total: f64,
}

/// The tool.
#[must_use]
pub fn order(of: Arguments) -> Order {
    let Arguments { id, customer, ship_to, items } = of;
    let total = items.iter().map(|item| f64::from(item.quantity) * item.unit_price).sum();
    Order { id, customer, ship_to, items, total }
}

/// What the tool is called with.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Arguments {
    /// Number of the order.
    pub id: String,
    /// Who orders.
    pub customer: String,
    /// Where to.
    pub ship_to: Address,
    /// What is ordered.
    pub items: Vec<Item>,
}

/// An order of 20 items.
#[must_use]
pub fn arguments() -> Arguments {
    let item = |number: u32| Item {
        sku: format!("SKU-{number:05}"),
        name: format!("Item number {number}"),
        quantity: number + 1,
        unit_price: 9.99 + f64::from(number),
        handling: [Handling::Standard, Handling::Fragile, Handling::Chilled][number as usize % 3],
        tags: ["garden", "sale", "two words"].map(String::from).to_vec(),
        note: number.is_multiple_of(2).then(|| "handle with care".to_owned()),
    };
    Arguments {
        id: "order-20251125-1".to_owned(),
        customer: "Ann Example".to_owned(),
        ship_to: Address {
            street: "1 Long Street".to_owned(),
            city: "Springfield".to_owned(),
            country: "US".to_owned(),
        },
        items: (0..20).map(item).collect(),
    }
}
