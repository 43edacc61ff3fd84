// Where an emulation can run. One interface, four kinds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/protocol/settings.hpp"

namespace isthmus {

/// A substrate, or the reason why this machine does not have it, and how to get it.
struct Availability {
  std::optional<Substrate> substrate;
  std::string reason;
};

/// What is known of a substrate on any machine.
struct SubstrateKind {
  std::string_view name;
  bool taken_by_auto;      ///< `auto` may choose it: other work on the machine disturbs it little
  Shaping shaping;         ///< what it shapes of a network
  double bearable_wait;    ///< part of the time in which processes may wait for a processor before results suffer
  Availability (*look)();  ///< whether this machine has it
  /// The congestion controls of the kernel that it runs on.
  std::vector<std::string> (*congestion_controls)();
};
/// In the order in which `auto` tries them.
std::span<const SubstrateKind> substrate_kinds();
/// Their names, in that order.
std::vector<std::string> substrate_names();
/// Throws BadInput with the known names.
const SubstrateKind& substrate_kind(std::string_view name);

/// Why a build with the address sanitizer has no substrate with its own kernel.
inline constexpr const char* sanitizer_needs_address_space =
    "this isthmus is built with the address sanitizer, whose memory does not fit in processes of User-Mode Linux; "
    "delay-line does, or another build";

/// The running kernel: real time, real overheads. Needs netem, and namespaces that the user may make.
Availability native_substrate();
/// User-Mode Linux in virtual time: exact and repeatable, and no processor time in the results. Its kernel is built
/// once by `scripts/setup --virtual` and kept in the user's cache, or installed beside the helper programs.
Availability virtual_substrate();
/// Debian's User-Mode Linux: real time, good for a few ranks. Host links are left unshaped: they are faster than its
/// timers.
Availability uml_substrate();

/// The running kernel without netem: a small program delays the frames of wide-area links. Real time, real overheads;
/// host links are left unshaped.
Availability delay_line_substrate();

/// The named substrate; `auto`: the first available of native, virtual, uml. The delay line is only used by name: it
/// runs in real time as one program among all others of the machine. Throws BadInput for another name, Missing with how
/// to get one.
Substrate choose_substrate(const std::string& name);

/// The path of the virtual kernel for this configuration, the newest version, or empty: VERSION-CONFIGURATION/linux in
/// `~/.cache/isthmus/virtual-kernel` or in `virtual-kernel` beside the helper programs.
std::string virtual_kernel();

/// Whether this user may make the namespaces that contain an emulation; with `network` those of one on the running
/// kernel, with a /proc of its own, which a container that hides parts of /proc does not permit.
bool namespaces_allowed(bool network);

}  // namespace isthmus
