// The side of Python: asks an object there for what the engine has never seen.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "program/network.hpp"

namespace fairlead {

class PythonSource final : public Source {
 public:
  explicit PythonSource(nanobind::object target) : target_(std::move(target)) {}

  void position(std::uint32_t number) override;
  Rewrite rewrite(ShapeId shape, std::span<const LocalId> locals, MoveKind kind, std::span<const MovePart> parts,
                  std::span<const std::uint32_t> undecided, std::span<const std::int32_t> values,
                  bool& cacheable) override;
  MemberKind member(GroupId group, LocalId local) override;
  std::vector<LocalId> components(GroupId group, LocalId composite) override;
  CallAnswer call(std::int32_t function, std::span<const std::int32_t> arguments) override;
  std::string text(std::int32_t value) override;

 private:
  nanobind::object target_;
};

// A network with the Python object that answers its questions.
struct PythonNetwork {
  explicit PythonNetwork(std::size_t variables) : network(variables) {}
  Network network;
  std::unique_ptr<PythonSource> source;
};

}  // namespace fairlead
