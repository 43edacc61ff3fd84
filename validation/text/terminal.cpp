#include "validation/text/terminal.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace isthmus {
namespace {

/// Of the user's locale; a locale that is not installed here is taken for UTF-8.
bool locale_is_utf8() {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale == nullptr) return true;
  const bool is_utf8 = std::string_view(nl_langinfo_l(CODESET, locale)) == "UTF-8";
  freelocale(locale);
  return is_utf8;
}

constexpr std::pair<std::string_view, char> symbols_in_ascii[] = {{"█", '#'}, {"▓", '='}, {"▒", '-'}, {"░", '+'},
                                                                  {"·", '.'}, {"→", '>'}, {"←", '<'}, {"─", '-'},
                                                                  {"│", '|'}, {"┬", '+'}, {"├", '+'}, {"└", '+'}};

}  // namespace

Look look_of_output() {
  constexpr std::size_t usual_width = 80, min_width = 40;
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  Look look{terminal, usual_width, !terminal || locale_is_utf8()};
  winsize size{};
  if (look.colour && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    look.width = size.ws_col;
  } else if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0) {
    look.width = static_cast<std::size_t>(std::atoi(columns));
  }
  if (look.width < min_width) look.width = min_width;
  return look;
}

std::string with_symbols_of(Look look, std::string text) {
  if (look.symbols) return text;
  for (const auto& [symbol, letter] : symbols_in_ascii)
    for (std::size_t at = text.find(symbol); at != std::string::npos; at = text.find(symbol, at + 1))
      text.replace(at, symbol.size(), 1, letter);
  return text;
}

}  // namespace isthmus
