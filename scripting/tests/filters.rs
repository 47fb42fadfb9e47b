//! Filters of spaces by their counters, and pieces counted by space.
#![allow(clippy::unwrap_used)]

mod fixture;

use fixture::*;

#[test]
fn spaces_are_found_by_their_marks() {
    let after = |acts: &str, filter: &str| {
        shows(&format!(
            "(function() {acts} local names = {{}}
             for _, at in spaces{{{filter}}} do table.insert(names, idof(at)) end
             return table.concat(names, ' ') end)()"
        ))
    };
    let siege = "set(counter.siege, 2, space.middle)";
    assert_eq!(after("", "marked = counter.siege"), "");
    assert_eq!(after(siege, "marked = counter.siege"), "middle");
    assert_eq!(after(siege, "unmarked = counter.siege, beside = space.west"), "");
    assert_eq!(after("", "unmarked = counter.siege, beside = space.west"), "middle");
    assert_eq!(after(siege, "marked = counter.siege, unmarked = counter.siege"), "");
    assert_eq!(after(siege, "marked = counter.siege, uncontrolled_by = faction.red"), "middle");
    for field in ["marked", "unmarked"] {
        let wrong = error(&format!("function M.run() return spaces{{{field} = counter.gold}} end"));
        assert_eq!(wrong.message, "spaces: the counter `gold` must have scope `space`");
    }
}

#[test]
fn pieces_are_counted_on_all_spaces_at_once() {
    let counted = |acts: &str, filter: &str| {
        shows(&format!(
            "(function() {acts} local counts, found = tally{{{filter}}}, {{}}
             for _, at in spaces() do table.insert(found, counts[at] or '-') end
             return table.concat(found) end)()"
        ))
    };
    // One call says what `count` says of each space.
    let one_by_one = |acts: &str, filter: &str| {
        shows(&format!(
            "(function() {acts} local found = {{}}
             for _, at in spaces() do
               local many = count{{at = at, {filter}}}
               table.insert(found, if many > 0 then many else '-')
             end
             return table.concat(found) end)()"
        ))
    };
    let march =
        "for _, unit in pieces{kind = kind.knight} do move(unit, space.middle) end place(kind.castle, nil, space.west)";
    for filter in ["", "kind = kind.knight", "class = 'unit'", "owner = faction.blue_house", "on = 'pool'"] {
        for acts in ["", march] {
            assert_eq!(counted(acts, filter), one_by_one(acts, filter), "{acts}: {filter}");
        }
    }
    assert_eq!([counted(march, ""), counted(march, "owner = seat")], ["14-", "-2-"]);
    assert_eq!(counted(march, "near = space.west, steps = 0"), "1--");
    let wrong = error("function M.run() return tally{near = space.west} end");
    assert_eq!(wrong.message, "tally: `near` and `steps` go together: a space, and the number of steps from it");
}
