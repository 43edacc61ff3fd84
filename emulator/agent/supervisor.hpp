// Runs an emulation so that nothing of it is left behind.
#pragma once

namespace isthmus {

/// Reads one request (JSON: work, settings, kernel command line) as the first line of the standard input, runs it in
/// namespaces of its own, and writes the events as lines on the standard output. The rest of the standard input, and
/// the signals HUP, INT, QUIT, TERM, USR1 and USR2, go to the program of a session. All processes of the emulation live
/// in those namespaces, and all its files on a file system that only they see. All of it ends with this process, even
/// if this process is killed; this process ends with its parent.
int supervise();

}  // namespace isthmus
