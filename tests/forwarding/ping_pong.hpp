// The ping-pong of Aumage 2003, between MPI_Init and MPI_Finalize.
#pragma once

/// The options are those of a command line: see ping_pong.cpp. `now_s` is one clock for all ranks. Returns the exit
/// status.
int ping_pong(int argc, char** argv, double (*now_s)());
