// What the parameters of algorithms mean, in a few words for people.
#pragma once

#include <string_view>

namespace isthmus {

/// `segment` is "messages are sent in pieces of this size, one after the other". Empty for an unknown name.
std::string_view meaning_of_parameter(std::string_view name);

}  // namespace isthmus
