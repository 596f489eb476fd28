/* SPDX-License-Identifier: MIT */
#include "sim/handover.h"

#include "sim/cost.h"
#include "sim/service.h"

void handover_pinned(struct engine *engine, struct loader *loader,
		     uint32_t slot)
{
	level_up(&loader->stages[STAGE_COLLATE].waiting, engine->now_ns);
	deliver(engine, loader, STAGE_COLLATE, slot);
}

void handover_collated(struct engine *engine, struct loader *loader,
		       uint32_t slot)
{
	struct token batch =
		loader->stages[STAGE_COLLATE].output.slots[slot].token;
	int64_t pin_ns = cost_of_batch_ns(engine, loader, &engine->pin,
					  &loader->batches[batch.id]);

	if (pin_ns == 0) {
		handover_pinned(engine, loader, slot);
		return;
	}
	if (loader->pin_free_ns < engine->now_ns)
		loader->pin_free_ns = engine->now_ns;
	loader->pin_free_ns += pin_ns;
	agenda_push(&engine->own, loader->pin_free_ns,
		    operation(loader->number, OPERATION_PIN, slot));
}

int64_t handover_ns(const struct engine *engine, struct loader *loader,
		    const struct accelerator *accelerator)
{
	struct token batch = accelerator->batch;

	/* A copy is there already. Behind stages it costs the worker of
	 * collate, behind workers there is none but the trainer. */
	if (batch.copy > 0)
		return engine->by_workers ?
			       engine->pipeline.echo.repeat_cost_ns :
			       0;
	return cost_of_batch_ns(engine, loader, &engine->handover,
				&loader->batches[batch.id]);
}
