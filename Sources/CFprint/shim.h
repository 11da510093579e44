#pragma once
#include <fprint.h>
