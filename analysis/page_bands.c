/* SPDX-License-Identifier: MIT */
#include "analysis/page.h"

void page_timeline(const struct page *page, size_t run)
{
	(void)page;
	(void)run;
}
