// Sizes and ranges of sizes, and the problems that are made of them.
#include "algorithms/text/sizes.hpp"

#include <algorithm>

#include "algorithms/collective/algorithm.hpp"
#include "tests/fuzz/input.hpp"
#include "validation/text/units.hpp"

ISTHMUS_HARNESS(sizes) {
  using namespace isthmus;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::int64_t> sizes;
  if (!fuzz::answered([&] { sizes = parse_sizes(text); })) return 0;
  fuzz::require(!sizes.empty() && std::is_sorted(sizes.begin(), sizes.end()) && sizes.front() >= 0);
  for (const std::int64_t bytes : sizes) {
    fuzz::require(parse_size(size_text(bytes)) == bytes);
    format_bytes(bytes);
    for (const Collective collective : {Collective::broadcast, Collective::alltoall, Collective::reduce_scatter}) {
      fuzz::answered([&] {
        const Problem problem{collective, bytes, 1, 0};
        check_problem(problem, 34);
        const BufferCounts counts = buffer_counts(problem, 34, 33);
        fuzz::require(counts.input >= 0 && counts.output >= 0);
      });
    }
  }
  return 0;
}
