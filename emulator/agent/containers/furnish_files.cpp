#include "emulator/agent/containers/furnish_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

constexpr const char* scratch_folders[] = {"/tmp", "/var/tmp"};

/// A copy of a part of the mount tree; later changes of that tree do not affect the copy.
struct Kept {
  std::string path;
  Descriptor tree;
};

bool lies_below(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

Kept keep(const std::string& path) {
  const long tree = syscall(SYS_open_tree, AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  return {path, Descriptor(static_cast<int>(checked(tree, "keep " + path)))};
}

void make_read_only(int folder, const char* path, unsigned flags, const std::string& name) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  checked(syscall(SYS_mount_setattr, folder, path, flags | AT_RECURSIVE, &attributes, sizeof attributes),
          "make " + name + " read-only");
}

void put_back(const Kept& kept) {
  if (access(kept.path.c_str(), F_OK) != 0) {
    struct stat what {};
    checked(fstat(kept.tree.get(), &what), "look at " + kept.path);
    const bool folder = S_ISDIR(what.st_mode);
    make_folders(folder ? kept.path : kept.path.substr(0, kept.path.rfind('/')));
    if (!folder) open_file(kept.path, O_WRONLY | O_CREAT);
  }
  checked(syscall(SYS_move_mount, kept.tree.get(), "", AT_FDCWD, kept.path.c_str(), MOVE_MOUNT_F_EMPTY_PATH),
          "mount " + kept.path);
}

}  // namespace

std::string layer_over(const std::string& folder, const std::string& place) {
  make_folders(place);
  mount_file_system("tmpfs", place, "mode=755");
  for (const char* part : {"/lower", "/upper", "/work", "/whole"}) make_folders(place + part);
  bind_mount(folder, place + "/lower");  // a path without characters that are special in the options below
  mount_file_system("overlay", place + "/whole",
                    fmt::format("lowerdir={0}/lower,upperdir={0}/upper,workdir={0}/work", place).c_str());
  return place + "/whole";
}

namespace {

void change_root(const std::string& root) {
  const std::string whole = layer_over(root, "/run/isthmus/root");
  checked(chdir(whole.c_str()), "enter " + root);
  checked(syscall(SYS_pivot_root, ".", "."), "make " + root + " the root");
  constexpr int lazily = 2;  // MNT_DETACH; sys/mount.h and linux/mount.h cannot both be included
  checked(syscall(SYS_umount2, ".", lazily), "leave the machine's files");
  checked(chdir("/"), "enter " + root);
}

void furnish_own_root(const HostFiles& files) {
  std::vector<Kept> kept;
  for (const char* folder : {"/run", "/dev"}) kept.push_back(keep(folder));
  for (const std::string& path : files.writable) kept.push_back(keep(path));
  change_root(files.root);
  for (const char* folder : {"/proc", "/sys", "/tmp", "/var/tmp"}) make_folders(folder);
  for (const char* folder : scratch_folders) checked(chmod(folder, 01777), std::string("open ") + folder);
  for (const Kept& tree : kept) put_back(tree);
  if (access("/etc/hosts", F_OK) != 0) {
    make_folders("/etc");
    write_text("/etc/hosts", "");
  }
}

}  // namespace

void furnish_files(const HostFiles& files) {
  if (!files.root.empty()) return furnish_own_root(files);
  std::vector<Kept> kept;
  kept.push_back(keep("/run"));
  for (const std::string& path : files.shown) {
    if (std::none_of(std::begin(scratch_folders), std::end(scratch_folders),
                     [&](const char* folder) { return lies_below(path, folder); })) {
      continue;
    }
    kept.push_back(keep(path));
    make_read_only(kept.back().tree.get(), "", AT_EMPTY_PATH, path);
  }
  for (const std::string& path : files.writable) kept.push_back(keep(path));
  make_read_only(AT_FDCWD, "/", 0, "the files of the machine");
  for (const char* folder : scratch_folders) mount_file_system("tmpfs", folder, "mode=1777");
  for (const Kept& tree : kept) put_back(tree);
}

}  // namespace isthmus
