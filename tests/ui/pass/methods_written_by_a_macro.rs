//! Services that come from a `macro_rules!` macro, and services in function bodies.

use mcp_tool_runtime::{Dispatcher, mcp_tools};

macro_rules! service {
    ($name:ident, $prefix:literal, $limit:literal, $ty:ty, $($method:ident = $value:expr),*) => {
        struct $name;

        #[mcp_tools(prefix = $prefix)]
        impl $name {
            $(
                #[doc = concat!("The value of ", stringify!($method), ".")]
                #[mcp_tool(timeout = $limit, meta("com.example/value" = $value))]
                async fn $method(&self, #[mcp_tool(default = $value)] value: $ty, list: Option<$ty>) -> $ty {
                    let _ = list;
                    value
                }
            )*
        }
    };
}

service!(Numbers, "number_", "5s", u16, one = 1, two = 1 + 1);

macro_rules! whole {
    ($($item:item)*) => {
        $($item)*
    };
}

whole! {
    struct Whole;

    #[mcp_tools]
    impl Whole {
        /// Nothing.
        #[mcp_tool]
        async fn nothing(&self) {}
    }
}

fn local() -> Dispatcher {
    struct Local(u8);

    #[mcp_tools(prefix = "local_")]
    impl Local {
        /// What is in it.
        #[mcp_tool]
        async fn value(&self) -> u8 {
            self.0
        }
    }

    Dispatcher::builder().service(Numbers).service(Whole).service(Local(1)).build().unwrap()
}

#[test]
fn runs() {
    let dispatcher = local();
    let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["number_one", "number_two", "nothing", "local_value"]);
    assert_eq!(dispatcher.list()[0].description.as_deref(), Some("The value of one."));
    assert_eq!(dispatcher.list()[1].input_schema["properties"]["value"]["default"], 2);
}
