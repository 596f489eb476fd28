/* SPDX-License-Identifier: MIT */
#include "sim/window.h"

static void move_on(struct loader *loader, uint64_t examples)
{
	loader->window.end += examples;
	loader_mark_if(loader, STAGE_DECODE, examples > 0);
}

void window_init(const struct engine *engine, struct loader *loader)
{
	const struct loading *loading = &engine->pipeline.loading;
	struct window *window = &loader->window;
	uint64_t units = loading->window;

	if (!engine->has_window)
		return;
	window->unit = loading->window_unit == WINDOW_BATCH ?
			       engine->pipeline.batch_size :
			       1;
	if (loading->window_most > loading->window)
		window->growth = loading->window_most - loading->window;
	/* The one that is asked for comes with the ask. */
	units -= loading->window_token == WINDOW_ASK;
	window->end = units * window->unit;
}

static bool at_ask(const struct engine *engine)
{
	return engine->pipeline.loading.window_token == WINDOW_ASK;
}

void window_opened(const struct engine *engine, struct loader *loader)
{
	if (at_ask(engine))
		move_on(loader, loader->window.unit);
}

void window_taken(const struct engine *engine, struct loader *loader)
{
	bool full = loader->form_count == engine->pipeline.batch_size;
	uint64_t unit = loader->window.unit;

	if (engine->pipeline.loading.window_unit == WINDOW_BATCH)
		move_on(loader, full && !at_ask(engine) ? unit : 0);
	else /* at the ask: for the next of this batch */
		move_on(loader, full && at_ask(engine) ? 0 : unit);
}

/* A unit that is not full has been taken, or has been asked for and another is
 * in its place. */
void window_dropped(const struct engine *engine, struct loader *loader)
{
	if (engine->pipeline.loading.window_unit == WINDOW_BATCH &&
	    loader->form_count > 0)
		move_on(loader, loader->window.unit);
}

void window_epoch_end(struct loader *loader)
{
	struct window *window = &loader->window;

	window->begun += window->unit - 1;
	window->begun -= window->begun % window->unit;
}

bool window_is_open(struct loader *loader)
{
	struct window *window = &loader->window;

	if (window->begun == window->end && window->growth > 0 &&
	    loader->forming) {
		window->growth--;
		window->end += window->unit;
	}
	return window->begun < window->end;
}
