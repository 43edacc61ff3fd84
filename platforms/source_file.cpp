#include "platforms/source_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/process/whole_file.hpp"

namespace isthmus {
namespace {

bool has_attribute(pugi::xml_node element, std::string_view value) {
  return std::any_of(element.attributes_begin(), element.attributes_end(),
                     [&](const pugi::xml_attribute& attribute) { return attribute.value() == value; });
}

}  // namespace

SourceFile::SourceFile(std::string file) : file_(std::move(file)) {
  text_ = read_whole_file(file_, "a SimGrid platform file would be right");
  parsed_ = document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8) &&
            !platform().empty();
}

int SourceFile::line_of(pugi::xml_node element) const {
  const std::ptrdiff_t offset =
      std::clamp<std::ptrdiff_t>(element.offset_debug(), 0, static_cast<std::ptrdiff_t>(text_.size()));
  return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + offset, '\n'));
}

pugi::xml_node SourceFile::element_of(std::string_view name) const {
  const auto first = [&](auto matches) { return document_.find_node(matches); };
  for (const std::string_view direction : {"", "_UP", "_DOWN"}) {
    if (!name.ends_with(direction)) continue;
    const std::string_view id = name.substr(0, name.size() - direction.size());
    if (auto named = first([&](pugi::xml_node node) { return node.attribute("id").value() == id; })) return named;
  }
  auto of_cluster = first([&](pugi::xml_node node) {
    const std::string_view prefix = node.attribute("prefix").value();
    return std::string_view(node.name()) == "cluster" &&
           ((!prefix.empty() && name.starts_with(prefix)) ||
            name.starts_with(std::string(node.attribute("id").value()) + "_"));
  });
  return of_cluster ? of_cluster : first([&](pugi::xml_node node) { return has_attribute(node, name); });
}

BadInput SourceFile::error(pugi::xml_node element, const std::string& what) const {
  return error(line_of(element ? element : platform()), what);
}

BadInput SourceFile::error(int line, const std::string& what) const {
  return BadInput(fmt::format("{}:{}: {}", file_, line, what));
}

}  // namespace isthmus
