#include "algorithms/process/namespaces.hpp"

#include <gtest/gtest.h>

#include "algorithms/process/system.hpp"
#include "tests/support/root_of_a_container.hpp"

namespace isthmus {
namespace {

TEST(Namespaces, AreMadeByTheRootOfAContainer) {
  if (!tests::can_be_root_of_a_container())
    GTEST_SKIP() << "needs root, and a kernel where all may make user namespaces";
  for (const bool network : {false, true}) {
    EXPECT_TRUE(succeeds_in_child([&] {
      tests::become_root_of_a_container();
      enter_namespaces(network);
    }));
  }
}

}  // namespace
}  // namespace isthmus
