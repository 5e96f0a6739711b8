//! The tools of the proposal that added output schemas to the Model Context Protocol.

use chrono::NaiveDate;
use mcp_tool_runtime::{ToolError, mcp_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Units {
    #[default]
    Celsius,
    Fahrenheit,
}

impl Units {
    fn of_celsius(self, celsius: f64) -> f64 {
        match self {
            Self::Celsius => celsius,
            Self::Fahrenheit => celsius * 9.0 / 5.0 + 32.0,
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Weather {
    current: Conditions,
    forecast: Vec<Forecast>,
    location: Location,
}

#[derive(Serialize, JsonSchema)]
struct Conditions {
    temperature: f64,
    /// In per cent.
    humidity: u8,
    #[serde(rename = "conditions")]
    sky: &'static str,
    wind: Wind,
}

#[derive(Serialize, JsonSchema)]
struct Wind {
    speed: f64,
    direction: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Forecast {
    date: NaiveDate,
    high: f64,
    low: f64,
    conditions: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Location {
    city: String,
    country: &'static str,
    coordinates: Coordinates,
}

#[derive(Serialize, JsonSchema)]
struct Coordinates {
    latitude: f64,
    longitude: f64,
}

/// Get current weather conditions and forecast data for a location.
#[mcp_tool(title = "Weather Data Retriever", read_only_hint)]
pub(super) async fn get_weather_data(
    /// City name or zip code.
    location: String,
    /// Temperature unit.
    #[serde(default)]
    units: Units,
) -> Result<Weather, ToolError> {
    if !["San Francisco", "94103"].contains(&location.as_str()) {
        let error = ToolError::new("there is no weather station at that place");
        return Err(error.with_additional_prompt_content("places with a station: San Francisco"));
    }
    let day = |day, high, low, conditions| {
        let date = NaiveDate::from_ymd_opt(2024, 3, day).ok_or_else(|| ToolError::internal("no such day"))?;
        Ok::<_, ToolError>(Forecast { date, high: units.of_celsius(high), low: units.of_celsius(low), conditions })
    };
    Ok(Weather {
        current: Conditions {
            temperature: units.of_celsius(22.5),
            humidity: 65,
            sky: "Partly cloudy",
            wind: Wind { speed: 12.0, direction: "NW" },
        },
        forecast: vec![day(28, 25.0, 18.0, "Sunny")?, day(29, 23.0, 17.0, "Cloudy")?],
        location: Location {
            city: "San Francisco".to_owned(),
            country: "US",
            coordinates: Coordinates { latitude: 37.7749, longitude: -122.4194 },
        },
    })
}

#[derive(Serialize, JsonSchema)]
pub(super) struct User {
    id: &'static str,
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(email)]
    email: Option<&'static str>,
}

const USERS: [User; 3] = [
    User { id: "u1", name: "Alice", email: Some("alice@example.com") },
    User { id: "u2", name: "Bob", email: Some("bob@example.com") },
    User { id: "u3", name: "Carol", email: None },
];

/// List all users in the system.
#[mcp_tool(title = "User List", read_only_hint)]
pub(super) async fn list_users(
    /// Maximum number of users to list.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u8>,
) -> Vec<User> {
    USERS.into_iter().take(limit.unwrap_or(100).into()).collect()
}

/// The key by which a resource is found.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Key {
    Id(Uuid),
    Name(#[schemars(length(min = 1))] String),
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Resource {
    id: Uuid,
    name: String,
}

const FIRST: Uuid = Uuid::from_u128(0x0193_4e5c_7a10_7000_8000_0000_0000_0001);

/// Find a resource by ID or name.
#[mcp_tool(title = "Resource Finder", read_only_hint, root_union)]
pub(super) async fn find_resource(#[mcp_tool(arguments)] key: Key) -> Result<Resource, &'static str> {
    match key {
        Key::Id(id) if id == FIRST => Ok(Resource { id, name: "Alice".to_owned() }),
        Key::Id(_) => Err("no resource has this ID"),
        Key::Name(name) => Ok(Resource { id: FIRST, name }),
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Bmi {
    bmi: f64,
    category: Category,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Category {
    Underweight,
    Normal,
    Overweight,
    Obese,
}

/// Calculate BMI given height and weight.
#[mcp_tool(name = "calculate_bmi", title = "BMI Calculator", read_only_hint, text = describe_bmi)]
pub(super) async fn calculate_bmi(
    #[schemars(range(min = 30.0, max = 300.0))] height_cm: f64,
    #[schemars(range(min = 1.0, max = 700.0))] weight_kg: f64,
) -> Bmi {
    let height = height_cm / 100.0;
    let bmi = weight_kg / (height * height);
    let category = match bmi {
        ..18.5 => Category::Underweight,
        ..25.0 => Category::Normal,
        ..30.0 => Category::Overweight,
        _ => Category::Obese,
    };
    Bmi { bmi, category }
}

fn describe_bmi(bmi: &Bmi) -> String {
    let category = match bmi.category {
        Category::Underweight => "underweight",
        Category::Normal => "normal weight",
        Category::Overweight => "overweight",
        Category::Obese => "obese",
    };
    format!("A BMI of {:.1}: {category}.", bmi.bmi)
}
