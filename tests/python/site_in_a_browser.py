#!/usr/bin/python3
"""What a browser makes of the pages of a site: whether anything is cut at the right edge of a window.

    site_in_a_browser.py SITE [WIDTH ...]      prints a line for each page and width at which something is cut

One Chromium opens every page in frames of the given widths, on one server, and waits until formulas are set.
"""

import functools
import html
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

BROWSER = "/usr/bin/chromium"
WIDTHS = (1300, 400)
# What sticks out without a box around it in which a reader could scroll.
LOOK = """
const pages = PAGES, widths = WIDTHS, found = [];
function scrolls(element) {
  for (let around = element; around && around !== element.ownerDocument.body; around = around.parentElement) {
    const style = element.ownerDocument.defaultView.getComputedStyle(around);
    if (['auto', 'scroll'].includes(style.overflowX)) return true;
    if (style.position === 'fixed' || style.visibility === 'hidden') return true;
  }
  return false;
}
function look(page, width) {
  return new Promise(resolve => {
    const frame = document.createElement('iframe');
    frame.style = `width: ${width}px; height: 900px; border: 0`;
    frame.src = page;
    frame.onload = () => {
      const inside = frame.contentWindow, root = inside.document.documentElement;
      const measure = () => {
        const cut = [];
        for (const element of inside.document.querySelectorAll('article *')) {
          const box = element.getBoundingClientRect();
          if (box.width > 0 && box.right > width + 1 && !scrolls(element) && cut.length < 3)
            cut.push(element.tagName + ' ' + element.textContent.trim().slice(0, 40));
        }
        const unset = inside.document.querySelectorAll('.MathJax_Error, .mjx-error, .merror').length;
        if (root.scrollWidth > width || cut.length || unset)
          found.push({page: page, width: width, scroll_width: root.scrollWidth, cut: cut, formulas_with_errors: unset});
        frame.remove();
        resolve();
      };
      const formulas = inside.document.querySelector('.math');
      if (formulas && !inside.MathJax) found.push({page: page, width: width, cut: ['no MathJax']});
      if (inside.MathJax && inside.MathJax.Hub) inside.MathJax.Hub.Queue(measure); else measure();
    };
    document.body.appendChild(frame);
  });
}
(async () => {
  for (const page of pages) await Promise.all(widths.map(width => look(page, width)));
  document.body.textContent = 'looked at ' + pages.length + ' pages: ' + JSON.stringify(found);
})();
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, *arguments):
        pass


def pages_of(site):
    """The pages that readers open."""
    return sorted(
        str(page.relative_to(site))
        for page in site.rglob("*.html")
        if not page.relative_to(site).parts[0].startswith("_")
    )


def cuts(site, widths=WIDTHS, timeout_s=300):
    """A dictionary for each page and width at which something is cut; RuntimeError when the browser does not answer."""
    pages = pages_of(site)
    script = LOOK.replace("PAGES", json.dumps(pages), 1).replace("WIDTHS", json.dumps(list(widths)), 1)
    driver = site / "_look.html"
    driver.write_text(f"<!DOCTYPE html><meta charset='utf-8'><body><script>{script}</script></body>")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run(
                [
                    BROWSER,
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    f"--user-data-dir={profile}",
                    "--window-size=2000,1200",
                    f"--virtual-time-budget={timeout_s * 1000}",
                    "--dump-dom",
                    f"http://127.0.0.1:{server.server_port}/_look.html",
                ],
                capture_output=True,
                text=True,
                timeout=timeout_s,
                env={**os.environ, "HOME": profile},
            )
    finally:
        server.shutdown()
        driver.unlink()
    answer = re.search(rf"looked at {len(pages)} pages: (.*?)</body>", done.stdout, re.S)
    if not answer:
        raise RuntimeError(f"no answer from the browser\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return json.loads(html.unescape(answer[1]))


if __name__ == "__main__":
    found = cuts(Path(sys.argv[1]), [int(width) for width in sys.argv[2:]] or WIDTHS)
    for one in found:
        print(json.dumps(one))
    sys.exit(1 if found else 0)
