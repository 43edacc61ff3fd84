"""MPI suites of other projects, run plain and under the drop-in, and compared."""
