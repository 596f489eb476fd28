/* SPDX-License-Identifier: MIT */
#include "sim/virtual.h"

#include "sim/check.h"

struct tiers_request virtual_request(const struct engine_task *task)
{
	CHECK(task->kind == TASK_READ);
	return (struct tiers_request){
		.number = task->number,
		.host = task->host,
		.block = task->block,
		.block_count = task->block_count,
		.position_bytes = task->position_bytes,
		.bytes = task->bytes,
		.whole_bytes = task->whole_bytes,
		.last = task->last,
		.first_touch = task->first_touch,
		.opens = task->opens,
	};
}

static void answer_tasks(struct engine *engine, struct tiers *tiers)
{
	int64_t now_ns = engine_now_ns(engine);
	struct engine_task task;

	while (engine_take_task(engine, &task)) {
		struct tiers_request request = virtual_request(&task);
		struct completion done = tiers_submit(tiers, now_ns, &request);

		engine_complete(engine, &task, &done);
	}
}

/* Events between two looks at the tasks; a task ends a stretch by itself. */
#define STRETCH_EVENTS 4096

bool virtual_run(struct engine *engine, struct tiers *tiers, uint64_t events)
{
	for (;;) {
		bool going;

		answer_tasks(engine, tiers);
		going = engine_advance(
			engine, INT64_MAX,
			events < STRETCH_EVENTS ? events : STRETCH_EVENTS);
		/* Nothing under way and nothing asked for: a defect, which
		 * pipeline_read_ahead_min() should have ruled out. */
		CHECK(!going || engine_next_ns(engine) != INT64_MAX ||
		      engine_task_waits(engine));
		if (!going || events <= STRETCH_EVENTS)
			return going;
		events -= STRETCH_EVENTS;
	}
}
