/// Get the current weather for a place.
#[mcp_tool(title = "Weather", read_only_hint)]
pub async fn get_weather(
    /// City name or zip code.
    #[schemars(length(min = 1))]
    location: String,
) -> Result<Weather, WeatherError> {
    service::weather(&location).await
}
