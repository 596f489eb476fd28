# SPDX-License-Identifier: MIT
"""What pipeline.py reads from: a device, and the requests of an epoch."""
from fractions import Fraction

SECOND = 10**9


class Device:
    """Bytes through one pipe, operations through one limiter, then latency."""

    def __init__(self, scenario):
        self.bandwidth = scenario["bandwidth"]
        self.iops = scenario["iops"]
        self.latency = scenario["latency"]
        self.pipe_free = Fraction(0)
        self.ops_free = Fraction(0)
        self.slots = [0] * scenario["max_inflight"]

    def submit(self, now, size):
        """When a request that comes now is complete."""
        start = now
        if self.slots:
            self.slots.sort()
            start = max(now, self.slots[0])
        done = start
        if self.bandwidth:
            self.pipe_free = max(self.pipe_free, Fraction(start)) + Fraction(
                size * SECOND, self.bandwidth)
            done = max(done, int(self.pipe_free))
        if self.iops:
            done = max(done, int(self.ops_free))
            self.ops_free = max(self.ops_free, Fraction(start)) + Fraction(
                SECOND, self.iops)
        done += self.latency
        if self.slots:
            self.slots[0] = done
        return done


def requests_of(scenario, host):
    """The requests of one epoch of a host: lists of (bytes, examples) of
    their blocks."""
    per_block = min(max(scenario["block_bytes"] // scenario["example_bytes"], 1),
                    scenario["shard_examples"])
    blocks = []
    for start in range(0, scenario["examples"], scenario["shard_examples"]):
        end = min(start + scenario["shard_examples"], scenario["examples"])
        blocks += [(start, min(per_block, end - first))
                   for first in range(start, end, per_block)]
    hosts = scenario["hosts"]
    requests = []
    size = shard = None
    for start, count in blocks[len(blocks) * host // hosts:
                               len(blocks) * (host + 1) // hosts]:
        stored = count * scenario["example_bytes"]
        if size is None or shard != start or \
                size + stored > scenario["request_bytes"]:
            requests.append([])
            size, shard = 0, start
        requests[-1].append((stored, count))
        size += stored
    return requests
