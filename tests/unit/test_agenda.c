/* SPDX-License-Identifier: MIT */
/* Events come out in order, whatever the order in which they went in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/agenda.h"
#include "sim/random.h"

#define SEED 41
#define EVENTS_MAX 300

/* An agenda with memory of its own. */
struct box {
	struct agenda agenda;
	int64_t times_ns[2048];
	uint64_t orders[2048];
	uint32_t payloads[2048];
};

static void box_open(struct box *box, uint64_t events)
{
	uint64_t places = agenda_places(events);

	assert_true(places <= 2048);
	box->agenda = (struct agenda){ .times_ns = box->times_ns,
				       .orders = box->orders,
				       .payloads = box->payloads };
	agenda_init(&box->agenda, places);
}

static int64_t next_ns(struct box *box)
{
	agenda_settle(&box->agenda);
	return agenda_next_ns(&box->agenda);
}

/* What an agenda must give: time, number and payload. */
struct expected {
	int64_t time_ns;
	uint64_t number;
	uint32_t payload;
};

static int in_order(const void *a, const void *b)
{
	const struct expected *x = a;
	const struct expected *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void an_empty_agenda_has_nothing_next(void **state)
{
	static struct box box;

	(void)state;
	for (uint64_t events = 1; events <= 9; events++) {
		box_open(&box, events);
		assert_int_equal(next_ns(&box), INT64_MAX);
		agenda_push(&box.agenda, 7, 1);
		assert_int_equal(next_ns(&box), 7);
		agenda_pop(&box.agenda);
		assert_int_equal(next_ns(&box), INT64_MAX);
	}
}

static void there_is_room_for_as_many_events_as_asked(void **state)
{
	static struct box box;

	(void)state;
	for (uint32_t events = 1; events <= 40; events++) {
		box_open(&box, events);
		for (uint32_t i = 0; i < events; i++)
			agenda_push(&box.agenda, events - i, i);
		for (uint32_t i = events; i-- > 0;)
			assert_int_equal(agenda_pop(&box.agenda).payload, i);
	}
}

static void events_at_one_time_come_in_the_order_they_were_added(void **state)
{
	static struct box box;

	(void)state;
	box_open(&box, EVENTS_MAX);
	for (uint32_t i = 0; i < EVENTS_MAX; i++)
		agenda_push(&box.agenda, i % 2, i);
	for (uint32_t i = 0; i < EVENTS_MAX; i++) {
		struct event event = agenda_pop(&box.agenda);

		assert_int_equal(event.time_ns, i / (EVENTS_MAX / 2));
		assert_int_equal(event.payload,
				 2 * (i % (EVENTS_MAX / 2)) + event.time_ns);
	}
}

static void numbered_events_at_one_time_come_by_number(void **state)
{
	static struct box box;

	(void)state;
	box_open(&box, EVENTS_MAX);
	for (uint32_t i = 0; i < EVENTS_MAX; i++) {
		uint32_t number = i * 7 % EVENTS_MAX; /* all of them, mixed */

		agenda_push_numbered(&box.agenda, 5, number, number + 1000);
	}
	for (uint32_t i = 0; i < EVENTS_MAX; i++)
		assert_int_equal(agenda_pop(&box.agenda).payload, i + 1000);
}

static void all_in_then_all_out_is_sorting(void **state)
{
	struct random_stream stream = { SEED };
	static struct box box;
	static struct expected expected[EVENTS_MAX];
	uint64_t drawn = 0;

	(void)state;
	print_message("seed %d\n", SEED);
	for (uint32_t count = 1; count <= EVENTS_MAX; count++) {
		box_open(&box, count);
		for (uint32_t i = 0; i < count; i++) {
			/* Few times, so that many are equal. */
			int64_t time_ns = (int64_t)random_below(
				random_bits(stream, drawn++), count);

			expected[i] = (struct expected){ time_ns, i, i + 9 };
			agenda_push(&box.agenda, time_ns, i + 9);
		}
		qsort(expected, count, sizeof(expected[0]), in_order);
		for (uint32_t i = 0; i < count; i++) {
			struct event event = agenda_pop(&box.agenda);

			assert_int_equal(event.time_ns, expected[i].time_ns);
			assert_int_equal(event.payload, expected[i].payload);
		}
	}
}

/* A list that is searched for its first, to compare with. */
struct list {
	struct expected events[EVENTS_MAX];
	uint32_t count;
};

static void list_add(struct list *list, struct expected event)
{
	list->events[list->count++] = event;
}

static struct expected list_take(struct list *list)
{
	uint32_t first = 0;
	struct expected event;

	for (uint32_t i = 1; i < list->count; i++)
		if (in_order(&list->events[i], &list->events[first]) < 0)
			first = i;
	event = list->events[first];
	list->events[first] = list->events[--list->count];
	return event;
}

/* Some in, some out, as a simulation does: an event that is taken is followed
 * by none, one or several others that are due later. */
static void a_long_life_is_that_of_a_searched_list(void **state)
{
	struct random_stream stream = { SEED + 1 };
	static struct box box;
	static struct list list;
	uint64_t drawn = 0;
	uint64_t number = 0;
	int64_t now_ns = 0;

	(void)state;
	box_open(&box, EVENTS_MAX);
	for (uint32_t turn = 0; turn < 100000; turn++) {
		uint64_t bits = random_bits(stream, drawn++);

		if (list.count > 0 && bits % 2) {
			struct expected expected = list_take(&list);
			struct event event;

			assert_int_equal(next_ns(&box), expected.time_ns);
			event = agenda_pop(&box.agenda);
			now_ns = event.time_ns;
			assert_int_equal(now_ns, expected.time_ns);
			assert_int_equal(event.payload, expected.payload);
		} else if (list.count < EVENTS_MAX) {
			int64_t time_ns = now_ns + (int64_t)(bits >> 8) % 50;

			list_add(&list,
				 (struct expected){ time_ns, number++, turn });
			agenda_push(&box.agenda, time_ns, turn);
		}
	}
}

static void taking_from_an_empty_agenda_is_a_defect(void **state)
{
	static struct box box;

	(void)state;
	box_open(&box, 2);
	expect_assert_failure(agenda_pop(&box.agenda));
}

static void adding_to_a_full_agenda_is_a_defect(void **state)
{
	static struct box box;

	(void)state;
	box_open(&box, 2);
	agenda_push(&box.agenda, 1, 0);
	agenda_push(&box.agenda, 1, 0);
	expect_assert_failure(agenda_push(&box.agenda, 1, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_agenda_has_nothing_next),
		cmocka_unit_test(there_is_room_for_as_many_events_as_asked),
		cmocka_unit_test(
			events_at_one_time_come_in_the_order_they_were_added),
		cmocka_unit_test(numbered_events_at_one_time_come_by_number),
		cmocka_unit_test(all_in_then_all_out_is_sorting),
		cmocka_unit_test(a_long_life_is_that_of_a_searched_list),
		cmocka_unit_test(taking_from_an_empty_agenda_is_a_defect),
		cmocka_unit_test(adding_to_a_full_agenda_is_a_defect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
