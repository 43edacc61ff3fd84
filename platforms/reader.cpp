#include "platforms/reader.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/process/sanitizer.hpp"
#include "platforms/network_sample.hpp"

namespace isthmus {
namespace {

constexpr double reader_timeout_s = 600;
// The memory limit of the reader, since one line of a file can ask for any number of hosts. (None under the address
// sanitizer, which reserves far more than it uses.)
constexpr std::int64_t max_address_space_bytes = has_address_sanitizer ? 0 : std::int64_t{16} << 30;

// SimGrid's last log message, without the log's prefix; empty when it logged nothing.
std::string dying_words(const std::string& errors) {
  const std::string mark = "/CRITICAL] ";
  const std::size_t at = errors.find(mark);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + mark.size();
  return errors.substr(begin, errors.find('\n', begin) - begin);
}

NetworkSample run_reader(const std::string& file, std::vector<std::string> arguments) {
  std::string line;
  ChildOptions options;
  options.timeout_s = reader_timeout_s;
  options.address_space_bytes = max_address_space_bytes;
  options.on_line = [&](const std::string& text) { line = text; };
  arguments.insert(arguments.begin(), helper_program("isthmus-platform"));
  const ChildResult result = run_child(arguments, options);
  if (result.exit_status == 0 && !line.empty()) return network_sample_from(line);
  if (result.exit_status == 2) throw BadInput(result.last_error_line());
  const std::string words = dying_words(result.errors);
  throw BadInput(fmt::format("{}: {}; a platform that SimGrid loads would be right", file,
                             words.empty() ? "the reader " + result.how_it_ended(options) : words));
}

}  // namespace

Network read_platform(const std::string& file) {
  if (file.ends_with(".json")) return read_network(file);
  std::error_code problem;
  if (file.empty() || !std::filesystem::is_regular_file(file, problem)) {
    // A pipe is refused: the checks and SimGrid both read the file.
    const bool exists = !file.empty() && std::filesystem::exists(file, problem);
    throw BadInput(fmt::format("{}: {}; a SimGrid platform (.xml) or a network (.json) would be right", file,
                               exists ? "a folder, a device or a pipe" : "no such file"));
  }
  // A name that begins with a dash must not look like an option.
  const std::string path = file.starts_with('-') ? "./" + file : file;
  if (auto network = with_all_hosts(run_reader(file, {path}))) return *std::move(network);
  return run_reader(file, {"--whole", path}).network;
}

}  // namespace isthmus
