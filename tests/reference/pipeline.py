# SPDX-License-Identifier: MIT
"""The input pipeline, written a second time: from the documents, in another
language, in another style (processes that wait for each other in the place of
one reactive engine), and slow. Nothing in it comes from sim/.

A scenario is a plain dict of numbers, times in nanoseconds; random_scenario()
of scenarios.py shows all keys. Times of work are constant or come in turn from
a list, so no random number of echosim is needed.

The rules:
  - Each host has a device of its own and reads the blocks from total * h / H
    on. A request is whole blocks of one shard up to request_bytes, at least
    one.
  - A request starts when fewer than queue_depth are in flight, a place in the
    window is free (it is taken until the last of its blocks is decompressed),
    and fewer examples than read_ahead are asked for and not consumed. Examples
    are consumed when the step of their last use ends.
  - A worker of a stage takes an item when there is room for its result:
    `queue` items in service or waiting behind it.
  - Room behind decompression is given back when the last example of a block
    has left, all other room when the item has.
  - Shuffling stands in front of augmentation (behind it for an echo after
    augmentation). It fills before it gives, and is emptied when its epoch ends.
  - Collating gathers one batch at a time. What a host's slice of an epoch has
    left when no whole batch can be made of it is dropped.
  - A fixed echo of a whole factor e gives each item e times, one after the
    other; a batch echo on the accelerator that had the batch.
  - Accelerators in step take batches of one epoch at a time. It is over for all
    as soon as some host has no further batch of it for one of its accelerators;
    what the others hold or have still to make of it is left over. The next one
    begins when every host has given all of the old one up.
  - Accelerators that each go their own way take every batch. So many steps are
    then so many times the accelerators, whoever makes them.
"""
from processes import Clock, Line, Room, Wait
from storage import Device, requests_of


class Example:
    """One example in memory, with the references to it that are still to be
    given up; was it used by a step?"""

    def __init__(self, references):
        self.references = references
        self.used = False


