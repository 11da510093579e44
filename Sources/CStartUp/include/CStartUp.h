#pragma once

// In place of what the Swift runtime's backtracer has under these names, so that the linker leaves
// the backtracer out: before `main` it looks for its program in eight folders, in every process. The
// settings, all zeros with room to spare, are off, and so nothing calls the function. A backtracer
// would read the memory of a process that holds secrets. Only for a program that is linked statically.
extern char _swift_backtraceSettings[128];
_Bool _swift_backtrace_isThunkFunction(const char *name);
