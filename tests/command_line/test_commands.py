"""The output of each command."""

import csv
import io
import json
import unittest
from pathlib import Path

from isthmus_program import DAS_4X1, DAS_4X4, PLATFORMS, ProgramTest


class Commands(ProgramTest):
    def records(self, *arguments):
        return [json.loads(line) for line in self.succeeds(*arguments, "--format", "json").splitlines()]

    def test_platform_shows_sites_links_and_routes(self):
        shown = self.succeeds("platform", DAS_4X4)
        for text in ("das-4x4: 16 hosts", "c0: 4 hosts", "1 MB/s", "50 MB/s", "10 ms"):
            self.assertIn(text, shown)

    def test_a_network_can_be_written_into_a_file(self):
        for form in ("json", "csv"):
            self.assertEqual(self.succeeds("platform", DAS_4X4, "--format", form, "-o", "written"), "")
            printed = self.succeeds("platform", DAS_4X4, "--format", form)
            self.assertEqual((self.folder / "written").read_text(), printed)
        for options in (("-o", "n.json"), ("-o", "n.json", "--emulation")):
            self.is_refused(2, "platform", DAS_4X4, *options, says=["--output writes what --format csv or json prints"])
        self.assertFalse((self.folder / "n.json").exists())

    def test_a_network_in_json_serves_in_place_of_the_xml(self):
        network = self.write("das.json", self.succeeds("platform", DAS_4X4, "--format", "json"))
        arguments = ("broadcast/kielmann", "--bytes", "1,64Ki")
        by_xml = self.records("predict", DAS_4X4, *arguments)
        by_json = self.records("predict", network, *arguments)
        self.assertEqual([r["seconds"] for r in by_xml], [r["seconds"] for r in by_json])

    def test_every_platform_in_the_repository_can_be_read(self):
        for file in sorted(PLATFORMS.rglob("*.xml")):
            with self.subTest(file=file.name):
                self.assertIn(f"platform {file.stem}", self.succeeds("platform", file))

    def test_list_names_papers(self):
        listed = self.succeeds("list")
        for text in (
            "broadcast/kielmann",
            "Kielmann 2000",
            "Karonis 2000",
            "Pjesivac-Grbovic 2005",
            "packing: the ways",
        ):
            self.assertIn(text, listed)

    def test_verify_proves_an_algorithm(self):
        shown = self.succeeds("verify", "broadcast/splitted-binary", "--ranks", "1,2,13")
        self.assertIn("proved", shown)
        self.assertIn(
            "proved", self.succeeds("verify", "broadcast/multilevel", "--platform", PLATFORMS / "samples/uneven.xml")
        )

    def test_proofs_links_and_findings_are_printed_for_programs(self):
        arguments = ("verify", "barrier/all", "--platform", DAS_4X1, "--format")
        rows = list(csv.DictReader(io.StringIO(self.succeeds(*arguments, "csv"))))
        objects = [json.loads(line) for line in self.succeeds(*arguments, "json").splitlines()]
        self.assertEqual([row["plan"] for row in rows], [one["plan"] for one in objects])
        self.assertTrue(all(int(row["proved"]) > 0 and row["fault"] == "" for row in rows) and len(rows) > 3)
        self.assertTrue(all(one["fault"] is None and one["platform"] == "das-4x1" for one in objects))
        links = list(csv.DictReader(io.StringIO(self.succeeds("platform", DAS_4X1, "--format", "csv"))))
        network = json.loads(self.succeeds("platform", DAS_4X1, "--format", "json"))
        self.assertEqual([row["link"] for row in links], [link["name"] for link in network["links"]])
        self.assertEqual(
            [float(row["bandwidth_Bps"]) for row in links], [link["bandwidth_Bps"] for link in network["links"]]
        )
        self.assertIn("yes", {row["wide_area"] for row in links if row["link"].startswith("wan")})
        found = [json.loads(line) for line in self.run_program("doctor", "--format", "json").stdout.splitlines()]
        rows = list(csv.DictReader(io.StringIO(self.run_program("doctor", "--format", "csv").stdout)))
        self.assertEqual([one["name"] for one in found], [row["name"] for row in rows])
        self.assertEqual({one["kind"] for one in found}, {"source", "substrate"})

    def test_verify_proves_that_messages_have_routes(self):
        gateway = PLATFORMS / "aumage2003/sci-myrinet.xml"
        for what in ("alltoall", "barrier", "broadcast/binomial", "gatherv", "scan/multilevel"):
            self.assertIn("proved", self.succeeds("verify", what, "--platform", gateway))

    def test_platform_names_the_relays_between_hosts_without_a_route(self):
        shown = self.succeeds("platform", PLATFORMS / "aumage2003/sci-myrinet.xml")
        self.assertIn("foo0, foo1 -> goo0 ... goo2: relayed by foo2", shown)

    def test_gateways_without_ranks_forward(self):
        idle = PLATFORMS / "aumage2003/idle-gateway.xml"
        self.assertIn("forwarded by gate", self.succeeds("platform", idle))
        self.assertIn("proved", self.succeeds("verify", "barrier", "--platform", idle))
        point = (idle, "broadcast/binomial", "--bytes", "64Ki")
        (replayed,) = self.records("predict", *point, "--model", "replay")
        (simulated,) = self.records("simulate", *point)
        self.assertAlmostEqual(simulated["seconds"] / replayed["seconds"], 1, delta=0.01)
        self.assertLess(replayed["bound_seconds"], replayed["seconds"])
        self.assertIn("broadcast", self.succeeds("explain", idle, "broadcast", "--bytes", "64Ki"))
        self.is_refused(2, "simulate", idle, "broadcast/mpi", "--bytes", "8", says=["not relayed"])

    def test_hosts_that_nobody_reaches_are_named(self):
        idle = PLATFORMS / "aumage2003/idle-gateway.xml"
        network = json.loads(self.succeeds("platform", idle, "--format", "json"))
        gate = next(host["endpoint"] for host in network["hosts"] if host["name"] == "gate")
        network["trunks"] = [trunk for trunk in network["trunks"] if gate not in (trunk["from"], trunk["to"])]
        file = self.write("islands.json", json.dumps(network))
        self.assertIn("no other host can relay", self.succeeds("platform", file))
        says = ["host goo0 cannot be reached from host foo0"]
        for command in (("verify", "barrier", "--platform", file), ("predict", file, "broadcast", "--bytes", "8")):
            self.is_refused(2, *command, says=says)

    def test_routes_without_links_are_unlimited(self):
        network = json.loads(self.succeeds("platform", DAS_4X1, "--format", "json"))
        network["links"], network["hosts"] = [], network["hosts"][:3]
        for host in network["hosts"]:
            host.update(endpoint=0, up=[], down=[], loopback=[], zones=[])
        network["trunks"] = [{"from": 0, "to": 0, "links": []}]
        file = self.write("free.json", json.dumps(network))
        self.assertIn("unlimited  c0-0 -> c1-0 over no link\n", self.succeeds("platform", file))
        question = ("bound", file, "allgather", "--bytes")
        shown = self.succeeds(*question, "1000")
        self.assertIn("No schedule takes less than 0 s: no link limits it.", shown)
        self.assertIn("nothing is to be done", self.succeeds(*question, "0"))
        self.assertEqual([bound["kind"] for bound in self.records(*question, "0,1000")], ["nothing", "unlimited"])

    def test_models_say_that_they_leave_out_profiles(self):
        self.write("rates.txt", "0 1e6\n5 1e5\n")
        link = '<link id="wan-c0-c1"'
        text = Path(DAS_4X1).read_text().replace(link, link + ' bandwidth_file="rates.txt"')
        file = self.write("changing.xml", text)
        note = "note: changing: models and bounds leave out that link wan-c0-c1"
        for command in (
            ("bound", file, "broadcast"),
            ("explain", file, "broadcast"),
            ("predict", file, "broadcast/binomial"),
            ("compare", file, "broadcast/binomial", "broadcast/chain", "--source", "model"),
            ("sensitivity", file, "broadcast/binomial"),
            ("tune", file, "broadcast"),
        ):
            with self.subTest(command):
                done = self.run_program(*command, "--bytes", "1Ki")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count(note), 1, done.stderr)
        self.succeeds("simulate", file, "broadcast/binomial", "--bytes", "1Ki")

    def test_the_mpis_own_is_not_relayed(self):
        gateway = PLATFORMS / "aumage2003/sci-myrinet.xml"
        self.is_refused(2, "simulate", gateway, "broadcast/mpi", "--bytes", "8", says=["not relayed"])

    def test_channels_shows_what_programs_see(self):
        picture = self.write("channels.svg", "")
        shown = self.succeeds("channels", PLATFORMS / "aumage2003/channels.cfg", "-o", picture)
        for text in ("virtual, of sci_channel bip_channel", "gateways: foo2", "used up", "2 default (world)"):
            self.assertIn(text, shown)
        self.assertIn("<svg", Path(picture).read_text())
        read = json.loads(self.succeeds("channels", PLATFORMS / "aumage2003/channels.cfg", "--format", "json"))
        self.assertEqual(read["channels"][read["world"]]["gateways"], ["foo2"])

    def test_predict_gives_a_record_a_line(self):
        records = self.records("predict", DAS_4X4, "broadcast/magpie", "--bytes", "1,4Mi")
        self.assertEqual(
            [(r["source"], r["bytes"]) for r in records],
            [("plogp", 1), ("plogp", 4194304), ("replay", 1), ("replay", 4194304)],
        )
        for record in records:
            self.assertEqual(
                (record["platform"], record["collective"], record["algorithm"], record["ranks"]),
                ("das-4x4", "broadcast", "magpie", 16),
            )
            self.assertGreaterEqual(record["seconds"], record["bound_seconds"])

    def test_without_algorithm_the_choice_is_automatic_and_the_record_says_which(self):
        arguments = (DAS_4X4, "--bytes", "8,1Mi", "--model", "replay")
        chosen = self.records("predict", *arguments, "broadcast")
        self.assertEqual([(r["requested"], r["algorithm"]) for r in chosen][1], ("auto", "packed"))
        for record in chosen:
            again = self.records(
                "predict", DAS_4X4, f"broadcast/{record['plan']}", "--bytes", str(record["bytes"]), "--model", "replay"
            )
            self.assertEqual(again[0]["seconds"], record["seconds"])
        self.assertEqual(
            [r["plan"] for r in self.records("predict", *arguments, "broadcast/auto")], [r["plan"] for r in chosen]
        )
        self.is_refused(2, "predict", *arguments, "broadcast/auto:segment=1Ki", says=["auto"])
        self.assertGreater(len(self.records("predict", *arguments, "broadcast/all")), 20)

    def test_an_algorithm_that_is_named_alone_is_as_good_as_where_it_is_explained(self):
        for collective in ("allreduce", "broadcast"):
            tried = {}
            for line in self.records("explain", DAS_4X4, collective, "--bytes", "64Ki", "--all"):
                tried.setdefault(line["algorithm"], []).append(line)
            best = {}
            for algorithm, lines in tried.items():  # of those within 1 % of the quickest the one with fewest messages
                limit = 1.01 * min(line["seconds"] for line in lines)
                one = min(
                    (line for line in lines if line["seconds"] <= limit),
                    key=lambda line: (line["messages"], line["seconds"]),
                )
                best[algorithm] = one["plan"], one["seconds"]
            arguments = ("--bytes", "64Ki", "--model", "replay")
            every = self.records("predict", DAS_4X4, f"{collective}/all", *arguments)
            self.assertEqual({r["algorithm"] for r in every}, set(best))
            for record in every:
                self.assertEqual((record["plan"], record["seconds"]), best[record["algorithm"]])
            alone = self.records("predict", DAS_4X4, f"{collective}/multilevel", *arguments)[0]
            self.assertEqual(alone["plan"], next(r["plan"] for r in every if r["algorithm"] == "multilevel"))
        whole = self.records("predict", DAS_4X4, "broadcast/binomial:segment=none", *arguments)[0]
        self.assertIsNone(whole["segment_bytes"])

    def test_a_model_says_which_algorithms_it_has_no_form_for_and_shows_the_others(self):
        done = self.run_program(
            "predict",
            PLATFORMS / "pjesivac2005/frodo.xml",
            "broadcast/all",
            "--bytes",
            "64Ki",
            "--model",
            "hockney",
            "--format",
            "json",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        shown = {json.loads(line)["algorithm"] for line in done.stdout.splitlines()}
        self.assertEqual(shown, {"linear", "chain", "binary", "binomial", "splitted-binary"})
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("hockney has no answer for broadcast/k-chain, ", done.stderr)
        self.is_refused(
            2, "predict", DAS_4X4, "broadcast/binomial", "--bytes", "1", "--model", "hockney", says=["no closed form"]
        )

    def test_every_explanation_says_what_it_explains(self):
        shown = self.succeeds("explain", DAS_4X4, "allgather", "--bytes", "8,1Ki")
        for heading in ("allgather of 8 B on das-4x4, 16 ranks:", "allgather of 1 KiB on das-4x4, 16 ranks:"):
            self.assertIn(heading, shown.splitlines())
        import csv

        asked = (DAS_4X1, DAS_4X4, "scatter", "gather", "--bytes", "8,1Ki", "--root", "3")
        lines = self.succeeds("explain", *asked, "--format", "csv").splitlines()
        self.assertEqual(sum(line.startswith("platform,collective,bytes") for line in lines), 1)
        what = ("platform", "collective", "bytes", "ranks", "root", "plan")
        rows = [tuple(row[name] for name in what) for row in csv.DictReader(lines)]
        records = [tuple(str(record[name]) for name in what) for record in self.records("explain", *asked)]
        self.assertEqual(rows, records)
        self.assertEqual(len(set(rows)), len(rows))

    def test_explain_splits_the_time_of_every_candidate_and_says_what_changes_the_choice(self):
        lines = self.records("explain", DAS_4X4, "allgather", "--bytes", "1Ki")
        self.assertGreater(len({line["algorithm"] for line in lines}), 4)
        self.assertEqual([line["chosen"] for line in lines], [True] + [False] * (len(lines) - 1))
        for line in lines:
            parts = sum(line[f"{part}_seconds"] for part in ("latency", "wide_area", "local", "overhead", "contention"))
            self.assertAlmostEqual(parts, line["seconds"], delta=1e-9)
            self.assertGreaterEqual(line["seconds"], line["bound_seconds"])
        self.assertNotIn("next_switch_bytes", lines[0])
        switch = self.records("explain", DAS_4X4, "allgather", "--bytes", "1Ki", "--ahead")[0]["next_switch_bytes"]
        before, after = (
            self.records("predict", DAS_4X4, "allgather", "--bytes", str(b), "--model", "replay")[0]
            for b in (1024, switch)
        )
        self.assertEqual(before["algorithm"], lines[0]["algorithm"])
        self.assertNotEqual(after["algorithm"], before["algorithm"])
        slow = self.succeeds(
            "explain", DAS_4X1, "alltoall", "--bytes", "4", "--set", "*.bandwidth=30kBps", "--set", "*.latency=1us"
        )
        self.assertRegex(" ".join(slow.split()), r"binds: [0-9]+ B, [0-9.]+ B with headers, at 30 kB/s keep it busy")
        self.assertIn("Choice: aggregated", self.succeeds("explain", DAS_4X4, "allgather", "--bytes", "1Ki"))
        self.is_refused(2, "explain", DAS_4X4, "allgather/ring", "--bytes", "1Ki", says=["allgather"])
        self.is_refused(
            2, "explain", DAS_4X4, "allgather", "--bytes", "1Ki", "--ahead", "--format", "csv", says=["--ahead", "json"]
        )

    def test_explain_names_the_choice_of_predict_where_others_are_as_quick(self):
        by_site = str(PLATFORMS / "karonis2000/by-site.xml")
        for root, size in (("3", "4223437"), ("0", "848209")):
            call = (by_site, "reduce", "--bytes", size, "--root", root)
            predicted = self.records("predict", *call, "--model", "replay")[0]
            explained = self.records("explain", *call)[0]
            self.assertEqual(
                [explained[field] for field in ("chosen", "plan", "seconds")],
                [True, predicted["plan"], predicted["seconds"]],
            )

    def test_a_bound_names_the_links_that_make_it_and_what_would_lower_it(self):
        bound = self.records("bound", DAS_4X4, "gather", "--bytes", "8,1Mi", "--root", "3")[1]
        self.assertEqual(
            (bound["platform"], bound["bytes"], bound["ranks"], bound["root"]), ("das-4x4", 2**20, 16, 3)
        )
        self.assertEqual((bound["kind"], bound["crossing_bytes"], bound["to_host"]), ("cut", 12 * 2**20, "c0-3"))
        self.assertEqual(
            {name for link in bound["links"] for name in link["names"]},
            {f"wan-c0-c{other}_DOWN" for other in (1, 2, 3)},
        )
        self.assertAlmostEqual(sum(link["bytes"] for link in bound["links"]), bound["crossing_bytes"], delta=1)
        for link in bound["links"]:
            self.assertAlmostEqual(link["latency_s"] + link["bytes"] / link["bandwidth_Bps"], bound["bound_seconds"])
        best = bound["reliefs"][0]  # all three twice as wide
        self.assertEqual((len(best["names"]), best["more_Bps"]), (3, 3e6))
        self.assertAlmostEqual(best["saved"], 1 - best["bound_seconds"] / bound["bound_seconds"])
        self.assertAlmostEqual(best["saved"], 0.4988, delta=1e-4)
        predicted = self.records("predict", DAS_4X4, "gather", "--bytes", "1Mi", "--root", "3", "--model", "replay")
        self.assertEqual(predicted[0]["bound_seconds"], bound["bound_seconds"])

    def test_a_bound_is_a_table_or_csv(self):
        shown = self.succeeds("bound", DAS_4X4, "gather", "--bytes", "8,1Mi")
        for line in (
            "gather of 1 MiB on das-4x4, 16 ranks:",
            "1 MB/s more on wan-c0-c1_DOWN lowers it by 24.9 %, to 3.16 s.",
        ):
            self.assertIn(line, shown.splitlines())
        self.assertIn(
            "No schedule takes less than 4.2 s: 12 MiB have to cross these links, for instance from c1-0 to c0-0.",
            " ".join(shown.split()),
        )
        self.assertIn("More bandwidth would not lower it.", self.succeeds("bound", DAS_4X4, "barrier"))
        # Every site's lines bind: those of the cut alone do not help, all together do.
        allgather = ("bound", DAS_4X4, "allgather", "--bytes", "1Mi")
        self.assertIn("More bandwidth on these links alone would not lower it.", self.succeeds(*allgather))
        wider = self.records(*allgather, "--set", "wan-*.bandwidth=x2")[0]["bound_seconds"]
        self.assertLess(wider, 0.6 * self.records(*allgather)[0]["bound_seconds"])
        import csv

        lines = self.succeeds("bound", DAS_4X4, "gather", "--bytes", "8,1Mi", "--format", "csv").splitlines()
        rows = list(csv.DictReader(lines))
        self.assertEqual([row["bytes"] for row in rows], ["8", "1048576"])
        self.assertEqual(rows[1]["links"], "wan-c0-c1_DOWN wan-c0-c2_DOWN wan-c0-c3_DOWN")

    def test_a_bound_is_of_a_collective_alone(self):
        self.is_refused(2, "bound", DAS_4X4, "gather/linear", "--bytes", "8", says=["gather/linear", "`gather`"])
        self.is_refused(2, "bound", DAS_4X4, "gahter", "--bytes", "8", says=["gather"])
        self.is_refused(2, "bound", DAS_4X4, "gather", says=["--bytes"])
        self.is_refused(2, "bound", DAS_4X4, "gather", "--bytes", "8", "--root", "16", says=["root"])
        self.is_refused(2, "bound", DAS_4X4, "gather", "--bytes", "8", "--format", "xml", says=["xml"])

    def test_simulation_and_replay_agree_where_nothing_contends(self):
        arguments = (DAS_4X4, "broadcast/binomial", "--bytes", "8,64Ki,1Mi")
        simulated = self.records("simulate", *arguments)
        replayed = self.records("predict", *arguments, "--model", "replay")
        for one, other in zip(simulated, replayed, strict=True):
            self.assertEqual(one["source"], "smpi")
            self.assertAlmostEqual(one["seconds"], other["seconds"], delta=1e-3 * other["seconds"])

    def test_every_collective_is_simulated(self):
        collectives = sorted(
            {line.split("/")[0].strip() for line in self.succeeds("list").splitlines() if "/" in line.split(" ")[0]}
            - {"COLLECTIVE"}
        )
        self.assertEqual(len(collectives), 17)
        for collective in collectives:
            with self.subTest(collective=collective):
                sizes = () if collective == "barrier" else ("--bytes", "40")
                records = self.records("simulate", DAS_4X1, f"{collective}/all", *sizes)
                self.assertTrue(all(r["seconds"] > 0 and r["collective"] == collective for r in records))

    def test_the_mpis_own_collective_is_simulated_beside_ours(self):
        record = self.records("simulate", DAS_4X4, "allreduce/mpi:selector=ompi", "--bytes", "64Ki")[0]
        self.assertEqual((record["algorithm"], record["plan"]), ("mpi", "mpi:selector=ompi"))
        ours = self.records("simulate", DAS_4X4, "allreduce/rabenseifner", "--bytes", "64Ki")[
            0
        ]  # which Open MPI takes here
        self.assertAlmostEqual(record["seconds"], ours["seconds"], delta=1e-6)

    def test_only_algorithms_that_keep_the_order_of_operands_are_shown_where_it_matters(self):
        reduces = {
            r["algorithm"]: r
            for r in self.records("simulate", DAS_4X1, "reduce/all", "--bytes", "64", "--non-commutative")
        }
        self.assertIn("chain", reduces)
        self.assertNotIn("binary", reduces)
        self.assertEqual(reduces["chain"]["settings"]["commutative"], False)

    def test_placement_changes_what_a_flat_tree_costs(self):
        block, cyclic = (
            self.records(
                "predict",
                DAS_4X4,
                "broadcast/chain:segment=none",
                "--bytes",
                "64Ki",
                "--model",
                "replay",
                "--placement",
                rule,
            )[0]["seconds"]
            for rule in ("block", "cyclic")
        )
        self.assertGreater(cyclic, 3 * block)

    def test_groups_from_a_file_replace_the_zones(self):
        one = self.write("one.json", json.dumps({"ranks": [[]] * 16}))
        by_zones = self.records("predict", DAS_4X4, "broadcast/magpie", "--bytes", "8", "--model", "replay")[0]
        by_file = self.records(
            "predict", DAS_4X4, "broadcast/magpie", "--bytes", "8", "--model", "replay", "--topology", one
        )[0]
        binomial = self.records("predict", DAS_4X4, "broadcast/binomial", "--bytes", "8", "--model", "replay")[0]
        self.assertNotEqual(by_zones["seconds"], by_file["seconds"])
        self.assertEqual(by_file["seconds"], binomial["seconds"])

    def test_ranks_placed_by_a_file(self):
        hosts = self.write("hosts", "# the far end first\nc3-0\nc0-0\n")
        record = self.records(
            "predict", DAS_4X4, "broadcast/chain", "--bytes", "1", "--model", "replay", "--placement", hosts
        )[0]
        self.assertEqual(record["ranks"], 2)
        self.assertGreater(record["seconds"], 0.010)

    def test_a_placement_file_of_another_system(self):
        plain = self.write("hosts", "# two\nc3-0\n\nc0-0\n")
        other = self.folder / "hosts-of-windows"
        other.write_bytes(b"\xef\xbb\xbf# two\r\nc3-0\r\n\r\nc0-0\r\n")
        broadcast = ("predict", DAS_4X4, "broadcast/linear", "--bytes", "12", "--model", "replay", "--placement")
        self.assertEqual(self.records(*broadcast, other), self.records(*broadcast, plain))

    def test_the_first_ranks_of_a_placement_file(self):
        hosts = self.write("hosts", "c3-0\nc0-0\nc1-0\nno host of this platform\n")
        broadcast = ("predict", DAS_4X4, "broadcast/linear", "--bytes", "12", "--model", "replay", "--placement")
        for ranks in (1, 2, 3):
            self.assertEqual(self.records(*broadcast, hosts, "--ranks", ranks)[0]["ranks"], ranks)
        two = self.write("two", "c3-0\nc0-0\n")
        first, all_of_two = self.records(*broadcast, hosts, "--ranks", 2), self.records(*broadcast, two)
        self.assertEqual(first, all_of_two)

    def test_the_store_keeps_each_point_once(self):
        for _ in range(2):
            self.succeeds("predict", DAS_4X4, "broadcast/magpie", "--bytes", "1,2", "--store", "s.sqlite")
        import sqlite3

        with sqlite3.connect(self.folder / "s.sqlite") as store:
            tables = [
                row[0]
                for row in store.execute(
                    "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
                )
            ]
            self.assertIn("records", tables)
            self.assertEqual(store.execute("select count(*) from records").fetchone()[0], 4)

    def test_csv_has_a_head_and_a_line_a_record(self):
        lines = self.succeeds("predict", DAS_4X1, "broadcast/magpie", "--bytes", "1,2", "--format", "csv").splitlines()
        self.assertEqual(len(lines), 5)
        self.assertIn("seconds", lines[0])

    def test_help_ends_with_status_0(self):
        self.assertIn("Exit status", self.succeeds("--help"))
        for command in ("platform", "list", "verify", "predict", "simulate", "emulate", "trace", "validate"):
            self.assertIn(command, self.succeeds("--help"))
            self.succeeds(command, "--help")


class Traces(ProgramTest):
    def trace(self, ending, *more):
        file = self.folder / f"out.{ending}"
        self.succeeds("trace", DAS_4X4, "broadcast/kielmann", "--bytes", "256Ki", "-o", file, *more)
        return file.read_text()

    def test_a_timeline_that_perfetto_opens(self):
        events = json.loads(self.trace("json"))["traceEvents"]
        self.assertGreater(sum(e["ph"] == "X" for e in events), 16)
        self.assertTrue(all(e["dur"] >= 0 for e in events if e["ph"] == "X"))

    def test_a_tree_for_graphviz(self):
        self.assertIn("digraph", self.trace("dot"))

    def test_goal_for_loggopsim(self):
        goal = self.trace("goal")
        self.assertTrue(goal.startswith("num_ranks 16"))

    def test_goal_has_the_time_of_reductions(self):
        text = Path(DAS_4X1).read_text()
        prop = '<prop id="isthmus.reduction_s_per_byte" value="2e-9"/>'
        slow = self.write(
            "slow.xml", text.replace('<prop id="isthmus.header_bytes"', prop + '<prop id="isthmus.header_bytes"', 1)
        )
        for file, nanoseconds in ((DAS_4X1, "0"), (slow, "2000")):
            self.succeeds("trace", file, "reduce/flat:segment=none", "--bytes", "1000", "-o", "out.goal")
            calculations = [
                line.split() for line in (self.folder / "out.goal").read_text().splitlines() if ": calc " in line
            ]
            self.assertEqual({words[2] for words in calculations} - {"0"}, {nanoseconds} - {"0"}, file)

    def test_the_schedule_itself(self):
        schedule = json.loads(self.trace("json", "--as", "schedule"))
        self.assertEqual(len(schedule["programs"]), 16)

    def test_a_dash_is_the_standard_output(self):
        words = ("trace", DAS_4X4, "broadcast/kielmann", "--bytes", "256Ki", "-o", "-")
        self.assertEqual(self.succeeds(*words, "--as", "tree"), self.trace("dot"))
        self.assertFalse((self.folder / "-").exists())
        self.is_refused(2, *words, says=["--as"])

    def test_an_ending_that_says_nothing_is_refused(self):
        self.is_refused(2, "trace", DAS_4X4, "broadcast/kielmann", "--bytes", "1", "-o", "out.xyz", says=["--as"])


if __name__ == "__main__":
    unittest.main()
