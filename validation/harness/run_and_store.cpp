#include "validation/harness/run_and_store.hpp"

#include <optional>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {

std::vector<Record> run_and_store(Source source, const RunRequest& request, Store& store,
                                  const std::function<void()>& on_kept, const RunSource& run_source) {
  std::vector<std::pair<std::string, std::optional<Record>>> before;
  const auto keep = [&](std::size_t, const Record& record) {
    before.emplace_back(identity(record), store.find(identity(record)));
    store.put(record);
    if (on_kept) on_kept();
  };
  try {
    std::vector<Record> records = run_source(source, request, keep);
    store.put(records);
    return records;
  } catch (const Refused&) {
    if (!request.points.empty() && before.size() == request.points.size()) {
      for (const auto& [key, record] : before) {
        if (record) {
          store.put(*record);
        } else {
          store.remove(key);
        }
      }
    }
    throw;
  }
}

}  // namespace isthmus
