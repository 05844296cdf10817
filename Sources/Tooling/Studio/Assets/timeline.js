// The slider over the whole log: its density on a canvas, a range input above it, and which place has which position.
import { el, get, instant, Latest, number, span, userText } from './studio.js';

/** Steps of the range input, and milliseconds until a grown log is drawn anew. */
const STEPS = 100000, PATIENCE = 10000;

/** Which position is at which place, from 0 to 1: all buckets are equally wide. */
class Scale {
  constructor(buckets, head) {
    this.firsts = buckets.map((bucket) => bucket.first);
    this.head = head;
  }

  #end(index) { return index + 1 < this.firsts.length ? this.firsts[index + 1] : this.head; }

  position(place) {
    const count = this.firsts.length;
    if (place <= 0) return 0;
    if (place >= 1) return this.head;
    if (count === 0) return Math.round(place * this.head);
    const index = Math.floor(place * count), first = this.firsts[index];
    return Math.floor(first + (place * count - index) * Math.max(0, this.#end(index) - first));
  }

  place(position) {
    if (position <= 0 || this.head <= 0) return 0;
    if (position >= this.head) return 1;
    if (this.firsts.length === 0) return position / this.head;
    const index = this.bucket(position), first = this.firsts[index], length = this.#end(index) - first;
    return (index + (length > 0 ? Math.max(0, position - first) / length : 0)) / this.firsts.length;
  }

  /** Returns the number of the last bucket that begins at or before a position. */
  bucket(position) {
    let low = 0, high = this.firsts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.firsts[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Strokes in a square of 8 by 8 for each series, which differ without their colors. */
const PATTERNS = [
  [], [[0, 8, 8, 0], [-2, 2, 2, -2], [6, 10, 10, 6]], [[0, 2, 8, 2], [0, 6, 8, 6]], [[2, 0, 2, 8], [6, 0, 6, 8]],
  [[0, 0, 8, 8], [-2, 6, 2, 10], [6, -2, 10, 2]], [[0, 4, 8, 4], [4, 0, 4, 8]], [[2, 2, 5, 2], [5, 6, 8, 6]],
  [[0, 8, 8, 0], [0, 0, 8, 8]], [[0, 1, 8, 1], [0, 4, 8, 4], [0, 7, 8, 7], [4, 0, 4, 8]],
];

function pattern(context, index, style) {
  const tile = el('canvas', { width: 8, height: 8 }), pen = tile.getContext('2d');
  pen.fillStyle = style.getPropertyValue(`--series-${index}`);
  pen.fillRect(0, 0, 8, 8);
  pen.strokeStyle = style.getPropertyValue('--ground');
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [x, y, toX, toY] of PATTERNS[index]) { pen.moveTo(x, y); pen.lineTo(toX, toY); }
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}

function prepare(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  return context;
}

/** The slider. `onMove(position)` is called when it is dragged, `onStep(count)` by an assistive technology. */
export class Timeline {
  #canvas = el('canvas', { 'aria-hidden': 'true' });
  #about = el('p', { class: 'about', id: 'timeline-about' });
  #legend = el('ul', { class: 'legend', 'aria-label': 'Legend of the bars' });
  #from = el('span'); #to = el('span');
  #answer = null; #scale = new Scale([], 0); #position = 0; #timer = 0;
  #loads = new Latest((_, signal) => this.#load(signal));

  constructor(options) {
    Object.assign(this, options, { isDragging: false });
    this.input = el('input', {
      type: 'range', min: 0, max: STEPS, value: 0, 'aria-label': 'Position in the log',
      'aria-describedby': 'timeline-about', onpointerdown: () => { this.isDragging = true; },
      oninput: () => this.#moved(),
    });
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => this.#release());
    this.track = el('div', { class: 'track' }, this.#canvas, this.input);
    this.element = el('div', { class: 'timeline' }, this.track,
      el('p', { class: 'ends about' }, this.#from, this.#to), this.#legend, this.#about);
    let timer = 0;
    new ResizeObserver(() => { clearTimeout(timer); timer = setTimeout(() => this.#draw(), 100); }).observe(this.track);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
  }

  reload(change) {
    Object.assign(this, change);
    this.#loads.ask();
  }

  async #load(signal) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { axis, by } = this;
    const buckets = Math.max(50, Math.min(600, this.#canvas.clientWidth >> 1));
    this.#answer = await get('timeline', { axis, by, buckets }, signal);
    this.#scale = new Scale(this.#answer.buckets, Math.max(this.#answer.head, this.#scale.head));
    this.#tell();
    this.#draw();
    this.show(this.#position);
    if (!this.#answer.isComplete) this.#later(1000);
  }

  #later(delay) {
    if (this.#timer !== 0) return;
    this.#timer = setTimeout(() => { this.#timer = 0; document.hidden ? this.#later(delay) : this.reload(); }, delay);
  }

  /** Lets the slider end at a new head; the bars follow some seconds later. */
  grow(head) {
    if (head <= this.#scale.head) return;
    this.#scale.head = head;
    this.#to.textContent = number(head);
    if (this.#answer !== null) this.#later(PATIENCE);
    this.show(this.#position);
  }

  /** Shows a position; the thumb that is being dragged stays where it is. */
  show(position) {
    this.#position = position;
    if (!this.isDragging) this.input.value = Math.round(this.#scale.place(position) * STEPS);
  }

  #moved() {
    const position = this.#scale.position(this.input.valueAsNumber / STEPS);
    if (this.isDragging) { this.onMove(position); return; }
    const old = Math.round(this.#scale.place(this.#position) * STEPS);
    this.onStep(Math.sign(this.input.valueAsNumber - old));
  }

  #release() {
    if (!this.isDragging) return;
    this.isDragging = false;
    this.onRelease();
  }

  // Words

  #tell() {
    const { series, buckets, isComplete, progress } = this.#answer;
    const totals = series.map((_, index) => buckets.reduce((sum, bucket) => sum + (bucket.counts[index] ?? 0), 0));
    this.#legend.replaceChildren(...series.map((name, index) => el('li', {},
      el('canvas', { class: 'swatch', 'aria-hidden': 'true' }), userText(name), number(totals[index]))));
    this.#from.textContent = buckets.length === 0 ? '' : `${number(buckets[0].first)} · ${instant(buckets[0].from)}`;
    this.#to.textContent = number(this.#scale.head);
    const reading = isComplete ? '' : ` The log is still being read: ${Math.floor((progress ?? 0) * 100)} %.`;
    this.#about.textContent = this.#aboutGaps(buckets) + reading;
  }

  #aboutGaps(buckets) {
    const gaps = buckets.map((bucket) => bucket.gap ?? 0).filter((gap) => gap > 0);
    if (gaps.length === 0) return '';
    const sum = gaps.reduce((one, other) => one + other, 0);
    return `Dashed lines: ${gaps.length} shortened pauses, ${span(sum)} in all, at most ${span(Math.max(...gaps))}.`;
  }

  // Drawing

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (this.#answer === null || width === 0) return;
    const context = prepare(this.#canvas, width, height), style = getComputedStyle(this.track);
    const fills = this.#answer.series.map((_, index) => pattern(context, index, style));
    this.#drawBars(context, fills, width, height);
    this.#drawGaps(context, style, width, height);
    this.#drawSwatches(fills, style);
  }

  #drawBars(context, fills, width, height) {
    // Whole pixels and no paths: they would take ten times as long.
    const { buckets } = this.#answer, edge = (index) => Math.round(index * width / buckets.length);
    const sums = buckets.map((bucket) => bucket.counts.reduce((sum, count) => sum + count, 0));
    const scale = (height - 14) / Math.max(1, ...sums);
    const tops = buckets.map(() => height);
    fills.forEach((fill, series) => {
      context.fillStyle = fill;
      buckets.forEach((bucket, index) => {
        const bottom = Math.round(tops[index]), left = edge(index);
        tops[index] -= (bucket.counts[series] ?? 0) * scale;
        const top = Math.round(tops[index]);
        if (top < bottom) context.fillRect(left, top, edge(index + 1) - left, bottom - top);
      });
    });
  }

  #drawGaps(context, style, width, height) {
    const { buckets } = this.#answer, step = width / Math.max(1, buckets.length);
    context.strokeStyle = context.fillStyle = style.getPropertyValue('--letters');
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'top';
    context.setLineDash([3, 3]);
    context.beginPath();
    let free = 0;
    buckets.forEach(({ gap }, index) => {
      if (!(gap > 0)) return;
      const x = index * step, words = span(gap), wide = context.measureText(words).width;
      context.moveTo(x, 0);
      context.lineTo(x, height);
      if (x < free || x + wide + 4 > width) return;
      context.fillText(words, x + 3, 1);
      free = x + wide + 8;
    });
    context.stroke();
  }

  #drawSwatches(fills, style) {
    this.#legend.querySelectorAll('.swatch').forEach((canvas, index) => {
      const context = prepare(canvas, 16, 16);
      context.fillStyle = fills[index];
      context.fillRect(0, 0, 16, 16);
      context.strokeStyle = style.getPropertyValue('--frame');
      context.strokeRect(0.5, 0.5, 15, 15);
    });
  }
}
