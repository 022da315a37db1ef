"""The spooler of print_spooler.csp: jobs wait in the order of their ranks, equal ranks in the order they came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Spooler:
    """The waiting jobs, the next one first: (rank, user)."""

    jobs: tuple[tuple[int, int], ...] = ()

    def Submit(self, user: int, rank: int) -> Self:
        """The job waits behind all those that are as urgent or more so."""
        before = tuple(job for job in self.jobs if job[0] <= rank)
        after = self.jobs[len(before) :]
        return Spooler((*before, (rank, user), *after))

    def Next(self) -> tuple[int, Self]:
        """Takes the next job out; whose it is."""
        return self.jobs[0][1], Spooler(self.jobs[1:])

    def First(self) -> int:
        """Whose job is next."""
        return self.jobs[0][1]

    def IsEmpty(self) -> bool:
        """Whether no user waits."""
        return not self.jobs

    def Has(self, user: int) -> bool:
        """Whether a job of this user waits."""
        return any(owner == user for _, owner in self.jobs)

    def __str__(self) -> str:
        return "|".join(str(user) for _, user in self.jobs)


def rank(user: int, by_rank: bool) -> int:
    """How urgent a job is: the lower the number, the more so."""
    return user if by_rank else 0
