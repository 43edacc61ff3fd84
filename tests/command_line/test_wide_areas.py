"""`isthmus platform --from-table`, `--graphml`, and the scripts of platforms/measured, on tables made up here."""

import json
import subprocess
import sys
import unittest

from isthmus_program import DAS_4X4, ISTHMUS, SOURCE, ProgramTest

LATENCY = "rtt_ms,tokyo,london,ohio\ntokyo,,210,130\nlondon,212,,86\nohio,130,86,\n"
THROUGHPUT = "throughput_Gbps,tokyo,london,ohio\ntokyo,,0.4,1\nlondon,0.8,,4\nohio,1.2,4,\n"
PRICE = "price_per_GB,tokyo,london,ohio\ntokyo,,0.5,0.5\nlondon,0.25,,0.25\nohio,0.25,0.25,\n"
GRAPH = (
    "<graphml><key attr.name='LinkSpeedRaw' for='edge' id='r'/><key attr.name='Latitude' for='node' id='y'/>"
    "<key attr.name='Longitude' for='node' id='x'/><graph edgedefault='undirected'>\n"
    + "".join(f"<node id='{site}'><data key='y'>0</data><data key='x'>{10 * site}</data></node>\n" for site in range(3))
    + "<edge source='0' target='1'><data key='r'>8e9</data></edge>\n"
    "<edge source='1' target='2'><data key='r'>8e8</data></edge>\n</graph></graphml>\n"
)


