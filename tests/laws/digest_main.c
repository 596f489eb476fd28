/* SPDX-License-Identifier: MIT */
/* Prints the digest of a native build, for `make wasm`. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/laws/digest.h"

int main(void)
{
	printf("%016" PRIx64 "\n", digest());
	return 0;
}
