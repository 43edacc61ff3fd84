// Whether streams that slow each other down do so on one link or on several.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace isthmus {

/// The streams of each link, where all are on links that slow down two of them already: as of a part with two
/// neighbours on a ring, whose messages leave over one of two links. Of less than four streams, or where some are
/// slowed down only by more than one other, or where all together carry less than these links, one link of all.
///
/// `slow_each_other`: whether two streams alone get less at once.
std::vector<std::vector<std::size_t>> separate_links(
    const std::vector<double>& alone_Bps, const std::vector<double>& loaded_Bps,
    const std::function<bool(std::size_t one, std::size_t other)>& slow_each_other);

}  // namespace isthmus
