// A process with the rights that the root of a container has.
#pragma once

#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "algorithms/process/system.hpp"

namespace isthmus::tests {

/// Takes from this process, which is root's, what the root of a container lacks.
inline void become_root_of_a_container() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct rights[2] = {};
  checked(syscall(SYS_capget, &header, rights), "read the rights of this process");
  for (auto* set : {&rights[0].effective, &rights[0].permitted, &rights[0].inheritable}) *set &= ~(1u << CAP_SYS_ADMIN);
  checked(syscall(SYS_capset, &header, rights), "give up a right");
}

/// Whether a container can be tried here: this user is root, and the kernel lets everybody make user namespaces.
inline bool can_be_root_of_a_container() {
  return geteuid() == 0 && succeeds_in_child([] {
           become_root_of_a_container();
           checked(unshare(CLONE_NEWUSER), "make a user namespace");
         });
}

}  // namespace isthmus::tests
