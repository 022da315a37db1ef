// The canonical encoding of states.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "explore/graph.hpp"
#include "program/canonical.hpp"
#include "python/bind.hpp"
#include "python/context.hpp"
#include "python/source.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

std::string text_of(const nb::bytes& bytes) { return {static_cast<const char*>(bytes.data()), bytes.size()}; }

// Asks an object of Python for names.
class PythonNames final : public CanonicalNames {
 public:
  explicit PythonNames(nb::object target) : target_(std::move(target)) {}

  PositionName position(std::uint32_t number) override {
    nb::gil_scoped_acquire lock;
    auto [identity, by_number] =
        nb::cast<std::pair<nb::bytes, std::vector<std::uint8_t>>>(target_.attr("position")(number));
    return {text_of(identity), std::move(by_number)};
  }
  std::string op(OperatorId number) override {
    nb::gil_scoped_acquire lock;
    return text_of(nb::cast<nb::bytes>(target_.attr("operator")(number)));
  }
  std::string value(std::int32_t number) override {
    nb::gil_scoped_acquire lock;
    return text_of(nb::cast<nb::bytes>(target_.attr("value")(number)));
  }

 private:
  nb::object target_;
};

}  // namespace

void bind_canonical(nb::module_& module) {
  nb::class_<CanonicalBuffers>(module, "CanonicalBuffers", "Buffers whose messages may have numbers of values.")
      .def(
          "__init__",
          [](CanonicalBuffers* self, std::uint32_t base, std::uint32_t count, std::uint32_t stride, std::uint32_t width,
             std::vector<std::vector<std::uint8_t>> forms) {
            new (self) CanonicalBuffers{base, count, stride, width, std::move(forms)};
          },
          "base"_a, "count"_a, "stride"_a, "width"_a, "forms"_a);
  nb::class_<CanonicalEncoder>(module, "CanonicalEncoder", "Encodes states by what depends on the model alone.")
      .def(
          "__init__",
          [](CanonicalEncoder* self, PythonNetwork& network, Context& context, std::vector<std::uint8_t> by_number,
             std::vector<CanonicalBuffers> buffers, nb::object names) {
            new (self) CanonicalEncoder(network.network, context.budget, {std::move(by_number), std::move(buffers)},
                                        std::make_unique<PythonNames>(std::move(names)));
          },
          "network"_a, "context"_a, "by_number"_a, "buffers"_a, "names"_a, nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>(), "The names are asked for positions, operators and values.")
      .def(
          "encode",
          [](CanonicalEncoder& self, NetworkGraph& graph, StateId state) {
            std::string out;
            self.encode(graph.unpack(state), out);
            return nb::bytes(out.data(), out.size());
          },
          "graph"_a, "state"_a)
      .def(
          "hash",
          [](CanonicalEncoder& self, NetworkGraph& graph, StateId state) { return self.hash(graph.unpack(state)); },
          "graph"_a, "state"_a);
}

}  // namespace fairlead
