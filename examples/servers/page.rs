//! A restaurant with a web page: look at its tools, fill in their forms, call them.
//!
//! `cargo run -p mcp-tool-servers --example page` prints the address of the page. The tools are chosen to show what the page does: a form for
//! each kind of parameter, errors at their fields, a running call with progress, questions, pictures and sounds.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Router;
use mcp_tool_runtime::{
    Audio, CallContext, Consent, Content, Dispatcher, Image, IntoToolError, Tasks, Text, http::Endpoint, http::Page,
    mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Area {
    /// Inside, quiet.
    Inside,
    /// On the terrace, only in summer.
    Terrace,
}

/// What a table must have.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Wishes {
    area: Option<Area>,
    /// At the window.
    #[serde(default)]
    window: bool,
    /// What guests cannot eat.
    #[serde(default)]
    allergies: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Table {
    number: u8,
    seats: u8,
    area: Area,
    window: bool,
}

#[derive(Debug, thiserror::Error, IntoToolError)]
enum BookingError {
    #[error("no table for {0} guests is free on {1}")]
    #[tool_error(additional_prompt_content = "offer the guest another day")]
    Full(u8, String),
    #[error("the kitchen is busy")]
    #[tool_error(retry_after_ms = 2_000)]
    Busy,
}

const TABLES: [Table; 4] = [
    Table { number: 1, seats: 2, area: Area::Inside, window: true },
    Table { number: 2, seats: 4, area: Area::Inside, window: false },
    Table { number: 3, seats: 6, area: Area::Terrace, window: false },
    Table { number: 4, seats: 12, area: Area::Inside, window: true },
];

/// Find the free tables of a day.
///
/// A table is free if it has a seat for each guest and fits all the `wishes`.
#[mcp_tool(read_only_hint, tags("guests"), example_call(day = "2026-07-28".to_owned(), guests = 4u8))]
async fn find_tables(
    /// The day of the visit.
    #[schemars(extend("format" = "date"))]
    day: String,
    /// The number of guests.
    #[schemars(range(min = 1, max = 12))]
    guests: u8,
    /// The time of arrival.
    #[mcp_tool(default = "19:00", example = "19:30")]
    #[schemars(regex(pattern = r"^[0-2][0-9]:[0-5][0-9]$"))]
    time: String,
    wishes: Option<Wishes>,
) -> Result<Vec<Table>, BookingError> {
    let _ = time;
    let fits = |table: &Table| {
        table.seats >= guests
            && wishes.as_ref().is_none_or(|wishes| {
                wishes.area.is_none_or(|area| area == table.area) && (table.window || !wishes.window)
            })
    };
    let free: Vec<_> = TABLES.into_iter().filter(fits).collect();
    if free.is_empty() { Err(BookingError::Full(guests, day)) } else { Ok(free) }
}

/// Who comes.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Guest {
    #[schemars(length(min = 1, max = 60))]
    name: String,
    #[schemars(email)]
    email: Option<String>,
}

/// Book a table. The guest confirms it.
#[mcp_tool(tags("guests"))]
async fn book_table(
    /// The number of the table.
    table: u8,
    #[mcp_tool(ask = "Who is the guest for table {table}?")] guest: Guest,
    #[mcp_tool(ask = "Book table {table} now?")] _sure: Consent,
) -> String {
    format!("table {table} is booked for {}", guest.name)
}

/// How a guest pays.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "method", rename_all = "snake_case")]
enum Payment {
    /// In notes and coins.
    Cash,
    /// With a card.
    Card {
        /// The last four digits.
        #[schemars(length(equal = 4))]
        digits: String,
    },
    /// With a voucher.
    Voucher { code: u64 },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Dish {
    name: String,
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 20))]
    count: u8,
}

fn one() -> u8 {
    1
}

#[derive(Debug, Serialize, JsonSchema)]
struct Bill {
    dishes: Vec<Dish>,
    payment: Payment,
    notes: BTreeMap<String, String>,
    /// In cents.
    total: u64,
}

/// Order dishes for a table.
#[mcp_tool(tags("kitchen"))]
async fn order(
    #[schemars(length(min = 1))] dishes: Vec<Dish>,
    payment: Payment,
    /// A wish for each dish, by its name.
    #[serde(default)]
    notes: BTreeMap<String, String>,
) -> Bill {
    let total = dishes.iter().map(|dish| 1_250 * u64::from(dish.count)).sum();
    Bill { dishes, payment, notes, total }
}

