# SPDX-License-Identifier: MIT
"""A minimal discrete-event simulator of processes, for pipeline.py.

A process is a generator. It yields a number, the nanoseconds it sleeps, or a
Wait, which somebody else ends. Everything that happens at one time happens in
the order in which it was asked for.
"""
import heapq
from collections import deque


class Wait:
    """What a process waits for; ended once, with a value."""

    def __init__(self):
        self.process = None


class Clock:
    """Virtual time, in whole nanoseconds."""

    def __init__(self):
        self.now = 0
        self.over = False
        self.agenda = []
        self.number = 0

    def at(self, time, action):
        self.number += 1
        heapq.heappush(self.agenda, (time, self.number, action))

    def start(self, process):
        self.at(self.now, lambda: self.resume(process, None))

    def resume(self, process, value):
        try:
            wish = process.send(value)
        except StopIteration:
            return
        if isinstance(wish, Wait):
            wish.process = process
        else:
            self.at(self.now + wish, lambda: self.resume(process, None))

    def end(self, wait, value=None):
        process = wait.process
        self.at(self.now, lambda: self.resume(process, value))

    def run(self):
        while self.agenda and not self.over:
            self.now, _, action = heapq.heappop(self.agenda)
            action()


class Room:
    """So many places; whoever wants one waits his turn."""

    def __init__(self, clock, places):
        self.clock = clock
        self.free = places
        self.waiting = deque()

    def take(self):
        if self.free > 0 and not self.waiting:
            self.free -= 1
            return
        wait = Wait()
        self.waiting.append(wait)
        yield wait

    def give(self, places=1):
        self.free += places
        while self.free > 0 and self.waiting:
            self.free -= 1
            self.clock.end(self.waiting.popleft())


class Line:
    """Things in the order in which their places were taken. A place may be
    filled late: what is behind it waits."""

    def __init__(self, clock):
        self.clock = clock
        self.places = deque()
        self.waiting = deque()

    def place(self):
        place = []
        self.places.append(place)
        return place

    def fill(self, place, thing):
        place.append(thing)
        self.serve()

    def put(self, thing):
        self.fill(self.place(), thing)

    def serve(self):
        while self.waiting and self.places and self.places[0]:
            thing = self.places.popleft()[0]
            self.clock.end(self.waiting.popleft(), thing)

    def get(self):
        if not self.waiting and self.places and self.places[0]:
            return self.places.popleft()[0]
        wait = Wait()
        self.waiting.append(wait)
        return (yield wait)

    def dismiss(self):
        """Whoever waits gets nothing."""
        while self.waiting:
            self.clock.end(self.waiting.popleft(), None)
