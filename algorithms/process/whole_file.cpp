#include "algorithms/process/whole_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

constexpr off_t max_bytes = off_t{1} << 30;
constexpr const char* too_large = "it holds more than a gigabyte";
constexpr int patience_ms = 30'000;

[[noreturn]] void cannot_read(const std::string& file, const std::string& why, std::string_view needed) {
  throw BadInput(file + ": cannot be read: " + why + "; " + std::string(needed));
}

/// Why an open file cannot be read; empty if it can.
std::string objection_to(const struct stat& what) {
  if (S_ISREG(what.st_mode)) return what.st_size > max_bytes ? too_large : "";
  if (S_ISFIFO(what.st_mode)) return {};
  if (S_ISDIR(what.st_mode)) return std::strerror(EISDIR);
  return S_ISSOCK(what.st_mode) ? "it is a socket" : "it is a device";
}

/// Whether data arrives before the time is up.
bool wait_for(const Descriptor& in, int time_ms) {
  pollfd polled{in.get(), POLLIN, 0};
  return poll(&polled, 1, time_ms) != 0;
}

}  // namespace

std::string read_whole_file(const std::string& file, std::string_view needed) {
  // Without O_NONBLOCK opening a pipe without a writer would block.
  const Descriptor in(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat what {};
  if (!in.is_open() || fstat(in.get(), &what) != 0) cannot_read(file, std::strerror(errno), needed);
  if (const std::string why = objection_to(what); !why.empty()) cannot_read(file, why, needed);
  const bool is_pipe = S_ISFIFO(what.st_mode);
  std::string content;
  content.reserve(is_pipe ? 0 : static_cast<std::size_t>(what.st_size));
  std::array<char, 65536> buffer;
  for (bool waited = false;;) {
    const ssize_t got = ::read(in.get(), buffer.data(), buffer.size());
    if (got > 0) {
      content.append(buffer.data(), static_cast<std::size_t>(got));
      if (content.size() > static_cast<std::size_t>(max_bytes)) cannot_read(file, too_large, needed);
    } else if (got == 0) {
      if (!is_pipe || !content.empty()) return content;
      // The end of a pipe that was empty so far: its writer may be about to open it.
      if (std::exchange(waited, true)) cannot_read(file, "nothing comes through this pipe", needed);
      wait_for(in, 1000);
    } else if (errno == EAGAIN) {
      if (!wait_for(in, patience_ms)) cannot_read(file, "nothing has come through this pipe for 30 s", needed);
    } else if (errno != EINTR) {
      cannot_read(file, std::strerror(errno), needed);
    }
  }
}

OutputFile::OutputFile(std::string file) : file_(std::move(file)) {
  struct stat what {};
  const bool exists = stat(file_.c_str(), &what) == 0;
  if (exists && !S_ISREG(what.st_mode)) {
    out_ = Descriptor(open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!out_.is_open()) fail();
    return;
  }
  std::error_code unresolved;
  std::filesystem::path target = std::filesystem::weakly_canonical(file_, unresolved);
  if (unresolved || file_.empty()) {
    errno = file_.empty() ? ENOENT : unresolved.value();
    fail();
  }
  target_ = target.string();
  if (exists) {
    mode_ = what.st_mode & 07777U;
    if (access(target_.c_str(), W_OK) != 0) fail();
  }
  const std::string folder = target.parent_path().string();
  open_without_name(folder.empty() ? "." : folder);
}

OutputFile::~OutputFile() {
  if (!draft_.empty()) std::remove(draft_.c_str());
}

void OutputFile::open_without_name(const std::string& folder) {
  out_ = Descriptor(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (out_.is_open()) return;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail();
  // The file system has no unnamed files (O_TMPFILE): a named draft beside the file, which remains if the process is
  // killed.
  const std::string draft = target_ + "." + std::to_string(getpid()) + ".part";
  out_ = Descriptor(open(draft.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
  if (!out_.is_open()) fail();
  draft_ = draft;
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(out_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::appear() {
  if (target_.empty()) return;
  if (mode_ != 0 && fchmod(out_.get(), mode_) != 0) fail();
  // Some file systems report a full disk only here.
  if (fsync(out_.get()) != 0) fail();
  if (draft_.empty()) {
    const std::string draft = target_ + "." + std::to_string(getpid()) + ".part";
    const std::string without_name = "/proc/self/fd/" + std::to_string(out_.get());
    std::remove(draft.c_str());
    if (linkat(AT_FDCWD, without_name.c_str(), AT_FDCWD, draft.c_str(), AT_SYMLINK_FOLLOW) != 0) fail();
    draft_ = draft;
  }
  if (std::rename(draft_.c_str(), target_.c_str()) != 0) fail();
  draft_.clear();
}

void OutputFile::fail() const {
  const int error = errno;
  const std::string what = file_ + ": cannot be written: " + std::strerror(error);
  if (error == ENOSPC || error == EDQUOT || error == EIO) throw Missing(what);
  throw BadInput(what + "; a file in a folder that is there, and that you may write to, would be right");
}

void check_output_file(const std::string& file) {
  std::error_code unknown;
  const bool is_special = std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown) &&
                          !std::filesystem::is_directory(file, unknown);
  if (!file.empty() && !is_special) OutputFile{file};
}

void write_whole_file(const std::string& file, std::string_view content) {
  OutputFile out(file);
  out.write(content);
  out.appear();
}

}  // namespace isthmus
