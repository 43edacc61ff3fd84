// The page says everything without this: here are only tooltips, the keyboard in charts, and the filters.
(function () {
  'use strict';
  const tip = document.getElementById('tip');
  let marked = null;

  function show(point, x, y) {
    if (marked) marked.classList.remove('at');
    marked = point;
    point.classList.add('at');
    tip.textContent = point.dataset.note;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(6, Math.min(x + 14, window.innerWidth - box.width - 6)) + 'px';
    tip.style.top = (y + box.height + 26 > window.innerHeight ? y - box.height - 12 : y + 16) + 'px';
    tip.style.visibility = 'visible';
  }

  function hide() {
    if (marked) marked.classList.remove('at');
    marked = null;
    tip.style.visibility = 'hidden';
  }

  document.addEventListener('pointerover', function (event) {
    const point = event.target.closest('.point');
    if (point) show(point, event.clientX, event.clientY);
    else hide();
  });

  // In a chart: left and right along a line, up and down to the next line, Escape to leave.
  document.querySelectorAll('svg[tabindex]').forEach(function (svg) {
    svg.addEventListener('keydown', function (event) {
      const lines = Array.from(svg.querySelectorAll('.series, .bar'))
        .filter(function (line) { return line.getBoundingClientRect().width > 0 && line.querySelector('.point'); })
        .map(function (line) { return Array.from(line.querySelectorAll('.point')); });
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      if (event.key === 'Escape') { hide(); return; }
      if (!(event.key in steps) || lines.length === 0) return;
      event.preventDefault();
      let line = lines.findIndex(function (points) { return points.includes(marked); });
      let at = line < 0 ? 0 : lines[line].indexOf(marked);
      if (line < 0) {
        line = 0;
      } else {
        line = (line + steps[event.key][0] + lines.length) % lines.length;
        at = Math.max(0, Math.min(at + steps[event.key][1], lines[line].length - 1));
      }
      const box = lines[line][at].getBoundingClientRect();
      show(lines[line][at], box.x + box.width / 2, box.y + box.height / 2);
    });
    svg.addEventListener('blur', hide);
  });

  const boxes = Array.from(document.querySelectorAll('input[data-filter]'));
  function filter() {
    ['algorithm', 'source'].forEach(function (kind) {
      const hidden = new Set(boxes.filter(function (box) { return box.dataset.filter === kind && !box.checked; })
        .map(function (box) { return box.value; }));
      document.querySelectorAll('[data-' + kind + ']').forEach(function (element) {
        element.classList.toggle('hidden-' + kind, hidden.has(element.dataset[kind]));
        element.classList.toggle('hidden',
          element.classList.contains('hidden-algorithm') || element.classList.contains('hidden-source'));
      });
    });
  }
  boxes.forEach(function (box) { box.addEventListener('change', filter); });
  if (boxes.length) filter();
})();
