// The side of Python: asks an object there for what the engine has never seen.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "program/network.hpp"

namespace fairlead {

class PythonSource final : public Source {
 public:
  PythonSource(nanobind::object target, const Calls& calls) : target_(std::move(target)), calls_(calls) {}

  void position(std::uint32_t number) override;
  Composition compose(LocalId local, ProcessId process, std::span<const std::int32_t> values, bool quietly) override;
  void report_nesting() override;
  MemberKind member(GroupId group, LocalId local) override;
  std::vector<LocalId> components(GroupId group, LocalId composite) override;
  CallAnswer call(std::int32_t function, std::span<const std::int32_t> arguments) override;
  std::string text(std::int32_t value) override;

 private:
  nanobind::object target_;
  const Calls& calls_;  // of the network whose questions it answers
};

// A network with the Python object that answers its questions.
struct PythonNetwork {
  explicit PythonNetwork(std::size_t variables) : network(variables) {}
  Network network;
  std::unique_ptr<PythonSource> source;
};

}  // namespace fairlead
