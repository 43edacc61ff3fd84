/* Preloaded into a kernel that runs as a process (substrates virtual and uml): it may restore the first part of a
 * program's vector registers only.
 *
 * User-Mode Linux up to 6.12 keeps 2696 bytes of them for each program. The Linux below it takes all of them or none
 * (EFAULT), and processors with matrix registers (Intel's AMX) have 11008. No program in the emulation uses those: a
 * program has to ask for them, and User-Mode Linux knows no such call. So what is missing is filled with zeros. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef long (*Ptrace)(int request, pid_t process, void* address, void* data);
static Ptrace next;

__attribute__((constructor)) static void find_next(void) { next = (Ptrace)dlsym(RTLD_NEXT, "ptrace"); }

long ptrace(enum __ptrace_request request, ...) {
  va_list arguments;
  va_start(arguments, request);
  const pid_t process = va_arg(arguments, pid_t);
  void* const address = va_arg(arguments, void*);
  void* const data = va_arg(arguments, void*);
  va_end(arguments);
  if (request == PTRACE_SETREGSET && (size_t)address == NT_X86_XSTATE) {
    static unsigned char whole[1 << 16]; /* more than any processor has: Linux uses as much as there is */
    const struct iovec* const given = data;
    static size_t filled;
    if (given->iov_len < sizeof whole) {
      memcpy(whole, given->iov_base, given->iov_len);
      if (given->iov_len < filled) memset(whole + given->iov_len, 0, filled - given->iov_len);
      filled = given->iov_len;
      struct iovec all = {whole, sizeof whole};
      return next(request, process, address, &all);
    }
  }
  return next(request, process, address, data);
}
