// Sentences for checks and verdicts, made from their values.
#pragma once

#include <string>

#include "validation/records/verdict.hpp"

namespace isthmus {

/// `replay of broadcast/magpie at 64 KiB on das-4x4, 16 ranks: +4.1 % from emulated, 3 % tolerated`
std::string sentence(const Check& check);

/// How many checks were met, the largest errors, how many results are not certain: a few sentences.
std::string sentences(const Summary& summary);

/// `At 4 MiB on das-4x4, magpie is the fastest: 13.3 s, 2 times faster than binomial.`
std::string sentence(const Finding& finding);

/// The summary and all findings, one after the other.
std::string sentences(const ExperimentVerdict& verdict);

}  // namespace isthmus
