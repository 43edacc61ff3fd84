// The verdict on an experiment, as values: how far sources differ, and which algorithm is the fastest.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validation/records/comparison.hpp"

namespace isthmus {

/// One tolerance at one point.
struct Check {
  Source source, against;
  std::string platform;
  int ranks = 0;
  std::string algorithm;  ///< as asked for, `broadcast/magpie`
  std::int64_t bytes = 0;
  double error = 0;      ///< source / against - 1
  double tolerance = 0;  ///< relative

  bool met() const { return error <= tolerance && -error <= tolerance; }
};

/// The checks that failed, the one farthest beyond its tolerance first.
std::vector<Check> missed(std::span<const Check> checks);

/// The summary of all checks.
struct Summary {
  std::size_t results = 0;
  std::size_t checks = 0, missed = 0;
  std::optional<Check> worst;         ///< of those missed
  std::vector<Check> largest_errors;  ///< one for each pair of sources that is held together
  std::size_t unsettled = 0;          ///< results less certain than asked for
  int repetitions = 0;                ///< that were allowed for one
};

/// The fastest algorithm of a collective on a platform, at the largest number of ranks and the largest size.
struct Finding {
  struct Entry {
    std::string algorithm;  ///< the plan as asked for
    double seconds = 0;
  };
  std::string platform, collective;
  int ranks = 0;
  std::int64_t bytes = 0;
  bool is_one_of_ranks = false;        ///< the platform has results of other numbers of ranks too
  bool is_one_of_collectives = false;  ///< there are results of other collectives too
  Entry fastest, second;
  std::optional<double> over_bound;  ///< of the fastest
};

struct ExperimentVerdict {
  Summary summary;
  std::vector<Finding> findings;  ///< by platform and collective; none where an algorithm is alone
};

/// `reference`: the source that decides who is fastest, see compare(). `repetitions`: those allowed for one result.
ExperimentVerdict verdict_on(std::span<const Record> records, std::span<const Check> checks, Source reference,
                             int repetitions);

}  // namespace isthmus
