"""Tables of values between sites, and the platforms that `isthmus platform --from-table` makes from them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

Pair = tuple[str, str]


@dataclass
class Tables:
    """Values by ordered pair of sites: round trips in ms, rates in Gbit/s, prices for 1e9 bytes."""

    sites: list[str]
    rtt_ms: dict[Pair, float]
    throughput_Gbps: dict[Pair, float]
    price_per_GB: dict[Pair, float] = field(default_factory=dict)

    def of(self, sites: list[str]) -> Tables:
        """The same for some of the sites, in the order given."""
        kept = set(sites)

        def part(table: dict[Pair, float]) -> dict[Pair, float]:
            return {pair: value for pair, value in table.items() if kept.issuperset(pair)}

        return Tables(list(sites), part(self.rtt_ms), part(self.throughput_Gbps), part(self.price_per_GB))

    def write(self, folder: Path, name: str) -> list[str]:
        """Writes the tables as `isthmus platform --from-table` reads them, and gives the names of the files."""
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for what, table, column in (
            ("latency", self.rtt_ms, "rtt_ms"),
            ("throughput", self.throughput_Gbps, "throughput_Gbps"),
            ("price", self.price_per_GB, "price_per_GB"),
        ):
            if not table:
                continue
            lines = [",".join([column, *self.sites])]
            for source in self.sites:
                cells = ["" if source == to else f"{table[source, to]:.12g}" for to in self.sites]
                lines.append(",".join([source, *cells]))
            file = folder / f"{name}-{what}.csv"
            file.write_text("\n".join(lines) + "\n")
            files.append(str(file))
        return files


# A machine moves at most the largest rate that was measured from or to it.
CAPS = ["--host-bandwidth", "largest", "--exit", "largest", "--entrance", "largest"]
# The two readings of rates that were measured between single machines.
ONE_MACHINE = ["--hosts", "1", *CAPS]
SEVERAL_MACHINES = ["--rates-per-host", *CAPS]


def write_platform(isthmus: str, file: Path, tables: list[str], options: list[str]) -> None:
    """Runs `isthmus platform` on a latency, a throughput and perhaps a price table."""
    subprocess.run([isthmus, "platform", "--from-table", *tables, *options, "-o", str(file)], check=True)
