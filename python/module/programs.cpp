#include <sys/prctl.h>

#include <csignal>

#include "algorithms/process/child.hpp"
#include "algorithms/process/whole_file.hpp"
#include "python/module/module.hpp"

namespace isthmus::python {

void register_programs(py::module_& module) {
  module.def(
      "run_program",
      [](const std::vector<std::string>& words, const py::object& on_line, double timeout_s) {
        ChildOptions options;
        options.timeout_s = timeout_s;
        options.grace_s = 3;
        options.checkpoint = signal_checkpoint();
        options.on_line = [&](const std::string& line) {
          const py::gil_scoped_acquire with_gil;
          on_line(line);
        };
        ChildResult result;
        {
          const py::gil_scoped_release without_gil;
          result = run_child(words, options);
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        return py::make_tuple(result.exit_status, result.errors, result.how_it_ended(options));
      },
      py::arg("words"), py::arg("on_line"), py::arg("timeout_s"),
      "Runs a program without a shell and passes each line of its output to on_line. Ends it after the time limit (0: "
      "none), on Ctrl-C, and when this process ends. Returns (exit status, standard error, how it ended).");
  module.def(
      "read_whole_file",
      [](const std::string& file, const std::string& needed) {
        const std::string content = read_whole_file(file, needed);
        return py::reinterpret_steal<py::str>(
            PyUnicode_DecodeUTF8(content.data(), static_cast<Py_ssize_t>(content.size()), "replace"));
      },
      py::arg("file"), py::arg("needed"),
      "The text of a file or a pipe; refuses a folder or a device. `needed`: what the error says would be right.");
  module.def("write_whole_file", &write_whole_file, py::arg("file"), py::arg("content"),
             "Writes a new file beside the old one and replaces that when all is written.");
  module.def(
      "die_with_parent", [] { prctl(PR_SET_PDEATHSIG, SIGKILL); },
      "From this call on, the process is killed when the thread that started it ends.");
}

}  // namespace isthmus::python