class FromTables(ProgramTest):
    def setUp(self):
        super().setUp()
        self.latency, self.throughput = self.write("latency.csv", LATENCY), self.write("throughput.csv", THROUGHPUT)
        self.price = self.write("price.csv", PRICE)

    def make(self, *options, tables=None):
        tables = tables or (self.latency, self.throughput)
        self.succeeds("platform", "--from-table", *tables, *options, "-o", "made.xml")
        return self.network("made.xml")

    def network(self, file):
        return json.loads(self.succeeds("platform", file, "--format", "json"))

    def links(self, network):
        return {link["name"]: link for link in network["links"]}

    def test_a_line_for_each_ordered_pair(self):
        network = self.make("--hosts", "2")
        links = self.links(network)
        self.assertEqual(len(network["hosts"]), 6)
        self.assertEqual(links["london-to-tokyo"]["bandwidth_Bps"], 1e8)
        self.assertEqual(links["london-to-tokyo"]["latency_s"], 0.106)
        self.assertEqual(links["tokyo-to-london"]["bandwidth_Bps"], 5e7)
        self.assertEqual(network["hosts"][0]["zones"], [{"level": "site", "name": "tokyo"}])

    def test_the_standard_output_is_the_file(self):
        self.make("--name", "three")
        text = self.succeeds("platform", "--from-table", self.latency, self.throughput, "--name", "three")
        self.assertEqual(text, (self.folder / "made.xml").read_text())

    def test_sites_have_names_of_any_language(self):
        latency = self.write("l.csv", "latency_ms,東京,São Paulo\n東京,,10\nSão Paulo,20,\n")
        throughput = self.write("b.csv", "bandwidth_MBps,東京,São Paulo\n東京,,10\nSão Paulo,20,\n")
        network = self.make(tables=(latency, throughput))
        self.assertEqual([host["name"] for host in network["hosts"][3:5]], ["東京-3", "São-Paulo-0"])
        comment = (self.folder / "made.xml").read_text(encoding="utf-8").partition("<!--")[2].partition("-->")[0]
        self.assertIn("Names that were changed: `São Paulo` is São-Paulo.", comment)
        plan = ("made.xml", "broadcast/binomial", "--bytes", "1Ki")
        for command in ("predict", "simulate"):
            self.assertIn("broadcast/binomial", self.succeeds(command, *plan, "--set", "東京-to-*.latency=1ms"))
        self.assertIn("東京-to-São-Paulo", self.succeeds("explain", "made.xml", "broadcast", "--bytes", "64Ki"))
        self.assertIn("  host-4  ", self.succeeds("platform", "made.xml", "--emulation"))

    def test_two_sites_of_one_name_are_named_as_the_tables_do(self):
        tables = [
            self.write(file, f"{value},a b,a:b\na b,,10\na:b,20,\n")
            for file, value in (("l.csv", "latency_ms"), ("b.csv", "bandwidth_MBps"))
        ]
        self.is_refused(2, "platform", "--from-table", *tables, says=["sites `a b` and `a:b` would be named a-b"])

    def test_a_file_that_others_would_take_for_json_is_refused(self):
        tables = ("--from-table", self.latency, self.throughput)
        self.is_refused(2, "platform", *tables, "-o", "made.json", says=["-o made.json", ".xml would be right"])

    def test_one_machine_a_site_with_its_exit(self):
        links = self.links(
            self.make("--hosts", "1", "--exit", "largest", "--entrance", "largest", "--host-bandwidth", "largest")
        )
        self.assertEqual(links["london-exit"]["bandwidth_Bps"], 5e8)
        self.assertEqual(links["tokyo-entrance"]["bandwidth_Bps"], 1.5e8)
        self.assertEqual(links["tokyo_link_0_UP"]["bandwidth_Bps"], 1.5e8)

    def test_several_machines_a_site(self):
        sites = self.write("sites.csv", "site,hosts\nlondon,3\n")
        network = self.make("--rates-per-host", "--hosts", "5", "--exit", "largest", "--sites", sites)
        links = self.links(network)
        self.assertEqual(len(network["hosts"]), 13)
        self.assertEqual(links["london-to-ohio"]["bandwidth_Bps"], 3 * 5e8)
        self.assertEqual(links["ohio-to-tokyo"]["bandwidth_Bps"], 5 * 1.5e8)
        self.assertEqual(links["ohio-exit"]["bandwidth_Bps"], 5 * 5e8)

    def test_three_levels(self):
        network = self.make("--zones", "2", "--hosts", "3", "--zone-bandwidth", "2Gbps", "--zone-latency", "1ms")
        self.assertEqual(len(network["hosts"]), 18)
        self.assertEqual([zone["level"] for zone in network["hosts"][0]["zones"]], ["region", "zone"])
        self.assertEqual(self.links(network)["ohio-zone1-uplink_UP"]["bandwidth_Bps"], 2.5e8)

    def test_what_a_call_costs(self):
        self.make("--hosts", "1", tables=(self.latency, self.throughput, self.price))
        self.assertIn("prices: 0.25 to 0.5 for 10^9 bytes, on 6 links", self.succeeds("platform", "made.xml"))
        question = ("predict", "made.xml", "broadcast/linear", "--bytes", "1Mi", "--model", "replay")
        record = json.loads(self.succeeds(*question, "--format", "json"))
        self.assertAlmostEqual(record["price"], 2 * 2**20 * 0.5 / 1e9, places=12)
        self.assertIn("price", self.succeeds(*question).splitlines()[1])
        network = self.write("made.json", self.succeeds("platform", "made.xml", "--format", "json"))
        again = json.loads(self.succeeds("predict", network, *question[2:], "--format", "json"))
        self.assertEqual(again["price"], record["price"])

    def test_no_price_where_links_have_none(self):
        question = ("predict", DAS_4X4, "broadcast/linear", "--bytes", "1Mi", "--model", "replay")
        self.assertNotIn("price", json.loads(self.succeeds(*question, "--format", "json")))
        self.assertNotIn("price", self.succeeds(*question))

    def test_capacities_far_apart(self):
        rates = self.write(
            "far.csv", "bandwidth_Bps,tokyo,london,ohio\ntokyo,,1e-9,1e12\nlondon,1,,1\nohio,1e12,1e-9,\n"
        )
        links = self.links({"links": json.loads(self.far_apart(rates))["links"]})
        self.assertEqual(links["tokyo-to-london"]["bandwidth_Bps"], 1e-9)
        self.assertEqual(links["tokyo-to-ohio"]["bandwidth_Bps"], 1e12)

    def far_apart(self, rates):
        self.succeeds("platform", "--from-table", self.latency, rates, "-o", "far.xml")
        done = self.run_program("platform", "far.xml", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bandwidth", done.stderr)  # a warning: are megabytes meant?
        return done.stdout

    def test_bad_tables(self):
        for text, says in (
            (THROUGHPUT.replace("0.8", "-1"), ["bad.csv:3", "row london, column tokyo", "negative"]),
            (THROUGHPUT.replace("0.8", "0"), ["bad.csv:3", "row london, column tokyo", "no capacity"]),
            (THROUGHPUT.replace("0.8", "much"), ["bad.csv:3", "row london, column tokyo", "no number"]),
            (THROUGHPUT.replace("0.8", ""), ["bad.csv", "row london, column tokyo", "line 2", "--symmetric"]),
            (THROUGHPUT.replace("throughput_Gbps", "speed"), ["bad.csv:1", "speed", "throughput_Gbps"]),
            (THROUGHPUT.replace("ohio", "paris"), ["site ohio has latencies and no bandwidths"]),
            ("", ["bad.csv", "no line"]),
        ):
            bad = self.write("bad.csv", text)
            self.is_refused(2, "platform", "--from-table", self.latency, bad, says=says)
        self.is_refused(2, "platform", "--from-table", self.latency, "none.csv", says=["none.csv"])

    def test_bad_options(self):
        tables = ("platform", "--from-table", self.latency, self.throughput)
        for options, says in (
            (["--exit", "5"], ["--exit: `5`", "10Gbps"]),
            (["--host-bandwidth", "none"], ["--host-bandwidth"]),
            (["--host-latency", "-1us"], ["--host-latency"]),
            (["--hosts", "0"], ["--hosts"]),
            (["--graphml", "g.graphml"], ["--from-table", "--graphml"]),
            (["--format", "json"], ["--format json"]),
            (["--line-bandwidth", "1Gbps"], ["--line-bandwidth", "--graphml"]),
            (["--zone-latency", "1ms"], ["--zone-latency", "--zones"]),
        ):
            self.is_refused(2, *tables, *options, says=says)
        self.is_refused(2, "platform", DAS_4X4, *tables[1:], says=["PLATFORM", "--from-table"])
        self.is_refused(2, "platform", DAS_4X4, "--hosts", "3", says=["--hosts", "--from-table"])
        self.is_refused(2, "platform", DAS_4X4, "--symmetric", says=["--symmetric", "--from-table"])
        self.is_refused(2, "platform", says=["PLATFORM"])
        self.is_refused(2, "platform", "--from-table", self.latency, says=["--from-table"])


class FromGraphs(ProgramTest):
    def test_routes_cross_several_lines(self):
        graph = self.write("g.graphml", GRAPH)
        self.succeeds("platform", "--graphml", graph, "--hosts", "2", "--exit", "100MBps", "-o", "g.xml")
        text = self.succeeds("platform", "g.xml")
        self.assertIn("6 hosts", text)
        self.assertIn("node0_link_0_UP node0-exit node0-to-node1 node1-to-node2 node2_link_0_DOWN", text)
        self.assertIn("2/3 of the speed of light", (self.folder / "g.xml").read_text())

    def test_what_goes_with_tables_only(self):
        graph = self.write("g.graphml", GRAPH)
        self.is_refused(2, "platform", "--graphml", graph, "--exit", "largest", says=["--exit", "largest"])
        self.is_refused(2, "platform", "--graphml", graph, "--rates-per-host", says=["--from-table"])

    def test_bad_graphs(self):
        cut = GRAPH.replace("<edge source='1' target='2'><data key='r'>8e8</data></edge>", "")
        unknown = GRAPH.replace("<data key='r'>8e8</data>", "")
        for text, says in (
            (cut, ["bad.graphml:", "no way from node0 to node2"]),
            (unknown, ["bad.graphml:6", "LinkSpeedRaw", "--line-bandwidth"]),
            ("<graphml>", ["bad.graphml:1"]),
        ):
            self.is_refused(2, "platform", "--graphml", self.write("bad.graphml", text), says=says)


REGIONS = [f"cloud:region-{number}" for number in range(9)] + [
    "aws:us-east-1",
    "aws:eu-central-1",
    "aws:ap-northeast-1",
    "aws:sa-east-1",
    "gcp:us-central1-a",
    "gcp:europe-west4-a",
    "gcp:asia-northeast1-a",
    "gcp:southamerica-east1-a",
    "gcp:australia-southeast1-a",
    "aws:us-west-2",
    "azure:westus",
    "gcp:europe-west3-a",
    "azure:uksouth",
    "aws:af-south-1",
    "gcp:asia-southeast1-a",
    "azure:australiaeast",
]


class MeasuredPlatforms(ProgramTest):
    """The scripts, on files of the published ones' form with made-up figures."""

    def sources(self):
        """The folder SOURCES of platforms/measured/README.md."""
        folder = self.folder / "sources"
        for name in ("skyplane", "dt-fm", "topology-zoo"):
            (folder / name).mkdir(parents=True)
        throughput = ["src_region,src_tier,dst_region,dst_tier,throughput_received,success"]
        latency = ["src_region,src_tier,dst_region,dst_tier,avg_rtt"]
        cost = ["src,dest,src_tier,dest_tier,cost"]
        for i, a in enumerate(REGIONS):
            for j, b in enumerate(REGIONS):
                throughput.append(f"{a},PREMIUM,{b},PREMIUM,{1e9 * (1 + (3 * i + 5 * j) % 7)},True")
                throughput.append(f"{a},STANDARD,{b},PREMIUM,1.0,True")
                latency.append(f"{a},PREMIUM,{b},PREMIUM,{10 + (7 * i + 3 * j) % 200}")
                cost.append(f"{a},{b},PREMIUM,PREMIUM,0.0{1 + i % 9}")
        (folder / "skyplane/throughput.csv").write_text("\n".join(throughput) + "\n")
        (folder / "skyplane/latency.csv").write_text("\n".join(latency) + "\n")
        (folder / "skyplane/cost.csv").write_text("\n".join(cost) + "\n")
        cities = "ABCDEFGHIJ"
        pairs = {f"{a}-{b}": (20 + i, 0.5 + i / 10) for i, a in enumerate(cities) for b in cities[i + 1 :]}
        (folder / "dt-fm/generate_sim_com_matrices.py").write_text(
            f"import numpy as np\n\ndelay_bandwidth_dict = {pairs}\n"
        )
        (folder / "topology-zoo/Geant2009.graphml").write_text(GRAPH)
        return folder

    def script(self, name, *arguments):
        done = subprocess.run(
            [sys.executable, SOURCE / "platforms/measured" / name, *map(str, arguments), "--isthmus", ISTHMUS],
            cwd=self.folder,
            text=True,
            capture_output=True,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def files(self, folder):
        return {
            file.relative_to(self.folder / folder): file.read_bytes() for file in (self.folder / folder).rglob("*.*")
        }

    def test_the_platforms_are_made_and_read(self):
        self.script("make.py", self.sources(), "made")
        names = sorted(file.stem for file in (self.folder / "made").glob("*.xml"))
        self.assertEqual(len(names), 9)
        for name in names:
            self.assertIn("routes", self.succeeds("platform", f"made/{name}.xml"))
        hosts = json.loads(self.succeeds("platform", "made/dt-fm-zones.xml", "--format", "json"))["hosts"]
        self.assertEqual(len(hosts), 10 * 3 * 4)

    def test_the_same_seed_draws_the_same_platforms(self):
        sources = self.sources()
        self.script("draw.py", 5, 14, "first", "--sources", sources)
        self.script("draw.py", 5, 14, "second", "--sources", sources)
        self.script("draw.py", 6, 14, "other", "--sources", sources)
        first = self.files("first")
        self.assertEqual(len(list((self.folder / "first").glob("*.xml"))), 24)
        self.assertEqual(first, self.files("second"))
        self.assertNotEqual(first, self.files("other"))
        for file in (self.folder / "first").glob("*.xml"):
            self.succeeds("platform", file)

    def test_the_random_meshes(self):
        self.script("draw.py", 1, 0, "meshes")
        mesh = json.loads(self.succeeds("platform", "meshes/mesh-03.xml", "--format", "json"))
        links = {link["name"]: (link["latency_s"], link["bandwidth_Bps"]) for link in mesh["links"]}
        self.assertEqual(len(mesh["hosts"]), 6 + 6 + 3 + 4)
        self.assertEqual(links["s0-to-s1"], (0.0045, 0.5e6))
        self.assertEqual(links["s3-to-s2"], (0.0108, 10e6))
        self.assertEqual(links["s1_link_0_UP"], (10e-6, 100e6))


if __name__ == "__main__":
    unittest.main()