/// Cook a menu, course by course. It takes some seconds and reports its progress.
#[mcp_tool(tags("kitchen"))]
async fn cook(
    /// The number of courses.
    #[schemars(range(min = 1, max = 100))]
    courses: u8,
    #[mcp_tool(context)] cx: &CallContext,
) -> String {
    for course in 1..=courses {
        cx.progress(course, courses, format!("Course {course} is served"));
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    format!("{courses} courses are served")
}

/// Smoke a ham. The call is a task, which continues without the page.
#[mcp_tool(task, tags("kitchen"))]
async fn smoke_ham(
    /// The number of rounds. A round takes less than a second here.
    #[schemars(range(min = 1, max = 1000))]
    rounds: u16,
    #[mcp_tool(context)] cx: &CallContext,
) -> String {
    for round in 1..=rounds {
        cx.progress(round, rounds, format!("Round {round} of {rounds}"));
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    "the ham is smoked".to_owned()
}

/// Throw the list of bookings away.
#[mcp_tool(destructive_hint, tags("guests"))]
async fn clear_bookings(#[mcp_tool(ask = "Throw all bookings away for good?")] _sure: Consent) {}

/// Show the dish of the day, and ring the bell.
#[mcp_tool(read_only_hint, tags("kitchen"))]
async fn dish_of_the_day() -> Vec<Content> {
    vec![
        Text::new("Tomato soup with basil.\nServed from 12:00.").into(),
        Image::new(soup(), "image/svg+xml").into(),
        Audio::new(bell(), "audio/wav").into(),
    ]
}

/// Ask the kitchen for the waiting time.
#[mcp_tool(read_only_hint, tags("kitchen"))]
async fn waiting_time() -> Result<u32, BookingError> {
    Err(BookingError::Busy)
}

/// Print the till roll. The printer is broken, and a model must not learn where it is.
#[mcp_tool(read_only_hint)]
async fn print_till_roll() -> Result<(), std::io::Error> {
    Err(std::io::Error::other("printer at 10.0.0.7 refused the password"))
}

fn soup() -> &'static str {
    r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 120" width="240" height="120">
<rect width="240" height="120" fill="#f6e7d3"/><ellipse cx="120" cy="74" rx="84" ry="30" fill="#fff"/>
<ellipse cx="120" cy="68" rx="66" ry="20" fill="#d6452c"/><path d="M108 66q8-12 16 0q-8 8-16 0z" fill="#2f7d3b"/>
<path d="M92 36q6-8 0-16M120 34q6-8 0-16M148 36q6-8 0-16" stroke="#c9b39a" fill="none" stroke-width="3"/></svg>"##
}

/// Makes a sound of half a second: 8,000 samples a second, one byte each.
fn bell() -> Vec<u8> {
    const SAMPLES: u32 = 4_000;
    let mut file = [
        b"RIFF".as_slice(),
        &(36 + SAMPLES).to_le_bytes(),
        b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data",
    ]
    .concat();
    file.extend_from_slice(&SAMPLES.to_le_bytes());
    // A square wave of 800 Hz that gets quieter.
    file.extend((0..SAMPLES).map(|at| {
        let volume = u8::try_from(60 * (SAMPLES - at) / SAMPLES).unwrap_or(0);
        if at / 5 % 2 == 0 { 128 + volume } else { 128 - volume }
    }));
    file
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder()
        .tools(tools![
            find_tables,
            book_table,
            order,
            cook,
            smoke_ham,
            dish_of_the_day,
            waiting_time,
            clear_bookings,
            print_till_roll
        ])
        .tasks(Tasks::in_memory())
        .info("restaurant", env!("CARGO_PKG_VERSION"))
        .title("Restaurant")
        .instructions("Find a table first, then book it. `order` needs no booking.")
        .build()?;
    let page = Page::new(dispatcher.clone());
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let listener = TcpListener::bind(address).await?;
    eprintln!("open http://{}/", listener.local_addr()?);
    // The page is for people on this machine. It has no authentication of its own, so it does not belong on the internet.
    let application = Router::new().route_service("/mcp", Endpoint::new(dispatcher)).fallback_service(page);
    Ok(axum::serve(listener, application).await?)
}
