//! The hostile set without the feature `validate`, for `tests/hygiene/without-validate`.

#[path = "../run.rs"]
#[allow(dead_code, reason = "the tests of `it` use the rest")]
mod run;

#[path = "battery/answers.rs"]
mod answers;
#[path = "battery/classes.rs"]
mod classes;
#[path = "battery/tools.rs"]
mod tools;

use answers::answer;
use classes::Class;

use run::LATEST;

#[test]
fn i4_every_tool_answers_every_class_of_hostile_arguments_without_a_validator() {
    let (mut refused, mut accepted) = (0, 0);
    for lax in [false, true] {
        let builder = run::exact().tools(tools::tools()).lax(lax);
        let dispatcher = run::built(builder.max_argument_bytes(1 << 22).max_result_bytes(1 << 23));
        for (name, base) in tools::bases() {
            for class in Class::ALL {
                for bytes in [500, 20_000, 200_000] {
                    let result = answer(&dispatcher, name, &class.arguments(&base, bytes), LATEST);
                    *if result["isError"] == true { &mut refused } else { &mut accepted } += 1;
                }
            }
        }
    }
    assert!(refused > 100 && accepted > 50, "{refused} refused, {accepted} accepted");
}
