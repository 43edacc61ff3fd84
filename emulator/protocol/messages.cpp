#include "emulator/protocol/messages.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>

#include "algorithms/errors.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

// With pieces of 64 KiB, this limits the memory that a program with much output can take.
constexpr std::uint64_t max_waiting = 512;

std::string file_of(const std::string& folder, std::uint64_t number) { return fmt::format("{}/{}", folder, number); }

}  // namespace

bool MessageSender::has_room() const {
  return next_ < max_waiting || access(file_of(folder_, next_ - max_waiting).c_str(), F_OK) != 0;
}

void MessageSender::send(const nlohmann::json& message) {
  while (!has_room()) {
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  // A message appears whole: a file on the machine outside is up to date once it is closed, and is then renamed.
  const std::string part = folder_ + "/part";
  write_text(part, message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  checked(std::rename(part.c_str(), file_of(folder_, next_).c_str()), "send a message");
  ++next_;
}

std::optional<nlohmann::json> MessageReceiver::receive() {
  const std::string file = file_of(folder_, next_);
  const int number = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0 && errno == ENOENT) return std::nullopt;
  const Descriptor opened(checked(number, "receive a message"));
  nlohmann::json message = nlohmann::json::parse(read_text(opened));
  checked(unlink(file.c_str()), "take a message");
  ++next_;
  return message;
}

std::string text_of_bytes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 4);
  for (const unsigned char byte : bytes) {
    if (byte < 128) {
      text += static_cast<char>(byte);
    } else {
      text += static_cast<char>(0xC0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

std::string bytes_of_text(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first < 128) {
      bytes += text[i];
    } else if ((first == 0xC2 || first == 0xC3) && i + 1 < text.size()) {
      bytes += static_cast<char>((first & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
    } else {
      throw Refused(fmt::format("a message holds a character of code {} in place of a byte", first));
    }
  }
  return bytes;
}

}  // namespace isthmus
