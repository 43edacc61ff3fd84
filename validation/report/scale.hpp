// Axes: from values to places in a picture, and where the ticks stand.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace isthmus {

struct Tick {
  double value = 0;
  std::string label;  ///< empty: a line without a label
};

/// Maps [least, greatest] to [from, to], linearly or by logarithm. Invariant: least < greatest, and least > 0 when
/// logarithmic.
class Scale {
 public:
  enum class Kind { linear, logarithmic };
  Scale(Kind kind, double least, double greatest, double from, double to);

  double operator()(double value) const;
  Kind kind() const { return kind_; }
  double least() const { return min_; }
  double greatest() const { return max_; }

 private:
  Kind kind_;
  double min_, max_, from_, to_;
};

/// Powers of two, spaced so that at most `most` have labels: `1 B`, `1 KiB` ... Where the axis has none of them, round
/// numbers of bytes.
std::vector<Tick> size_ticks(const Scale& scale, int most);
/// 1, 2, 5 of each decade; only powers of ten over more than three decades; where these are less than three, as on a
/// part of a decade, even ones. Labels by `label`.
std::vector<Tick> decade_ticks(const Scale& scale, const std::function<std::string(double)>& label);
/// Round steps (1, 2, 5 times a power of ten), about `about` of them.
std::vector<Tick> even_ticks(const Scale& scale, int about, const std::function<std::string(double)>& label);

/// A duration as a label of a tick: `20 us`, `5 ms`, `1 s`, without trailing zeros.
std::string duration_tick(double seconds);
/// A plain number without trailing zeros.
std::string number_tick(double value);

}  // namespace isthmus