class Host:
    """One host's pipeline, from requests to batches."""

    def __init__(self, run, number):
        scenario = self.scenario = run.scenario
        clock = self.clock = run.clock
        self.run = run
        self.ahead = 0  # examples asked for and not yet consumed
        self.ahead_waits = None
        self.device = Device(scenario)
        self.depth = Room(clock, scenario["queue_depth"])
        self.buffers = Room(clock, scenario["window"])
        self.read = Line(clock)
        self.echo = scenario["echo_place"]
        factor = scenario["echo_factor"]
        # Uses of each example by steps, and of each batch.
        self.example_uses = 1 if self.echo == "none" else factor
        self.batch_copies = factor if self.echo == "batch" else 1
        requests = requests_of(scenario, number)
        self.epoch_examples = sum(c for r in requests for _, c in r)
        clock.start(self.reads(requests))
        self.batches = Line(clock)
        self.prefetch = self.stages()

    # ---- reading ----

    def reads(self, requests):
        for _ in range(self.scenario["epochs"] or 10**9):
            for blocks in requests:
                yield from self.buffers.take()
                yield from self.depth.take()
                while self.ahead >= self.scenario["read_ahead"]:
                    self.ahead_waits = Wait()
                    yield self.ahead_waits
                self.ahead += sum(count for _, count in blocks)
                place = self.read.place() if self.scenario["ordered"] else None
                self.clock.start(self.request(blocks, place))

    def request(self, blocks, place):
        size = sum(stored for stored, _ in blocks)
        yield self.device.submit(self.clock.now, size) - self.clock.now
        self.depth.give()
        self.read.fill(self.read.place() if place is None else place, blocks)

    def give_up(self, example, fate):
        """One reference less; the last one decides what became of it."""
        example.references -= 1
        if example.references > 0:
            return
        if not example.used:
            self.run.counts_by_fate[fate] += 1
        self.ahead -= 1
        if self.ahead_waits and self.ahead < self.scenario["read_ahead"]:
            waits, self.ahead_waits = self.ahead_waits, None
            self.clock.end(waits)

    # ---- stages ----

    def stages(self):
        """Builds the stages; returns the room of batches."""
        scenario = self.scenario
        blocks = self.stage("decompress", self.blocks(), self.decompressed)
        at = self.examples(blocks)
        total = self.epoch_examples
        after = self.echo == "example-after-augment"
        if self.echo == "example-before-decode":
            at, total = self.echoed(at), total * scenario["echo_factor"]
        at = self.gives(self.stage("decode", at))
        if self.echo == "example-before-augment":
            at, total = self.echoed(at), total * scenario["echo_factor"]
        if not after:
            at = self.shuffled(at, total)
        at = self.gives(self.stage("augment", at))
        if after:
            at, total = self.echoed(at), total * scenario["echo_factor"]
            at = self.shuffled(at, total)
        _, room = self.stage("collate", self.gathered(at, total),
                             line=self.batches)
        return room

    def stage(self, name, take, finished=lambda item: None, line=None):
        """Starts a stage's workers, which take() items; returns the line of
        results and their room."""
        stage = self.scenario[name]
        room = Room(self.clock, stage["queue"])
        line = line or Line(self.clock)
        turn = Room(self.clock, 1)
        state = {"items": 0}
        for _ in range(stage["workers"]):
            self.clock.start(self.worker(
                stage, take, room, line, turn, state, finished))
        return line, room

    def worker(self, stage, take, room, line, turn, state, finished):
        while True:
            # One after the other, so that the order is the order of taking.
            yield from turn.take()
            yield from room.take()
            item = yield from take()
            place = line.place() if self.scenario["ordered"] else None
            times = stage["times"]
            time = times[state["items"] % len(times)]
            state["items"] += 1
            turn.give()
            if time > 0:
                yield time
            if place is None:
                place = line.place()
            finished(item)
            line.fill(place, item)

    def decompressed(self, block):
        """The buffer of a request is free when its last block is done."""
        request = block[1]
        request["pending"] -= 1
        if request["pending"] == 0:
            self.buffers.give()

    def blocks(self):
        """Takes blocks out of requests, one after the other."""
        left = []

        def take():
            if not left:
                request = yield from self.read.get()
                state = {"pending": len(request)}
                left.extend((count, state) for _, count in request)
            return left.pop(0)

        return take

    def examples(self, stage):
        """Takes examples out of decompressed blocks."""
        line, room = stage
        current = {"count": 0}

        def take():
            while current["count"] == 0:
                block = yield from line.get()
                current["count"] = block[0]
            current["count"] -= 1
            if current["count"] == 0:
                room.give()
            return Example(self.example_uses)

        return take

    def gives(self, stage):
        """Takes results; their room is free at once."""
        line, room = stage

        def take():
            item = yield from line.get()
            room.give()
            return item

        return take

    def echoed(self, take):
        held = []

        def echo():
            if not held:
                item = yield from take()
                held.extend([item] * self.scenario["echo_factor"])
            return held.pop()

        return echo

    def shuffled(self, take, total):
        """A shuffle buffer. Which resident leaves does not matter for times:
        the oldest does."""
        size = self.scenario["shuffle_examples"]
        residents = []
        state = {"arrived": 0}
        if size < 2:
            return take

        def shuffle():
            while len(residents) <= size and state["arrived"] < total:
                residents.append((yield from take()))
                state["arrived"] += 1
            item = residents.pop(0)
            if not residents:
                state["arrived"] = 0
            return item

        return shuffle

    def gathered(self, take, total):
        """Gathers batches; where an epoch ends, a mark goes after its last
        batch into the line of them."""
        size = self.scenario["batch_size"]
        state = {"epoch": 0, "left": total}

        def gather():
            batch = []
            while len(batch) < size:
                if state["left"] == 0:
                    for example in batch:
                        for _ in range(self.batch_copies):
                            self.give_up(example, "dropped")
                    batch = []
                    self.batches.put(Mark(state["epoch"]))
                    state["epoch"] += 1
                    state["left"] = total
                batch.append((yield from take()))
                state["left"] -= 1
            return Batch(state["epoch"], batch)

        return gather


class Batch:
    def __init__(self, epoch, examples):
        self.epoch = epoch
        self.examples = examples


class Mark:
    """The end of an epoch, in a line of batches."""

    def __init__(self, epoch):
        self.epoch = epoch


