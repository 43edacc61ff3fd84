# Writes a header with the commit that is built, if it differs from what the header says: -DSOURCE=folder -DOUTPUT=file
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=* OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define ISTHMUS_COMMIT \"${commit}\"\n")
