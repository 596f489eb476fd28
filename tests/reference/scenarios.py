# SPDX-License-Identifier: MIT
"""Random scenarios, as pipeline.py takes them and as echosim reads them."""
import json

MS = 10**6
PLACES = ["none", "example-before-decode", "example-before-augment",
          "example-after-augment", "batch"]


def time(draw, most_ns):
    """A constant time; now and then none at all."""
    return 0 if draw.random() < 0.2 else draw.randrange(1, most_ns)


def random_stage(draw, most_ns):
    workers = draw.randrange(1, 6)
    return {"workers": workers, "times": [time(draw, most_ns)],
            "queue": workers + draw.randrange(0, 9)}


def collate(draw, prefetch_batches, accelerators):
    """Room for what is held ready, and for what each worker makes."""
    stage = random_stage(draw, 10 * MS)
    # Batches that are made in no time are made at one instant with others,
    # and which epoch's end finds them ready is nobody's rule.
    stage["times"] = [max(stage["times"][0], 1)]
    stage["queue"] = prefetch_batches * accelerators + stage["workers"]
    return stage


def read_ahead(draw, scenario):
    """From the least that can run up to ample."""
    shuffle = scenario["shuffle_examples"]
    lanes = scenario["accelerators"] if scenario["sync"] == "barrier" else 1
    least = (shuffle if shuffle > 1 else 0) + lanes * scenario["batch_size"]
    return least + draw.choice([0, draw.randrange(1, 200), 100000])


def random_scenario(draw):
    per_block = draw.randrange(1, 13)
    example_bytes = draw.randrange(1000, 200000)
    depth = draw.randrange(1, 9)
    place = draw.choice(PLACES)
    sync = draw.choice(["barrier", "none"])
    bandwidth = draw.choice([0, draw.randrange(10**6, 10**9)])
    accelerators = draw.choice([1, 1, 2, 3])
    prefetch_batches = draw.randrange(1, 4)
    epochs = draw.choice([0, draw.randrange(1, 4)])
    scenario = {
        "examples": 0,
        "example_bytes": example_bytes,
        "block_bytes": per_block * example_bytes,
        "shard_examples": draw.randrange(1, 700),
        "bandwidth": bandwidth,
        "iops": draw.choice([0, 0, draw.randrange(20, 5000)]),
        "latency": time(draw, 20 * MS) if bandwidth else
                   draw.randrange(1, 20 * MS),
        "max_inflight": draw.choice([0, 0, draw.randrange(1, 6)]),
        "request_bytes": draw.randrange(1, 5) * per_block * example_bytes,
        "queue_depth": depth,
        "window": depth + draw.randrange(0, 20),
        "decompress": random_stage(draw, 4 * MS),
        "decode": random_stage(draw, 4 * MS),
        "augment": random_stage(draw, 4 * MS),
        "collate": collate(draw, prefetch_batches, accelerators),
        "ordered": True,
        # Which of several copies leaves the buffer first is echosim's draw.
        "shuffle_examples": draw.choice([0, draw.randrange(2, 60)])
                            if place in ("none", "batch") else 0,
        "batch_size": draw.randrange(1, 17),
        "prefetch_batches": prefetch_batches,
        "hosts": draw.choice([1, 1, 2, 3]),
        "accelerators": accelerators,
        "step_ns": draw.randrange(1, 40 * MS),
        "allreduce": time(draw, 4 * MS) if sync == "barrier" else 0,
        "sync": sync,
        "echo_place": place,
        "echo_factor": 1 if place == "none" else draw.randrange(1, 5),
        "epochs": epochs,
        "steps": 0 if epochs else draw.randrange(1, 80),
    }
    # At least a step an epoch, whatever the borders of blocks are.
    scenario["examples"] = draw.randrange(40, 1000) + 3 * scenario["hosts"] * (
        per_block + accelerators * scenario["batch_size"])
    scenario["read_ahead"] = read_ahead(draw, scenario)
    # Of requests that hosts make at the very same time, which is first at a
    # device that they share is nobody's rule.
    scenario["scope"] = "per-host" if scenario["hosts"] > 1 else "shared"
    return scenario


def stage_text(scenario, name, queue=True):
    stage = scenario[name]
    text = {"workers": stage["workers"], "time": f"{stage['times'][0]} ns"}
    if queue:
        text["queue"] = stage["queue"]
    return text


def to_yaml(scenario):
    """The scenario as echosim reads it: JSON is YAML."""
    device = {"latency": f"{scenario['latency']} ns"}
    for key, unit in (("bandwidth", " B/s"), ("iops", ""),
                      ("max_inflight", "")):
        if scenario[key]:
            device[key] = f"{scenario[key]}{unit}" if unit else scenario[key]
    echo = {"place": scenario["echo_place"]}
    if echo["place"] != "none":
        echo["factor"] = scenario["echo_factor"]
    run = {"warmup_steps": 0}
    for key in ("steps", "epochs"):
        if scenario[key]:
            run[key] = scenario[key]
    accelerator = {
        "count": scenario["accelerators"],
        "hosts": scenario["hosts"],
        "step_time": f"{scenario['step_ns']} ns",
        "sync": scenario["sync"],
    }
    if scenario["allreduce"]:
        accelerator["allreduce"] = f"{scenario['allreduce']} ns"
    return json.dumps({
        "dataset": {
            "examples": scenario["examples"],
            "example_bytes": f"{scenario['example_bytes']} B",
            "block_bytes": f"{scenario['block_bytes']} B",
            "shard_examples": scenario["shard_examples"],
        },
        "storage": {
            "device": device,
            "order": "sequential",
            "request_bytes": f"{scenario['request_bytes']} B",
            "queue_depth": scenario["queue_depth"],
            "window": scenario["window"],
            "scope": scenario["scope"],
        },
        "pipeline": {
            "decompress": stage_text(scenario, "decompress"),
            "decode": stage_text(scenario, "decode"),
            "augment": stage_text(scenario, "augment"),
            "collate": stage_text(scenario, "collate", False),
            "ordered": scenario["ordered"],
            "read_ahead_examples": scenario["read_ahead"],
            "shuffle_examples": scenario["shuffle_examples"],
            "batch_size": scenario["batch_size"],
            "prefetch_batches": scenario["prefetch_batches"],
        },
        "accelerator": accelerator,
        "echo": [echo],
        "run": run,
    }, indent=1)
