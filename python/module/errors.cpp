#include "algorithms/errors.hpp"

#include "python/module/module.hpp"

namespace isthmus::python {
namespace {

py::handle error_class, refused_class, bad_input_class, missing_class;

/// A class of the module with a docstring; the module keeps it.
py::handle add_class(py::module_& module, const char* name, const char* doc, const py::tuple& bases) {
  const std::string full = std::string("isthmus.") + name;
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr);
  if (made == nullptr) throw py::error_already_set();
  module.add_object(name, py::reinterpret_steal<py::object>(made));
  return made;
}

void translate(std::exception_ptr pointer) {  // NOLINT(performance-unnecessary-value-param): pybind11 wants it so
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const Refused& error) {
    PyErr_SetString(refused_class.ptr(), error.what());
  } catch (const BadInput& error) {
    PyErr_SetString(bad_input_class.ptr(), error.what());
  } catch (const Missing& error) {
    PyErr_SetString(missing_class.ptr(), error.what());
  }
}

}  // namespace

void register_errors(py::module_& module) {
  const auto of = [](auto... bases) { return py::make_tuple(py::reinterpret_borrow<py::object>(bases)...); };
  error_class = add_class(module, "Error", "Base of all errors of isthmus: one line that says what would be right.",
                          of(py::handle(PyExc_Exception)));
  refused_class = add_class(module, "Refused", "The question was understood and the answer is no.", of(error_class));
  bad_input_class = add_class(module, "BadInput", "The request or an input file is wrong.",
                              of(error_class, py::handle(PyExc_ValueError)));
  missing_class = add_class(module, "Missing", "The environment lacks something; the message says how to get it.",
                            of(error_class, py::handle(PyExc_RuntimeError)));
  py::register_exception_translator(&translate);
}

}  // namespace isthmus::python
