#include "validation/text/progress.hpp"

#include <fmt/format.h>

#include "algorithms/text/printable.hpp"

namespace isthmus {

Progress::Progress(std::FILE* out, bool terminal, std::size_t total, std::size_t done)
    : out_(out),
      terminal_(terminal),
      total_(total),
      done_(done),
      shown_(done),
      started_(std::chrono::steady_clock::now()) {
  if (done_ > 0 && done_ < total_) fmt::print(out_, "{} of {} points are in the store already\n", done_, total_);
}

Progress::~Progress() {
  if (terminal_ && total_ > 0) fmt::print(out_, "\r\x1b[K");
  std::fflush(out_);
}

void Progress::begin(const std::string& what) {
  what_ = printable(what);
  detail_.clear();
  show(true);
}

void Progress::now(const std::string& detail) {
  detail_ = ": " + printable(detail);
  show(true);
}

void Progress::step() {
  ++done_;
  detail_.clear();
  show(done_ == total_);
}

void Progress::show(bool important) {
  if (total_ == 0) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started_);
  if (terminal_) {
    fmt::print(out_, "\r\x1b[K[{}/{}] {}{}  {} s", done_, total_, what_, detail_, seconds.count());
  } else if (important || (done_ - shown_) * 10 >= total_) {
    fmt::print(out_, "[{}/{}] {}{}  {} s\n", done_, total_, what_, detail_, seconds.count());
    shown_ = done_;
  }
  std::fflush(out_);
}

}  // namespace isthmus
