// The engine's exceptions, as Python sees them.
#include <nanobind/nanobind.h>

#include <cerrno>

#include "explore/checkpoint.hpp"
#include "program/bytecode.hpp"
#include "python/bind.hpp"

namespace nb = nanobind;

namespace fairlead {
namespace {

PyObject* limit_error = nullptr;
PyObject* fault_error = nullptr;

void raise_with(PyObject* type, const nb::tuple& arguments) { PyErr_SetObject(type, arguments.ptr()); }

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const LimitReached& limit) {
    raise_with(limit_error, nb::make_tuple(limit.limit));
  } catch (const ModelFault& fault) {
    raise_with(fault_error, nb::make_tuple(fault.site, fault.value));
  } catch (const BadCheckpoint&) {
    PyErr_SetString(PyExc_ValueError, "not what was written");
  } catch (const FileTrouble& trouble) {
    errno = trouble.error;
    PyErr_SetFromErrno(PyExc_OSError);
  } catch (const std::bad_alloc&) {
    raise_with(limit_error, nb::make_tuple(Limit::kMemory));
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::enum_<Limit>(module, "Limit", "What can be used up.")
      .value("MEMORY", Limit::kMemory)
      .value("STATES", Limit::kStates)
      .value("TIME", Limit::kTime)
      .value("DISK", Limit::kDisk);
  limit_error = PyErr_NewExceptionWithDoc("fairlead.engine._native.EngineLimit",
                                          "A `Limit` is used up; the argument says which.", PyExc_Exception, nullptr);
  fault_error = PyErr_NewExceptionWithDoc(
      "fairlead.engine._native.EngineFault",
      "The model failed at run time: the number of the site, and the value at fault.", PyExc_Exception, nullptr);
  module.attr("EngineLimit") = nb::handle(limit_error);
  module.attr("EngineFault") = nb::handle(fault_error);
  nb::register_exception_translator(translate);
}

}  // namespace fairlead
