// The command line that a SimGrid engine reads its settings from.
#pragma once

#include <string>
#include <vector>

#include "sim/smpi_settings.hpp"

namespace isthmus {

/// Made of a program's name and settings; for s4u::Engine(&count(), values()), whose lifetime it has to cover.
class EngineArguments {
 public:
  EngineArguments(const char* program, const SmpiSettings& settings) : words_{program, "--log=root.thres:critical"} {
    for (const auto& [key, value] : settings) words_.push_back("--cfg=" + key + ":" + value);
    for (std::string& word : words_) values_.push_back(word.data());
    values_.push_back(nullptr);
    count_ = static_cast<int>(words_.size());
  }
  EngineArguments(const EngineArguments&) = delete;
  EngineArguments& operator=(const EngineArguments&) = delete;

  int& count() { return count_; }
  char** values() { return values_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> values_;
  int count_ = 0;
};

}  // namespace isthmus
