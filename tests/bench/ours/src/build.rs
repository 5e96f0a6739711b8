//! The floor under `build`: the schemas of 1,000 tools are generated, and validators are compiled from them.

/// The sum of the parts.
#[must_use]
#[cfg(not(feature = "validate"))]
pub fn parts() -> Box<dyn bench_workloads::serve::Ready> {
    unreachable!("without validators there is nothing to compare with")
}

#[cfg(feature = "validate")]
pub use checked::parts;

#[cfg(feature = "validate")]
mod checked {
    use std::hint::black_box;

    use bench_workloads::orders::{Address, Item, Order};
    use bench_workloads::searches::{Hits, Query};
    use bench_workloads::serve::Ready;
    use bench_workloads::{TOOLS, Unit, Workload, prefixes};
    use mcp_tool_runtime::mcp::Tool;
    use schemars::generate::{Contract, SchemaSettings};
    use schemars::{JsonSchema, Schema};

    use crate::library::dispatcher;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct Summands {
        /// The first.
        a: i64,
        /// The second.
        b: i64,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct OrderArguments {
        /// Number of the order.
        id: String,
        /// Who orders.
        customer: String,
        /// Where to.
        ship_to: Address,
        /// What is ordered.
        items: Vec<Item>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct TextArguments {
        /// The text.
        text: String,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct Conversion {
        /// How long.
        length: f64,
        /// The unit it is given in.
        from: Unit,
        /// The unit that is asked for.
        to: Unit,
    }

    struct Parts(Vec<Tool>);

    impl Parts {
        fn make(&self) -> usize {
            let mut made = 0;
            let mut validators = Vec::with_capacity(2 * self.0.len());
            let copies = prefixes(self.0.len()).flat_map(|_| TOOLS);
            for (name, tool) in copies.zip(&self.0) {
                let schemas = match name {
                    "order" => [read::<OrderArguments>(), written::<Order>()],
                    "search" => [read::<Query>(), written::<Hits>()],
                    "text" => [read::<TextArguments>(), written::<String>()],
                    "convert" => [read::<Conversion>(), written::<f64>()],
                    _ => [read::<Summands>(), written::<i64>()],
                };
                made += black_box(schemas).len();
                // What is compiled is what is published: the generated schemas in the shape that clients take.
                let published = [Some(&tool.input_schema), tool.output_schema.as_ref()];
                for schema in published.into_iter().flatten() {
                    let options = jsonschema::options().should_validate_formats(true).offline();
                    validators.push(options.build(black_box(schema)).expect("a sound schema"));
                }
            }
            made + black_box(validators).len()
        }
    }

    fn read<T: JsonSchema>() -> Schema {
        generated::<T>(Contract::Deserialize)
    }

    fn written<T: JsonSchema>() -> Schema {
        generated::<T>(Contract::Serialize)
    }

    fn generated<T: JsonSchema>(contract: Contract) -> Schema {
        let mut settings = SchemaSettings::draft2020_12();
        settings.contract = contract;
        settings.into_generator().into_root_schema_for::<T>()
    }

    impl Ready for Parts {
        fn run(&mut self, calls: u64) {
            for _ in 0..calls {
                black_box(self.make());
            }
        }

        fn answer(&mut self) -> Vec<u8> {
            self.make().to_string().into_bytes()
        }
    }

    /// The sum of the parts.
    #[must_use]
    pub fn parts() -> Box<dyn Ready> {
        Box::new(Parts(dispatcher(Workload::Build1000, true).list().to_vec()))
    }
}
