// Running an emulation so that nothing of it can stay behind.
#pragma once

namespace isthmus {

/// Reads one request (JSON: work, settings, kernel command line) as the first line of the standard input, runs it in
/// namespaces of its own, and writes the events as lines on the standard output. What follows on the standard input,
/// and the signals that ask a program to do something, go to the program of a session. Everything that the emulation
/// starts lives in those namespaces and all its files on a file system that only they see; all of it ends with this
/// process, however that ends, and this process ends with the one that started it.
int supervise();

}  // namespace isthmus
