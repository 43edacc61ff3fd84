#include "algorithms/process/namespaces.hpp"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

/// Takes from this process what the root of a container lacks.
void become_root_of_a_container() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct rights[2] = {};
  checked(syscall(SYS_capget, &header, rights), "read the rights of this process");
  for (auto* set : {&rights[0].effective, &rights[0].permitted, &rights[0].inheritable}) *set &= ~(1u << CAP_SYS_ADMIN);
  checked(syscall(SYS_capset, &header, rights), "give up a right");
}

TEST(Namespaces, AreMadeByTheRootOfAContainer) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be the root of a container";
  const auto makes_user_namespaces = [] {
    become_root_of_a_container();
    checked(unshare(CLONE_NEWUSER), "make a user namespace");
  };
  if (!succeeds_in_child(makes_user_namespaces)) GTEST_SKIP() << "user namespaces are not allowed here";
  for (const bool network : {false, true}) {
    EXPECT_TRUE(succeeds_in_child([&] {
      become_root_of_a_container();
      enter_namespaces(network);
    }));
  }
}

}  // namespace
}  // namespace isthmus
