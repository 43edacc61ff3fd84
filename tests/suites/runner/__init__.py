"""Other people's MPI suites, run plain and under the drop-in, and compared."""
