# SPDX-License-Identifier: MIT
"""Runs PyTorch's own DataLoader on a dataset that sleeps, and says what it
did: when each batch was asked for and handed over, and what each example and
each batch cost the worker that carried it, measured by the worker itself (a
sleep lasts longer than it was asked to, and processes share the cores)."""
import multiprocessing
import time

import torch
from torch.utils.data import DataLoader, Dataset


class SleepingDataset(Dataset):
    """Example i costs reads_s[i] and then works_s[i] of sleep. What it cost in
    truth is noted in shared memory, where the parent finds it."""

    def __init__(self, reads_s, works_s, batch_size):
        self.reads_s = reads_s
        self.works_s = works_s
        self.batch_size = batch_size
        count = len(works_s)
        self.read_s = multiprocessing.RawArray("d", count)
        self.worked_s = multiprocessing.RawArray("d", count)
        # When each batch's first example was begun and its collation ended.
        self.began_s = multiprocessing.RawArray("d", count // batch_size)
        self.ended_s = multiprocessing.RawArray("d", count // batch_size)

    def __len__(self):
        return len(self.works_s)

    def __getitem__(self, index):
        start = time.monotonic()
        if index % self.batch_size == 0:
            self.began_s[index // self.batch_size] = start
        time.sleep(self.reads_s[index])
        read = time.monotonic()
        time.sleep(self.works_s[index])
        self.read_s[index] = read - start
        self.worked_s[index] = time.monotonic() - read
        return index

    def collate(self, items):
        batch = torch.tensor(items)
        self.ended_s[items[0] // self.batch_size] = time.monotonic()
        return batch


class Epoch:
    """One epoch as it went; times in seconds."""

    def __init__(self, case, reads_s, works_s):
        dataset = SleepingDataset(reads_s, works_s, case.batch_size)
        loader = DataLoader(
            dataset, batch_size=case.batch_size, num_workers=case.workers,
            prefetch_factor=case.prefetch_factor, collate_fn=dataset.collate)
        handed_s = []
        for _ in loader:
            handed_s.append(time.monotonic())
            time.sleep(case.step_s)
        self.case = case
        self.batches = len(handed_s)
        self.span_s = handed_s[-1] - handed_s[0]
        self.read_s = list(dataset.read_s)
        self.worked_s = list(dataset.worked_s)
        self.began_s = list(dataset.began_s)
        self.ended_s = list(dataset.ended_s)

    def au(self):
        """Nominal step time over elapsed, from first to last hand-over."""
        return (self.batches - 1) * self.case.step_s / self.span_s

    def handover_s(self):
        """What a batch costs the trainer besides its step, where every batch
        is there before it is asked for."""
        return self.span_s / (self.batches - 1) - self.case.step_s

    def batch_overheads_s(self):
        """What each batch cost its worker besides its examples: collating it
        and, as measured where the worker had another one to begin with at
        once, sending it and fetching what to do next."""
        size, workers = self.case.batch_size, self.case.workers
        gaps = sorted(self.began_s[k + workers] - self.ended_s[k]
                      for k in range(self.batches - workers))
        between_s = gaps[len(gaps) // 4]
        return [self.ended_s[k] - self.began_s[k] + between_s
                - sum(self.read_s[k * size:(k + 1) * size])
                - sum(self.worked_s[k * size:(k + 1) * size])
                for k in range(self.batches)]
