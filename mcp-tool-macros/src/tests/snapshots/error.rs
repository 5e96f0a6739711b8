#[derive(Debug, thiserror::Error, IntoToolError)]
enum WeatherError {
    #[error("no place is called {0:?}")]
    #[tool_error(additional_prompt_content = "ask for a city name or a zip code, not for {0}")]
    UnknownPlace(String),
    #[error("the weather service is busy")]
    #[tool_error(retry_after_ms = 500)]
    Busy,
    #[error(transparent)]
    #[tool_error(internal)]
    Http(#[from] std::io::Error),
    #[error(transparent)]
    #[tool_error(transparent)]
    Place(PlaceError),
    #[error(transparent)]
    Forgotten(#[from] std::fmt::Error),
}
