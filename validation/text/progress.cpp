#include "validation/text/progress.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_line_columns = 79;  // a line that a terminal would wrap could not be overwritten

}  // namespace

Progress::Progress(std::FILE* out, bool terminal, std::size_t total, std::size_t done, double after_s)
    : out_(out),
      terminal_(terminal),
      total_(total),
      done_(done),
      before_(done),
      shown_(done),
      after_s_(after_s),
      started_(std::chrono::steady_clock::now()) {
  if (done_ > 0 && done_ < total_) fmt::print(out_, "{} of {} points are in the store already\n", done_, total_);
  if (terminal_ && total_ > 0) clock_ = std::jthread([this](const std::stop_token& stop) { keep_shown(stop); });
}

Progress::~Progress() {
  clock_ = {};
  clear();
}

void Progress::begin(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = printable(what);
  detail_.clear();
  show(true);
}

void Progress::now(const std::string& detail) {
  const std::lock_guard lock(mutex_);
  detail_ = ": " + printable(detail);
  show(true);
}

void Progress::step() {
  const std::lock_guard lock(mutex_);
  ++done_;
  detail_.clear();
  show(done_ == total_);
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (visible_) fmt::print(out_, "\r\x1b[K");
  visible_ = false;
  std::fflush(out_);
}

void Progress::show(bool important) {
  if (total_ == 0) return;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started_;
  const double seconds = taken.count();
  if (seconds < after_s_) return;
  std::string time = fmt::format("{:.0f} s", std::floor(seconds));
  if (done_ > before_ && done_ < total_)
    time += fmt::format(", about {:.0f} s left", std::ceil(seconds / static_cast<double>(done_ - before_) *
                                                           static_cast<double>(total_ - done_)));
  if (terminal_) {
    const std::string begin = fmt::format("[{}/{}] {}{}", done_, total_, what_, detail_);
    fmt::print(out_, "\r\x1b[K{}  {}", excerpt(begin, max_line_columns - time.size() - 6), time);
    visible_ = true;
  } else if (important || (done_ - shown_) * 10 >= total_) {
    fmt::print(out_, "[{}/{}] {}{}  {}\n", done_, total_, what_, detail_, time);
    shown_ = done_;
  }
  std::fflush(out_);
}

void Progress::keep_shown(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    ends_.wait_for(lock, stop, 500ms, [] { return false; });
    if (!stop.stop_requested()) show(false);
  }
}

}  // namespace isthmus
