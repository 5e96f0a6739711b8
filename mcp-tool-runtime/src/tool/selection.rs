//! The tools of a dispatcher that one caller sees.

use std::ops::Range;

/// A set of tools, as positions in a list of tools.
///
/// It has one bit for each tool, so that a list finds the neighbours that it copies in one piece without looking at each tool.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The bits after the last tool are 0.
    words: Box<[u64]>,
    /// The number of tools in the list.
    tools: usize,
}

const BITS: usize = u64::BITS as usize;

/// Returns the first bits of a word.
const fn first_bits(count: usize) -> u64 {
    if count < BITS { (1 << count) - 1 } else { u64::MAX }
}

impl Selection {
    /// Selects all tools of a list.
    pub(crate) fn all(tools: usize) -> Self {
        let words = (0..tools.div_ceil(BITS)).map(|word| first_bits(tools - word * BITS));
        Self { words: words.collect(), tools }
    }

    #[cfg(any(feature = "cli", feature = "http", test))]
    pub(crate) fn contains(&self, tool: usize) -> bool {
        self.words[tool / BITS] >> (tool % BITS) & 1 == 1
    }

    pub(crate) fn remove(&mut self, tool: usize) {
        self.words[tool / BITS] &= !(1 << (tool % BITS));
    }

    /// Replaces the tools in a range by those of them that `retained` returns. It gets the positions of up to 64 neighbours and
    /// returns bits; the first bit is the first of them.
    #[inline]
    pub(crate) fn retain(&mut self, range: Range<usize>, mut retained: impl FnMut(Range<usize>, u64) -> u64) {
        let mut start = range.start;
        while start < range.end {
            let shift = start % BITS;
            let end = range.end.min(start - shift + BITS);
            let mask = first_bits(end - start);
            let word = &mut self.words[start / BITS];
            let before = *word >> shift & mask;
            let after = before & retained(start..end, before);
            *word ^= (before ^ after) << shift;
            start = end;
        }
    }

    /// Returns the positions of the selected tools. Neighbours are one range.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Range<usize>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let start = self.find(next, 0)?;
            next = self.find(start, u64::MAX).unwrap_or(self.tools);
            Some(start..next)
        })
    }

    /// Returns the positions of the selected tools.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.runs().flatten()
    }

    /// Returns the first position from `start` on whose bit differs from that of `other`. It may be one after the last tool.
    #[inline]
    fn find(&self, start: usize, other: u64) -> Option<usize> {
        let mut mask = u64::MAX << (start % BITS);
        for (at, word) in self.words.iter().enumerate().skip(start / BITS) {
            let found = (word ^ other) & mask;
            if found != 0 {
                return Some(at * BITS + found.trailing_zeros() as usize);
            }
            mask = u64::MAX;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Selects the tools for which `is_selected` returns `true`.
    fn selection(tools: usize, is_selected: impl Fn(usize) -> bool) -> Selection {
        let mut selection = Selection::all(tools);
        (0..tools).filter(|tool| !is_selected(*tool)).for_each(|tool| selection.remove(tool));
        selection
    }

    const LENGTHS: [usize; 8] = [0, 1, 63, 64, 65, 127, 128, 200];

    #[test]
    fn runs_are_the_longest_ranges_of_selected_tools() {
        for tools in LENGTHS {
            let all = Selection::all(tools);
            assert!(all.runs().eq((tools > 0).then_some(0..tools)));
            assert_eq!(selection(tools, |_| false).runs().next(), None);
            for period in [2, 3, 7, 63, 64, 65, 100] {
                let is_selected = |tool: usize| tool % period != 1;
                let selection = selection(tools, is_selected);
                assert!((0..tools).all(|tool| selection.contains(tool) == is_selected(tool)));
                assert!(selection.iter().eq((0..tools).filter(|tool| is_selected(*tool))), "{tools} {period}");
                let runs: Vec<_> = selection.runs().collect();
                assert!(runs.iter().all(|run| !run.is_empty()));
                assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start), "{runs:?}");
            }
        }
    }

    #[test]
    fn retain_asks_about_each_tool_of_the_range_once_and_changes_no_other() {
        for tools in LENGTHS {
            for (start, end) in [(0, tools), (1, tools), (tools / 2, tools), (tools / 3, tools / 2)] {
                if start > end {
                    continue;
                }
                let is_selected = |tool: usize| !tool.is_multiple_of(5);
                let mut selection = selection(tools, is_selected);
                let mut asked = Vec::new();
                selection.retain(start..end, |positions, bits| {
                    let mut retained = u64::MAX << (positions.len() - 1) << 1;
                    for (at, tool) in positions.enumerate() {
                        assert_eq!(bits >> at & 1 == 1, is_selected(tool));
                        asked.push(tool);
                        retained |= u64::from(tool.is_multiple_of(2)) << at;
                    }
                    retained
                });
                assert!(asked.into_iter().eq(start..end));
                for tool in 0..tools {
                    let is_in_range = (start..end).contains(&tool);
                    let expected = is_selected(tool) && (!is_in_range || tool.is_multiple_of(2));
                    assert_eq!(selection.contains(tool), expected, "{tools} {start}..{end} {tool}");
                }
            }
        }
    }
}
