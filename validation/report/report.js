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

  // ---- filters
  const boxes = Array.from(document.querySelectorAll('input[data-filter]'));
  const ends = Array.from(document.querySelectorAll('select[data-size]'));
  const kinds = ['platform', 'ranks', 'collective', 'algorithm', 'source'];

  function hide_by(kind, elements, is_hidden) {
    elements.forEach(function (element) { element.classList.toggle('hidden-' + kind, is_hidden(element)); });
  }

  function filter() {
    kinds.forEach(function (kind) {
      const hidden = new Set(boxes.filter(function (box) { return box.dataset.filter === kind && !box.checked; })
        .map(function (box) { return box.value; }));
      hide_by(kind, document.querySelectorAll('[data-' + kind + ']'), function (element) { return hidden.has(element.dataset[kind]); });
    });
    const range = {};
    ends.forEach(function (end) { range[end.dataset.size] = Number(end.value); });
    hide_by('bytes', document.querySelectorAll('[data-bytes]'), function (element) {
      const bytes = Number(element.dataset.bytes);
      return bytes < range.least || bytes > range.greatest;
    });
    document.querySelectorAll('[data-platform], [data-ranks], [data-collective], [data-algorithm], [data-source], [data-bytes]').forEach(function (element) {
      element.classList.toggle('hidden', ['bytes'].concat(kinds).some(function (kind) { return element.classList.contains('hidden-' + kind); }));
    });
    document.querySelectorAll('.series').forEach(function (series) {
      const line = series.querySelector('polyline');
      const points = Array.from(series.querySelectorAll('.point:not(.hidden-bytes)')).map(function (point) { return point.dataset.place; });
      if (line && series.querySelector('.point')) line.setAttribute('points', points.join(' '));
    });
  }
  boxes.concat(ends).forEach(function (control) { control.addEventListener('change', filter); });
  if (boxes.length) filter();

  // ---- the baseline of speed-ups
  document.querySelectorAll('select[data-baselines]').forEach(function (select) {
    const charts = Array.from(select.closest('p').nextElementSibling.querySelectorAll('[data-baseline]'));
    function choose() {
      charts.forEach(function (chart) { chart.classList.toggle('hidden-baseline', chart.dataset.baseline !== select.value); });
    }
    select.addEventListener('change', choose);
    choose();
  });

  // ---- each figure as SVG, with its style in itself, or as PDF: printed alone on a page of its size
  const figures = Array.from(document.querySelectorAll('main svg')).filter(function (svg) {
    return svg.hasAttribute('viewBox') && !svg.parentElement.closest('svg') && !svg.closest('label, .map-legend, .legend');
  });

  function alone(svg) {
    const copy = svg.cloneNode(true), box = svg.getAttribute('viewBox').split(' ').map(Number);
    const style = document.createElementNS(svg.namespaceURI, 'style');
    style.textContent = document.querySelector('style').textContent.split('/* The page around')[0]
      .replace(/@media \(prefers-color-scheme[^{]*\{[^}]*\}\s*\}/, '') + 'svg { font-family: system-ui, "DejaVu Sans", sans-serif; }';
    copy.prepend(style);
    copy.setAttribute('width', box[2]);
    copy.setAttribute('height', box[3]);
    copy.removeAttribute('style');
    return copy;
  }

  function name_of(number) {
    return document.title.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '').toLowerCase() + '-' + (number + 1);
  }

  function as_svg(svg, number) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(alone(svg))], { type: 'image/svg+xml' }));
    link.download = name_of(number) + '.svg';
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function as_pdf(svg, number, print) {
    const copy = alone(svg), page = document.createElement('style'), title = document.title;
    const frame = document.createElement('div');
    page.textContent = '@page { size: ' + copy.getAttribute('width') + 'px ' + copy.getAttribute('height') + 'px; margin: 0; }';
    frame.className = 'printed';
    frame.append(copy);
    document.body.append(page, frame);
    document.body.classList.add('one-figure');
    if (!print) return;
    document.title = name_of(number);
    window.print();
    document.title = title;
    document.body.classList.remove('one-figure');
    page.remove();
    frame.remove();
  }

  figures.forEach(function (svg, number) {
    const tools = document.createElement('div');
    tools.className = 'take';
    [['SVG', as_svg], ['PDF', as_pdf]].forEach(function (kind) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = kind[0];
      button.setAttribute('aria-label', 'save this figure as ' + kind[0]);
      button.addEventListener('click', function () { kind[1](svg, number, true); });
      tools.append(button);
    });
    (svg.closest('.scroll') || svg).after(tools);
  });
  // REPORT.html#pdf=3 is the third figure alone, for printing without a screen.
  const wanted = /^#pdf=(\d+)$/.exec(window.location.hash);
  if (wanted && figures[wanted[1] - 1]) as_pdf(figures[wanted[1] - 1], wanted[1] - 1, false);

  // ---- timelines: the window onto the time is narrowed and moved, by buttons, keys (+ - 0, Shift with arrows) and dragging
  function duration(seconds, step) {
    const unit = [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']].find(function (u) { return seconds >= u[0]; }) || [1e-9, 'ns'];
    const digits = Math.max(0, Math.ceil(-Math.log10(step / unit[0]) - 1e-9));
    return seconds === 0 ? '0' : (seconds / unit[0]).toFixed(digits) + ' ' + unit[1];
  }

  document.querySelectorAll('figure.explorable').forEach(function (figure) {
    const svg = figure.querySelector('svg.timeline');
    const inner = svg.querySelector('svg.moment');
    const ticks = svg.querySelector('.ticks');
    const left = Number(svg.dataset.left), width = Number(svg.dataset.right) - left, whole = Number(svg.dataset.seconds);
    const first = ticks.querySelector('line'), label = ticks.querySelector('text');
    const box = inner.getAttribute('viewBox').split(' ').map(Number);
    let begin = 0, span = whole;

    function look(from, length) {
      span = Math.min(whole, Math.max(length, whole * 1e-5));
      begin = Math.min(Math.max(0, from), whole - span);
      inner.setAttribute('viewBox', [left + begin / whole * width, 0, span / whole * width, box[3]].join(' '));
      const rough = span / 8, power = Math.pow(10, Math.floor(Math.log10(rough)));
      const step = [1, 2, 5, 10].map(function (n) { return n * power; }).find(function (s) { return s >= rough; });
      ticks.textContent = '';
      for (let n = Math.ceil(begin / step - 1e-9); n * step <= begin + span * (1 + 1e-9); ++n) {
        const x = left + (n * step - begin) / span * width;
        const line = first.cloneNode(), text = label.cloneNode();
        line.setAttribute('x1', x);
        line.setAttribute('x2', x);
        text.setAttribute('x', x);
        text.textContent = duration(n * step, step);
        ticks.append(line, text);
      }
    }

    const acts = {
      in: function () { look(begin + span / 4, span / 2); },
      out: function () { look(begin - span / 2, span * 2); },
      left: function () { look(begin - span / 4, span); },
      right: function () { look(begin + span / 4, span); },
      whole: function () { look(0, whole); },
    };
    figure.querySelectorAll('[data-zoom]').forEach(function (button) {
      button.addEventListener('click', function () { hide(); acts[button.dataset.zoom](); });
    });
    svg.addEventListener('keydown', function (event) {
      const keys = { '+': 'in', '-': 'out', '0': 'whole' };
      if (event.shiftKey) { keys.ArrowLeft = 'left'; keys.ArrowRight = 'right'; }
      if (!(event.key in keys)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      hide();
      acts[keys[event.key]]();
    }, true);

    let grip = null;
    inner.addEventListener('pointerdown', function (event) { if (span < whole) grip = { x: event.clientX, begin: begin }; });
    window.addEventListener('pointerup', function () { grip = null; });
    window.addEventListener('pointermove', function (event) {
      if (!grip) return;
      const pixels = inner.getBoundingClientRect().width || 1;
      look(grip.begin - (event.clientX - grip.x) / pixels * span, span);
    });

    figure.querySelector('select[data-rank]').addEventListener('change', function (event) {
      const rank = event.target.value;
      inner.querySelectorAll('[data-from]').forEach(function (element) {
        element.classList.toggle('dim', rank !== '' && element.dataset.from !== rank && element.dataset.to !== rank);
      });
    });
  });
})();
