#include "validation/report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double slack = 1e-9;  // a tick at the end of an axis counts as inside despite rounding

bool inside(const Scale& scale, double value) {
  const double tolerance = slack * std::max(std::abs(scale.least()), std::abs(scale.greatest()));
  return value >= scale.least() - tolerance && value <= scale.greatest() + tolerance;
}

}  // namespace

Scale::Scale(Kind kind, double least, double greatest, double from, double to)
    : kind_(kind), min_(least), max_(greatest), from_(from), to_(to) {
  if (!(least < greatest) || (kind == Kind::logarithmic && !(least > 0)))
    throw std::invalid_argument(fmt::format("no axis from {} to {}", least, greatest));
}

double Scale::operator()(double value) const {
  double share = 0;
  if (kind_ == Kind::linear) {
    share = (value - min_) / (max_ - min_);
  } else {
    share = std::log(std::max(value, min_ / 2) / min_) / std::log(max_ / min_);
  }
  return from_ + share * (to_ - from_);
}

std::vector<Tick> size_ticks(const Scale& scale, int most) {
  const int first = static_cast<int>(std::ceil(std::log2(scale.least()) - slack));
  const int last = static_cast<int>(std::floor(std::log2(scale.greatest()) + slack));
  int step = 1;
  for (const int candidate : {1, 2, 5, 10, 20, 30}) {
    step = candidate;
    if ((last - first) / step + 1 <= most) break;
  }
  std::vector<Tick> ticks;
  for (int power = first; power <= last; ++power) {
    // Counted from 1 B, so that round sizes get the labels.
    const bool labelled = ((power % step) + step) % step == 0;
    if (labelled)
      ticks.push_back({std::exp2(power), format_bytes(power >= 0 ? std::int64_t{1} << power : 0)});  // 0 B is half
  }
  constexpr int about = 3;  // their labels are long
  if (ticks.empty()) return even_ticks(scale, about, [](double bytes) { return format_bytes(std::llround(bytes)); });
  return ticks;
}

std::vector<Tick> decade_ticks(const Scale& scale, const std::function<std::string(double)>& label) {
  const bool crowded = scale.greatest() / scale.least() > 2000;
  std::vector<Tick> ticks;
  for (int decade = static_cast<int>(std::floor(std::log10(scale.least())));
       decade <= static_cast<int>(std::ceil(std::log10(scale.greatest()))); ++decade)
    for (const int factor : {1, 2, 5}) {
      const double value = factor * std::pow(10, decade);
      if (inside(scale, value) && (factor == 1 || !crowded)) ticks.push_back({value, label(value)});
    }
  constexpr std::size_t fewest = 3;
  constexpr int most = 10;
  for (int about = fewest; ticks.size() < fewest && about <= most; ++about) ticks = even_ticks(scale, about, label);
  return ticks;
}

std::vector<Tick> even_ticks(const Scale& scale, int about, const std::function<std::string(double)>& label) {
  const double rough = (scale.greatest() - scale.least()) / about;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough * 0.999) step = factor * power;
  std::vector<Tick> ticks;
  for (double i = std::ceil(scale.least() / step - slack); inside(scale, i * step); ++i)
    ticks.push_back({i * step, label(i * step)});
  return ticks;
}

std::string number_tick(double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string duration_tick(double seconds) {
  const double size = std::abs(seconds);
  if (size == 0) return "0";
  if (size < 0.9995e-3) return number_tick(seconds * 1e6) + " us";
  if (size < 0.9995) return number_tick(seconds * 1e3) + " ms";
  return number_tick(seconds) + " s";
}

}  // namespace isthmus