class Run:
    """A whole run; its figures are its attributes when it is over."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.clock = Clock()
        self.counts_by_fate = {"dropped": 0, "left over": 0}
        self.left_over_batches = 0
        self.consumed_examples = 0
        self.fresh_examples = 0
        self.begun = self.ended = self.busy = self.elapsed = 0
        self.epoch = 0
        self.hosts = [Host(self, h) for h in range(scenario["hosts"])]
        self.per_host = scenario["accelerators"]
        self.count = scenario["hosts"] * self.per_host
        self.copies = (scenario["echo_factor"]
                       if scenario["echo_place"] == "batch" else 1)
        self.step_ns = scenario["step_ns"]
        if scenario["sync"] == "barrier":
            self.clock.start(self.together())
        else:
            self.alive = self.count
            for index in range(self.count):
                self.clock.start(self.alone(
                    self.hosts[index // self.per_host]))
        self.clock.run()

    def counts(self):
        return {"fresh_examples": self.fresh_examples,
                "consumed_examples": self.consumed_examples,
                "dropped_examples": self.counts_by_fate["dropped"],
                "left_over_examples": self.counts_by_fate["left over"],
                "left_over_batches": self.left_over_batches}

    def au(self):
        """Of the time until the last step's end."""
        return self.busy / (self.last_end * self.count)

    # ---- steps ----

    def use(self, batch):
        """A step begins with a batch."""
        self.begun += 1
        self.consumed_examples += len(batch.examples)
        for example in batch.examples:
            self.fresh_examples += not example.used
            example.used = True

    def used(self, host, batch):
        """A step that used a batch ends."""
        self.ended += 1
        self.busy += self.step_ns
        self.elapsed = self.last_end = self.clock.now
        for example in batch.examples:
            host.give_up(example, "left over")

    def enough(self, done):
        return self.scenario["steps"] and \
            done == self.scenario["steps"] * self.count

    # ---- each its own way ----

    def alone(self, host):
        while True:
            batch = yield from host.batches.get()
            if isinstance(batch, Mark):
                if self.is_last(batch.epoch):
                    self.hosts_done(host)
                    return
                continue
            if batch is None:
                return
            host.prefetch.give()
            for _ in range(self.copies):
                if self.enough(self.begun):
                    return
                self.use(batch)
                yield self.step_ns
                self.used(host, batch)
                if self.enough(self.ended):
                    self.clock.over = True

    def is_last(self, epoch):
        return self.scenario["epochs"] and epoch + 1 == self.scenario["epochs"]

    def hosts_done(self, host):
        """A host has no more data; its other accelerators wait in vain."""
        self.elapsed = self.clock.now
        host.batches.dismiss()
        host.batches.get = no_more

    # ---- in step ----

    def together(self):
        """One epoch after the other, until the run ends."""
        while not self.is_last(self.epoch - 1):
            over = Wait()
            self.over = over
            self.is_over = False
            self.held = {}
            self.hosts_open = len(self.hosts)
            for host in self.hosts:
                host.open = True
                for lane in range(self.per_host):
                    self.clock.start(self.lane(host, lane))
            yield over
            self.epoch += 1
        self.elapsed = self.clock.now
        self.clock.over = True

    def lane(self, host, lane):
        """An accelerator, within an epoch."""
        while host.open:
            batch = yield from host.batches.get()
            if batch is None:
                return
            if isinstance(batch, Mark):
                self.epoch_over(host)
                return
            host.prefetch.give()
            if self.is_over:
                self.leave(host, batch)
                continue
            for copy in range(self.copies):
                go = Wait()
                self.held[host, lane] = (batch, self.copies - copy, go)
                if len(self.held) == self.count:
                    self.step()
                if not (yield go):
                    break

    def step(self):
        """All have a batch."""
        held, self.held = self.held, {}
        for batch, _, _ in held.values():
            self.use(batch)

        def end():
            for (host, _), (batch, _, _) in held.items():
                self.used(host, batch)
            if self.enough(self.ended):
                self.clock.over = True
            for _, _, go in held.values():
                self.clock.end(go, True)

        self.clock.at(self.clock.now + self.step_ns
                      + self.scenario["allreduce"], end)

    def leave(self, host, batch, uses=None):
        """A batch that no step took, or not as often as it would have been."""
        fresh = uses is None or uses == self.copies
        self.left_over_batches += fresh
        for example in batch.examples:
            for _ in range(self.copies if uses is None else uses):
                host.give_up(example, "left over")

    def epoch_over(self, host):
        """A host has no further batch of the epoch for one accelerator."""
        if not self.is_over:
            self.is_over = True
            held, self.held = self.held, {}
            for (other, _), (batch, uses, go) in held.items():
                self.leave(other, batch, uses)
                self.clock.end(go, False)
        host.open = False
        host.batches.dismiss()
        self.hosts_open -= 1
        if self.hosts_open == 0:
            self.clock.end(self.over)


def no_more():
    """In the place of Line.get: there is nothing to come."""
    return None
    yield  # so that it is a process
