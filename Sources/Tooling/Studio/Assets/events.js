// The page of events: a list of every event of the log, filters, and one event in full.
import {
  el, svg, get, Latest, followHead, shell, showError, announce, keyHelp, copyButton, userText, visible,
  instant, number, bytes, address, facts, eventLink, pause, query,
} from './studio.js';

const CHUNK = 100, CHUNK_MAX = 60, HEIGHT_MAX = 8_000_000, ROW_MAX = 150, EXPAND_MAX = 50;
const LISTS = ['type', 'actor', 'device', 'channel', 'stream'];

// The filter

/** What is listed: the values of the filter, and the runs whose events are shown. */
const filter = { text: '', since: '', until: '', isCollapsed: true, expand: [] };
for (const name of LISTS) filter[name] = [];

function readFilter() {
  for (const name of LISTS) filter[name] = address.all(name);
  for (const name of ['text', 'since', 'until']) filter[name] = address.one(name) ?? '';
  filter.isCollapsed = address.one('runs') !== '0';
  filter.expand = address.all('expand').map(Number).filter(Number.isSafeInteger).slice(-EXPAND_MAX);
}

function parameters() {
  const { text, since, until, isCollapsed, expand } = filter;
  const lists = Object.fromEntries(LISTS.map((name) => [name, filter[name]]));
  return { ...lists, text, since, until, runs: isCollapsed ? null : 0, expand: isCollapsed ? expand : [] };
}

const filterCount = () => LISTS.reduce((sum, name) => sum + filter[name].length, 0)
  + ['text', 'since', 'until'].filter((name) => filter[name] !== '').length;

// The rows

/** The rows of the list: a bounded cache of chunks, which are asked for when they are wanted. */
class Rows {
  total = 0; events = 0; head = 0; isComplete = true; progress = 1; isKnown = false;
  #chunks = new Map(); #asked = new Map(); #pausedUntil = 0; #onChange;
  #end = new Latest(async () => { await this.#ask(this.#last, true); await pause(this.isComplete ? 200 : 500); });

  constructor(onChange) { this.#onChange = onChange; }

  get #last() { return Math.max(0, Math.floor((this.total - 1) / CHUNK)); }

  row(index) { return this.#chunks.get(Math.floor(index / CHUNK))?.rows[index % CHUNK]; }

  /** Asks for the chunks of a stretch that are missing, and aborts requests for others. */
  want(first, last) {
    const wanted = new Set();
    for (let number = Math.floor(first / CHUNK); number <= Math.floor(last / CHUNK); number += 1) wanted.add(number);
    for (const [number, asked] of this.#asked) if (!asked.isEnd && !wanted.has(number)) this.#abort(number);
    for (const number of wanted) {
      const chunk = this.#chunks.get(number);
      if (chunk) { this.#chunks.delete(number); this.#chunks.set(number, chunk); }
      if (!chunk?.isFresh && !this.#asked.has(number)) this.#ask(number, false);
    }
  }

  /** Asks for the end of the list, which has grown or may have grown. */
  grow() { this.#end.ask(); }

  /** Forgets everything, and asks for the chunk of a row. */
  async reset(index = 0) {
    for (const number of [...this.#asked.keys()]) this.#abort(number);
    this.#chunks.clear();
    this.#pausedUntil = 0;
    this.isKnown = false;
    await this.#ask(Math.floor(index / CHUNK), true);
  }

  /** Forgets the rows behind one whose run was expanded or closed. */
  cut(index) {
    for (const number of [...this.#asked.keys()]) this.#abort(number);
    const border = Math.floor(index / CHUNK);
    for (const [number, chunk] of this.#chunks) {
      if (number > border) this.#chunks.delete(number);
      if (number !== border) continue;
      chunk.rows.length = Math.min(chunk.rows.length, index % CHUNK + 1);
      chunk.isFresh = false;
    }
  }

  #abort(number) {
    this.#asked.get(number)?.controller.abort();
    this.#asked.delete(number);
  }

  async #ask(number, isEnd) {
    if (performance.now() < this.#pausedUntil) return;
    this.#abort(number);
    const asked = { controller: new AbortController(), isEnd };
    this.#asked.set(number, asked);
    try {
      const range = { from: number * CHUNK, count: CHUNK };
      const answer = await get('rows', { ...parameters(), ...range }, asked.controller.signal);
      if (this.#asked.get(number) === asked) this.#take(number, answer);
    } catch (error) {
      if (!asked.controller.signal.aborted) this.#fail(error);
    }
    if (this.#asked.get(number) === asked) this.#asked.delete(number);
    this.#onChange();
  }

  #fail(error) {
    showError(error);
    this.#pausedUntil = performance.now() + 2000;
    setTimeout(() => { this.#onChange(); }, 2100);
  }

  #take(number, answer) {
    const isOld = this.isKnown && answer.head < this.head;
    if (!isOld) this.#measure(number, answer);
    const isWhole = answer.rows.length === CHUNK || answer.from + answer.rows.length >= this.total;
    this.#chunks.delete(number);
    this.#chunks.set(number, { rows: answer.rows, isFresh: isWhole && !isOld });
    for (const oldest of this.#chunks.keys()) if (this.#chunks.size > CHUNK_MAX) this.#chunks.delete(oldest);
    if (!this.isComplete) this.grow();
  }

  /** Takes the totals; when the list has grown, its previous end is asked for again. */
  #measure(number, { total, events, head, isComplete, progress }) {
    if (this.isKnown && (total !== this.total || head !== this.head)) this.#age(number, Math.min(total, this.total));
    Object.assign(this, { total, events, head, isComplete: isComplete !== false, progress, isKnown: true });
  }

  #age(number, total) {
    const border = Math.max(0, Math.floor((total - 1) / CHUNK));
    // The events of an expanded run at the end may begin in any chunk.
    const isAny = this.row(this.total - 1)?.isInRun === true;
    for (const [each, chunk] of this.#chunks) if (each !== number && (isAny || each >= border)) chunk.isFresh = false;
  }
}

// The list

const COLUMNS = [
  ['position', 'Position'], ['time', 'Recorded'], ['type', 'Type'], ['actor', 'Actor'], ['stream', 'Stream'],
  ['words', 'What happened'],
];

/** The virtual list: some row elements in a pane that stays in view while the scroller moves over a tall spacer. */
class List {
  top = 0; active = -1; isFollowing = false;
  #rows; #on; #slots = []; #rowHeight = 28; #viewRows = 1; #headHeight = 0; #height = 0; #maxScroll = 0;
  #expected = 0; #frame = 0; #isReported = true; #touched = 0; #wantTimer = 0;

  /** `on` has the functions `active(row)`, `toggle(row, index)`, `follow(isOn)`, `moved()` and `enter()`. */
  constructor(rows, on) {
    this.#rows = rows;
    this.#on = on;
    const heads = COLUMNS.map(([name, title]) => el('span', { role: 'columnheader', class: `ev-${name}` }, title));
    this.heads = el('div', { role: 'row', 'aria-rowindex': '1', class: 'ev ev-heads' }, heads);
    this.lines = el('div', { role: 'rowgroup', class: 'ev-lines' });
    this.pane = el('div', { role: 'presentation', class: 'ev-pane' },
      el('div', { role: 'rowgroup' }, this.heads), this.lines);
    this.spacer = el('div', { role: 'presentation' });
    this.element = el('div', {
      role: 'treegrid', class: 'ev-grid', tabindex: '0', 'aria-label': 'Events', 'aria-colcount': COLUMNS.length,
      onscroll: () => this.#scrolled(), onkeydown: (event) => this.#key(event), onclick: (event) => this.#click(event),
    }, this.pane, this.spacer);
    this.element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    for (const kind of ['touchstart', 'touchmove', 'touchend']) {
      this.element.addEventListener(kind, () => { this.#touched = performance.now(); }, { passive: true });
    }
    new ResizeObserver(() => this.update()).observe(this.element);
  }

  get #maxTop() { return Math.max(0, this.#rows.total - this.#viewRows); }

  get #isMapped() { return this.#height >= HEIGHT_MAX; }

  /** Shows the rows again in the next frame. */
  update() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => { this.#frame = 0; this.#show(); });
  }

  /** Moves to a row, which is then in the middle; `isActive` makes it the active one without reporting it. */
  reveal(index, isActive = false) {
    this.#measure();
    this.moveTo(index - Math.floor(this.#viewRows / 2));
    if (isActive) { this.active = index; this.#isReported = true; }
  }

  /** Moves a row to the top, as far as the list goes. */
  moveTo(top) {
    this.top = Math.min(Math.max(0, top), this.#maxTop);
    this.update();
  }

  follow(isOn) {
    if (this.isFollowing === isOn) return;
    this.isFollowing = isOn;
    this.#on.follow(isOn);
    this.update();
  }

  /** Makes a row the active one, moves it into view, and reports it when it is known. */
  activate(index) {
    if (this.#rows.total === 0) return;
    this.active = Math.min(Math.max(0, index), this.#rows.total - 1);
    this.#isReported = false;
    if (this.active < this.top) this.moveTo(this.active);
    if (this.active > this.top + this.#viewRows - 1) this.moveTo(this.active - this.#viewRows + 1);
    if (this.active < this.#rows.total - 1) this.follow(false);
    this.update();
  }

  #measure() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { clientHeight, clientWidth } = this.element;
    this.#rowHeight = Math.round(rem * (clientWidth < 40 * rem ? 3 : 1.75));
    this.element.classList.toggle('narrow', clientWidth < 40 * rem);
    this.#headHeight = this.heads.offsetHeight;
    this.#viewRows = Math.max(1, (clientHeight - this.#headHeight) / this.#rowHeight);
    this.#height = Math.min(this.#headHeight + this.#rows.total * this.#rowHeight, HEIGHT_MAX);
    this.#maxScroll = Math.max(0, this.#height - clientHeight);
    this.pane.style.height = `${clientHeight}px`;
    this.spacer.style.height = `${this.#maxScroll}px`;
  }

  #show() {
    this.#measure();
    this.top = this.isFollowing ? this.#maxTop : Math.min(this.top, this.#maxTop);
    this.#placeThumb();
    const first = Math.floor(this.top);
    const count = Math.min(ROW_MAX, Math.ceil(this.#viewRows) + 1, Math.max(0, this.#rows.total - first));
    while (this.#slots.length < count) this.#slots.push(this.#addSlot());
    while (this.#slots.length > count) this.#slots.pop().row.remove();
    this.#slots.forEach((slot, place) => this.#fill(slot, first + place));
    this.lines.setAttribute('role', count > 0 ? 'rowgroup' : 'presentation');
    const isShown = this.active >= first && this.active < first + count;
    if (isShown) this.element.setAttribute('aria-activedescendant', `row-${this.active}`);
    else this.element.removeAttribute('aria-activedescendant');
    this.element.setAttribute('aria-rowcount', this.#rows.total + 1);
    this.#want(first, first + count - 1);
    this.#report();
    this.#on.moved();
  }

  /** Asks for rows, at most ten times a second while the list moves. */
  #want(first, last) {
    if (this.#wantTimer !== 0 || this.#rows.total === 0) return;
    const isMissing = this.#rows.row(first) === undefined && this.#rows.row(last) === undefined;
    const ask = () => {
      this.#wantTimer = 0;
      const from = Math.floor(this.top);
      this.#rows.want(from, Math.max(from, Math.min(from + this.#slots.length, this.#rows.total) - 1));
    };
    if (!isMissing) ask();
    else this.#wantTimer = setTimeout(ask, 60);
  }

  #report() {
    if (this.#isReported) return;
    const row = this.#rows.row(this.active);
    if (row === undefined) return;
    this.#isReported = true;
    this.#on.active(row);
  }

  /** Moves the thumb of the scrollbar to where the list is. */
  #placeThumb() {
    const place = this.#maxTop === 0 ? 0 : this.top / this.#maxTop * this.#maxScroll;
    if (Math.abs(this.element.scrollTop - place) > 0.5) this.element.scrollTop = place;
    this.#expected = this.element.scrollTop;
  }

  #scrolled() {
    const { scrollTop } = this.element;
    const moved = scrollTop - this.#expected;
    if (Math.abs(moved) < 1) return;
    this.#expected = scrollTop;
    const isTouch = this.#isMapped && performance.now() - this.#touched < 3000;
    if (isTouch && Math.abs(moved) < this.element.clientHeight) this.#moveBy(moved / this.#rowHeight);
    else this.#moveBy((this.#maxScroll - scrollTop < 1 ? 1 : scrollTop / this.#maxScroll) * this.#maxTop - this.top);
  }

  #moveBy(rows) {
    if (rows < 0) this.follow(false);
    this.moveTo(this.top + rows);
  }

  /** Moves exactly by rows where the scrollbar is mapped: there the browser would move by many. */
  #wheel(event) {
    if (!this.#isMapped || event.ctrlKey || event.deltaY === 0) return;
    const unit = [1, this.#rowHeight, this.element.clientHeight][event.deltaMode] ?? 1;
    const isAtEnd = event.deltaY < 0 ? this.top === 0 : this.top >= this.#maxTop;
    if (isAtEnd) return;
    event.preventDefault();
    this.#moveBy(event.deltaY * unit / this.#rowHeight);
  }

  #addSlot() {
    const cells = {};
    for (const [name] of COLUMNS) cells[name] = el('span', { role: 'gridcell', class: `ev-${name}` });
    const row = el('div', { role: 'row', class: 'ev' }, Object.values(cells));
    this.lines.append(row);
    return { row, cells, index: -1, data: null, key: '' };
  }

  #fill(slot, index) {
    const data = this.#rows.row(index) ?? null, isActive = index === this.active;
    slot.row.style.transform = `translateY(${Math.round((index - this.top) * this.#rowHeight)}px)`;
    const key = `${index} ${isActive} ${this.#rowHeight}`;
    if (slot.data === data && slot.key === key) return;
    Object.assign(slot, { index, data, key });
    const { row } = slot;
    row.style.height = `${this.#rowHeight}px`;
    row.id = `row-${index}`;
    row.className = `ev${data === null ? ' ev-wait' : ''}${data?.isInRun ? ' ev-inner' : ''}`;
    row.setAttribute('aria-rowindex', index + 2);
    row.setAttribute('aria-selected', isActive);
    row.setAttribute('aria-level', data?.isInRun ? 2 : 1);
    if (isRun(data)) row.setAttribute('aria-expanded', data.isExpanded === true);
    else row.removeAttribute('aria-expanded');
    fillCells(slot.cells, data);
  }

  #click(event) {
    const line = event.target.closest?.('.ev-lines > .ev');
    const slot = this.#slots.find((each) => each.row === line);
    if (!slot) return;
    this.element.focus({ preventScroll: true });
    const isToggle = event.target.closest('button') !== null && slot.data !== null;
    const wasFollowing = this.isFollowing;
    this.activate(slot.index);
    if (isToggle) this.#on.toggle(slot.data, slot.index);
    else if (wasFollowing) this.follow(true);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.#viewRows) - 1);
    const from = this.active >= 0 ? this.active : this.isFollowing ? this.#rows.total : Math.ceil(this.top) - 1;
    const moves = {
      ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + page, PageUp: from - page, Home: 0,
      End: this.#rows.total - 1,
    };
    if (event.key in moves) this.activate(moves[event.key]);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') this.#unfold(event.key === 'ArrowRight');
    else if (event.key === 'Enter') this.#on.enter();
    else if (event.key === 'f') this.follow(!this.isFollowing);
    else if (!this.#on.key(event.key)) return;
    event.preventDefault();
  }

  /** Expands or closes the active run; on an event of a run, ← goes to the run. */
  #unfold(isOpening) {
    const row = this.#rows.row(this.active);
    if (row === undefined) return;
    if (isRun(row) && (row.isExpanded === true) !== isOpening) this.#on.toggle(row, this.active);
    else if (isRun(row) && isOpening) this.activate(this.active + 1);
    else if (row.isInRun && !isOpening) {
      let index = this.active;
      while (index > 0 && this.#rows.row(index)?.isInRun) index -= 1;
      this.activate(index);
    }
  }
}

const isRun = (row) => row !== null && row.count > 1 && !row.isInRun;

function fillCells(cells, row) {
  if (row === null) {
    for (const cell of Object.values(cells)) cell.textContent = '';
    cells.words.textContent = '…';
    return;
  }
  const toggle = isRun(row) && el('button', {
    type: 'button', class: 'toggle', tabindex: '-1', 'aria-expanded': String(row.isExpanded === true),
    'aria-label': `${number(row.count)} events from ${row.position}`,
  }, row.isExpanded ? '▾' : '▸');
  cells.position.replaceChildren(...[toggle, number(row.position)].filter(Boolean));
  cells.time.textContent = instant(row.recorded);
  cells.type.replaceChildren(userText(row.type));
  cells.actor.replaceChildren(userText(row.actor));
  cells.stream.replaceChildren(userText(row.stream));
  const count = isRun(row) && el('span', { class: 'badge' }, `${number(row.count)} events`);
  cells.words.replaceChildren(...[count, userText(row.words)].filter(Boolean));
}

// One event in full

/** The panel of one event. `go(position)` shows another event, and `narrow(name, value)` adds to the filter. */
class Detail {
  position = null;
  #go; #narrow; #body = el('div', {});
  #title = el('h2', { tabindex: '-1' }, 'Event');
  #event = new Latest((position, signal) => this.#load(position, signal));

  constructor(go, narrow) {
    this.#go = go;
    this.#narrow = narrow;
    this.#body.append(el('p', { class: 'about' }, 'Select an event to see all of it.'));
    this.element = el('section', { class: 'panel ev-detail', 'aria-label': 'The event in full', tabindex: '0' },
      this.#title, this.#body);
    this.element.addEventListener('click', (event) => this.#follow(event));
  }

  show(position) {
    if (position === this.position) return;
    this.position = position;
    this.#event.cancel();
    this.#event.ask(position);
  }

  focus() { this.#title.focus(); }

  /** Shows the event of a link without leaving the page. */
  #follow(event) {
    const link = event.target.closest?.('a[data-position]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.#go(Number(link.getAttribute('data-position')));
  }

  async #load(position, signal) {
    await pause(30);
    if (signal.aborted) return;
    let detail;
    try {
      detail = await get('event', { position }, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#title.textContent = `Event ${number(position)}`;
      this.#body.replaceChildren(el('p', { class: 'failed' }, visible(error.message)));
      return;
    }
    const graph = el('div', {});
    this.#title.textContent = `Event ${number(position)}`;
    this.#body.replaceChildren(...this.#parts(detail, graph));
    this.element.scrollTop = 0;
    await pause(150);
    if (signal.aborted) return;
    drawGraph(graph, position, await get('graph', { position }, signal));
  }

  #parts(detail, graph) {
    return [
      el('p', { class: 'ev-said' }, userText(detail.words)),
      el('p', {}, el('a', { href: `/time${timeQuery(detail)}` }, 'Show in Time')),
      this.#facts(detail),
      el('h3', {}, 'Decoded event'),
      detail.unreadable ? el('p', { class: 'failed' }, userText(detail.unreadable)) : tree(detail.event),
      el('h3', {}, 'Bytes'), ...hexDump(detail.payload ?? '', detail.byteCount ?? 0),
      el('h3', {}, 'Block'), blockFacts(detail.block ?? {}),
      ...related('Causes', detail.causes), ...related('Effects', detail.effects),
      ...related('Appended together', detail.appended), ...related('Same correlation', detail.correlated),
      el('h3', {}, 'Causation'), graph,
      detail.message && el('h3', {}, 'Message'), detail.message && biography(detail.message),
    ].filter(Boolean);
  }

  #facts(detail) {
    const filterable = (name) => detail[name] && [userText(detail[name]), el('button', {
      type: 'button', class: 'small', 'aria-label': `Show only this ${name}`,
      onclick: () => this.#narrow(name, detail[name]),
    }, 'Only')];
    return facts([
      ['Recorded', instant(detail.recorded)], ['Type', filterable('type')], ['Stream', filterable('stream')],
      ['Version', number(detail.version)], ['Actor', filterable('actor')], ['Device', filterable('device')],
      ['Cause', detail.cause && eventLink(detail.cause)],
      ['Append', copied(detail.append, 'the append id')],
      ['Correlation', copied(detail.correlation, 'the correlation')],
      ['Proposal', copied(detail.proposal, 'the proposal')],
    ]);
  }
}

/** The event in Time: its channel, as its author saw it, and the filter, whose channel Time does not have. */
const timeQuery = ({ position, channel, actor }) =>
  query({ ...parameters(), expand: null, position, channel, user: channel && actor });

const copied = (text, what) => text && [userText(text, { class: 'mono' }), copyButton(text, what)];

const blockFacts = (block) => facts([
  ['Number', number(block.ordinal)], ['Events', `${number(block.first)} to ${number(block.last)}`],
  ['Size', bytes(block.byteCount)], ['Chain hash', copied(block.hash, 'the chain hash')],
]);

const rowItem = (row) => el('li', {}, eventLink(row.position), ' ', userText(row.type, { class: 'about' }), ' ',
  userText(row.words));

function related(title, rows) {
  if (!rows?.length) return [];
  const shown = el('ul', { class: 'plain ev-list' }, rows.slice(0, 10).map(rowItem));
  const rest = rows.slice(10);
  const more = rest.length > 0 && el('button', { type: 'button', class: 'small' }, `Show ${rest.length} more`);
  if (more) more.addEventListener('click', () => { shown.append(...rest.map(rowItem)); more.remove(); });
  const count = rows.length === 200 ? 'the first 200' : rows.length;
  return [el('h3', {}, `${title} (${count})`), shown, more].filter(Boolean);
}

/** Builds an indented list of names and values, of at most 1,000 values. */
function tree(value) {
  let left = 1000;
  const leaf = (item) => {
    const kind = item === null ? 'null' : typeof item;
    return kind === 'string' ? userText(item, { class: 'ev-text' }) : el('span', { class: 'mono' }, String(item));
  };
  const node = (item) => {
    if (item === null || typeof item !== 'object') return leaf(item);
    const entries = Array.isArray(item) ? item.map((each, index) => [index, each]) : Object.entries(item);
    if (entries.length === 0) return el('span', { class: 'about' }, Array.isArray(item) ? 'empty list' : 'no members');
    const list = el('ul', { class: 'plain ev-tree' });
    for (const [name, each] of entries) {
      left -= 1;
      if (left < 0) { list.append(el('li', { class: 'about' }, 'More is not shown.')); break; }
      list.append(el('li', {}, userText(name, { class: 'ev-name' }), ' ', node(each)));
    }
    return list;
  };
  return node(value ?? null);
}

function hexLines(payload, from, to, width) {
  const lines = [];
  for (let offset = from; offset < to; offset += width) {
    const pairs = payload.slice(offset * 2, Math.min(to, offset + width) * 2).match(/../g) ?? [];
    const letters = pairs.map((pair) => {
      const code = parseInt(pair, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : '.';
    });
    const hex = pairs.join(' ').padEnd(width * 3 - 1);
    lines.push(`${offset.toString(16).padStart(4, '0')}  ${hex}  ${letters.join('')}`);
  }
  return lines.join('\n') + '\n';
}

const scrolling = (name, title, ...children) =>
  el('div', { class: `scrolls ${name}`, role: 'region', 'aria-label': title, tabindex: '0' }, children);

/** Builds a hexadecimal dump, of which more is shown on request: long texts are slow to lay out. */
function hexDump(payload, byteCount) {
  const count = payload.length / 2, width = innerWidth < 640 ? 8 : 16;
  if (count === 0) return [el('p', { class: 'about' }, 'The payload is empty.')];
  let shown = 0;
  const dump = el('pre', {});
  const more = el('button', { type: 'button', class: 'small' });
  const add = (limit) => {
    const end = Math.min(count, shown + limit);
    dump.append(hexLines(payload, shown, end, width));
    shown = end;
    more.hidden = shown === count;
    more.textContent = `Show ${bytes(Math.min(8192, count - shown))} more`;
  };
  more.addEventListener('click', () => add(8192));
  add(512);
  const size = count < byteCount ? `${bytes(byteCount)}; the first ${bytes(count)} are here` : bytes(count);
  const box = scrolling('ev-hex', 'Bytes of the payload', dump);
  return [el('p', { class: 'about' }, size, ' ', copyButton(payload, 'the bytes')), box, more];
}

function biography({ channel, id }) {
  const box = el('div', {});
  const load = async () => {
    try {
      const { events } = await get('biography', { channel, message: id });
      box.replaceChildren(...related('Biography', events));
      box.querySelector('a')?.focus();
    } catch (error) { showError(error); }
  };
  box.append(el('button', { type: 'button', onclick: load }, 'Biography'));
  return el('div', {}, el('p', { class: 'ev-message' }, userText(id), ' in ', userText(channel)), box);
}

// The graph of causes and effects

const NODE = { width: 148, height: 40, right: 44, below: 12 };

function drawGraph(box, position, { nodes, edges, isCut }) {
  if (nodes.length < 2) {
    box.replaceChildren(el('p', { class: 'about' }, 'Nothing led to it, and it led to nothing.'));
    return;
  }
  const places = place(nodes);
  const size = [...places.values()].reduce(([x, y], at) => [Math.max(x, at.x), Math.max(y, at.y)], [0, 0]);
  const [width, height] = [size[0] + NODE.width + 8, size[1] + NODE.height + 8];
  const drawing = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group',
    'aria-label': 'Events, from their first causes at the left to their effects at the right' },
  edges.filter(([from, to]) => places.has(from) && places.has(to)).map(([from, to]) =>
    edge(places.get(from), places.get(to))),
  nodes.map((node) => graphNode(node, places.get(node.position), node.position === position)));
  const scroller = scrolling('ev-graph', 'Graph of causes and effects', drawing);
  box.replaceChildren(...[
    isCut && el('p', { class: 'about' }, 'Only a part of the events is shown: there are more.'),
    scroller, graphText(nodes, edges),
  ].filter(Boolean));
  const here = places.get(position);
  if (here) scroller.scrollTo(here.x + NODE.width / 2 - scroller.clientWidth / 2, here.y - scroller.clientHeight / 2);
}

/** Returns the places of nodes: a column for each depth, ordered by position. */
function place(nodes) {
  const counts = new Map(), places = new Map();
  for (const node of [...nodes].sort((one, other) => one.position - other.position)) {
    const row = counts.get(node.depth) ?? 0;
    counts.set(node.depth, row + 1);
    const [x, y] = [node.depth * (NODE.width + NODE.right), row * (NODE.height + NODE.below)];
    places.set(node.position, { x: x + 4, y: y + 4 });
  }
  return places;
}

function edge(from, to) {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2], [x2, y2] = [to.x, to.y + NODE.height / 2];
  const bend = Math.max(16, Math.abs(x2 - x1) / 2);
  return svg('path', { class: 'ev-edge', d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
}

function graphNode(node, { x, y }, isHere) {
  const type = visible(node.type);
  const short = [...type].length > 19 ? `${[...type].slice(0, 18).join('')}…` : type;
  return svg('a', {
    href: `/events?position=${Number(node.position)}`, 'data-position': Number(node.position),
    'aria-label': `${number(node.position)}, ${type}: ${visible(node.words)}`, 'aria-current': isHere ? 'true' : null,
  }, svg('title', {}, visible(node.words)),
  svg('rect', { x, y, width: NODE.width, height: NODE.height, rx: 6, class: isHere ? 'ev-node ev-here' : 'ev-node' }),
  svg('text', { x: x + 8, y: y + 16, class: 'ev-number' }, number(node.position)),
  svg('text', { x: x + 8, y: y + 32 }, short));
}

function graphText(nodes, edges) {
  const causes = new Map(nodes.map((node) => [node.position, []]));
  for (const [from, to] of edges) causes.get(to)?.push(from);
  const item = (node) => {
    const from = causes.get(node.position);
    const why = from.length === 0 ? 'a first cause' : `caused by ${from.map(number).join(', ')}`;
    return el('li', {}, eventLink(node.position), ` ${why}: `, userText(node.words));
  };
  return el('details', {}, el('summary', {}, 'The graph as a list'),
    el('ul', { class: 'plain ev-list' }, nodes.map(item)));
}

// The filter's fields

const TITLES = { type: 'Type', actor: 'Actor', device: 'Device', channel: 'Channel', stream: 'Stream' };

/** The form of the filter. `onChange` is called when the filter has changed. */
class Filters {
  #onChange; #names = {}; #named = 0; #inputs = {}; #options = {}; #timer = 0;
  #chips = el('ul', { class: 'ev-chips', 'aria-label': 'Values of the filter' });
  #count = el('span', { class: 'about' });

  constructor(onChange) {
    this.#onChange = onChange;
    const text = this.#field('text', 'Text', { type: 'search', oninput: () => this.#typed() });
    const times = ['since', 'until'].map((name) => this.#field(name, name === 'since' ? 'Since' : 'Until',
      { type: 'datetime-local', step: '0.001', onchange: () => this.#dated(name) }));
    this.runs = el('input', { type: 'checkbox', onchange: () => this.#collapsed() });
    const clear = el('button', { type: 'button', onclick: () => this.#clear() }, 'Clear the filter');
    this.element = el('details', { class: 'ev-filters', open: innerWidth >= 900 && innerHeight >= 640 },
      el('summary', {}, el('h2', {}, 'Filter'), ' ', this.#count),
      el('form', { role: 'search', 'aria-label': 'Filter the events', onsubmit: (event) => event.preventDefault() },
        el('div', { class: 'ev-fields' }, LISTS.map((name) => this.#listField(name)), text, times),
        el('div', { class: 'bar' }, el('label', {}, this.runs, 'Collapse runs of keystrokes'), clear, this.#chips)));
    this.show();
  }

  focus() { this.element.open = true; this.#inputs.text.focus(); }

  /** Shows the values of the filter. */
  show() {
    const { since, until, text, isCollapsed } = filter;
    if (document.activeElement !== this.#inputs.text) this.#inputs.text.value = text;
    this.#inputs.since.value = localInput(since);
    this.#inputs.until.value = localInput(until);
    this.runs.checked = isCollapsed;
    this.#chips.replaceChildren(...LISTS.flatMap((name) => filter[name].map((value) => this.#chip(name, value))));
    this.#chips.hidden = this.#chips.childElementCount === 0;
    this.#count.textContent = filterCount() === 0 ? '' : `(${filterCount()} set)`;
  }

  /** Adds a value of the filter. */
  add(name, value) {
    if (value === '' || filter[name].includes(value)) return;
    filter[name].push(value);
    this.#changed();
  }

  #changed() { this.show(); this.#onChange(); }

  #field(name, title, attributes) {
    const id = `filter-${name}`;
    const input = el('input', { id, autocomplete: 'off', ...attributes });
    this.#inputs[name] = input;
    return el('div', { class: 'field' }, el('label', { for: id }, title), input);
  }

  #listField(name) {
    this.#options[name] = el('datalist', { id: `names-${name}` });
    const field = this.#field(name, TITLES[name], {
      list: `names-${name}`, type: 'text', spellcheck: 'false', dir: 'auto',
      onfocus: () => this.#load(name), onchange: () => this.#enter(name), oninput: (event) => this.#chosen(name, event),
      onkeydown: (event) => { if (event.key === 'Enter') { event.preventDefault(); this.#enter(name); } },
    });
    field.append(this.#options[name]);
    return field;
  }

  #enter(name) {
    const value = this.#inputs[name].value.trim();
    this.#inputs[name].value = '';
    this.add(name, value);
  }

  /** Takes a value that was chosen from the list at once; for a typed one, lists the names that contain it. */
  #chosen(name, event) {
    const isChoice = event.inputType === undefined || event.inputType === 'insertReplacementText';
    if (isChoice && (this.#names[name] ?? []).includes(event.target.value)) this.#enter(name);
    else this.#suggest(name);
  }

  #suggest(name) {
    const typed = this.#inputs[name].value.toLowerCase(), found = [];
    for (const each of this.#names[name] ?? []) {
      if (each.toLowerCase().includes(typed)) found.push(each);
      if (found.length === 100) break;
    }
    this.#options[name].replaceChildren(...found.map((value) => el('option', { value })));
  }

  async #load(name) {
    if (performance.now() - this.#named > 5000 || this.#named === 0) {
      this.#named = performance.now();
      try {
        const { types, actors, devices, channels, streams } = await get('names');
        this.#names = { type: types, actor: [...new Set(['system', ...actors])], device: devices, channel: channels };
        this.#inputs.stream.placeholder = `${number(streams)} streams`;
      } catch (error) { showError(error); }
    }
    this.#suggest(name);
  }

  #chip(name, value) {
    const remove = () => {
      filter[name] = filter[name].filter((each) => each !== value);
      this.#changed();
      this.#inputs[name].focus();
    };
    return el('li', {}, el('button', { type: 'button', class: 'small', onclick: remove },
      el('span', { class: 'spoken' }, 'Remove '), `${TITLES[name]}: `, userText(value),
      el('span', { 'aria-hidden': 'true' }, ' ×')));
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { filter.text = this.#inputs.text.value; this.#changed(); }, 300);
  }

  #dated(name) {
    const { value } = this.#inputs[name];
    const time = new Date(value);
    filter[name] = value === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString();
    this.#changed();
  }

  #collapsed() { filter.isCollapsed = this.runs.checked; this.#changed(); }

  #clear() {
    for (const name of LISTS) filter[name] = [];
    Object.assign(filter, { text: '', since: '', until: '', expand: [] });
    this.#inputs.text.value = '';
    this.#changed();
  }
}

/** Returns an instant in the form of a field for date and time. */
function localInput(iso) {
  const text = iso === '' ? '' : instant(iso);
  return /^\d{4}-/.test(text) ? text.replace(' ', 'T') : '';
}

// The page

/** Reads what was typed as a position or as an instant in local time; null for neither. */
function target(text) {
  const digits = text.replace(/[\s\u202f,.#]/g, '');
  if (/^\d+$/.test(digits) && !/^\d{4}\.\d/.test(text)) return { position: Number(digits) };
  const time = new Date(/^\d{4}-\d{2}-\d{2} \d/.test(text) ? text.replace(' ', 'T') : text);
  return text === '' || Number.isNaN(time.getTime()) ? null : { instant: time.toISOString() };
}

class Page {
  #rows = new Rows(() => this.#changed());
  #list = new List(this.#rows, {
    active: (row) => this.#detail.show(row.position), toggle: (row, index) => this.#toggle(row, index),
    follow: (isOn) => this.#follow.setAttribute('aria-pressed', String(isOn)), moved: () => this.#remember(),
    enter: () => this.#detail.focus(), key: (key) => this.#key(key),
  });
  #detail = new Detail((position) => this.#go({ position }), (name, value) => this.#filters.add(name, value));
  #filters = new Filters(() => this.#reload.ask());
  #reload = new Latest(() => this.#filtered());
  #follow = el('button', { type: 'button', 'aria-pressed': 'false', title: 'Keep the end in view', onclick: () => {
    this.#list.follow(!this.#list.isFollowing);
  } }, 'Follow');
  #total = el('p', { class: 'about' });
  #empty = el('p', { class: 'ev-empty', hidden: true }, 'No event matches the filter.');
  #bar = el('progress', { id: 'reading', max: 1 });
  #reading = el('p', { class: 'bar', hidden: true }, el('label', { for: 'reading' }, 'Reading the log'), this.#bar);
  #jump = el('input', { id: 'jump', type: 'text', autocomplete: 'off', placeholder: '123 or 2026-11-22 14:05' });

  async start() {
    const { main } = await shell('events');
    main.classList.add('ev-page');
    const jump = el('form', { class: 'bar', onsubmit: (event) => { event.preventDefault(); this.#jumpTo(); } },
      el('label', { for: 'jump' }, 'Position or instant'), this.#jump, el('button', {}, 'Go'));
    main.append(el('div', { class: 'bar' }, el('h1', {}, 'Events'), jump, this.#follow, this.#total),
      this.#filters.element, this.#reading, el('div', { class: 'ev-split' },
        el('div', { class: 'ev-box' }, this.#list.element, this.#empty), this.#detail.element));
    this.#keys();
    await this.#open();
    followHead(({ head }) => { if (head > this.#rows.head) this.#rows.grow(); });
  }

  /** Shows what the address says: its position, else the end. */
  async #open() {
    const [position, at] = ['position', 'at'].map((name) => address.one(name));
    const selected = Number(position);
    if (position !== null && selected > 0) this.#detail.show(selected);
    const isEnd = at === 'end' || (at === null && !(selected > 0));
    await this.#place(isEnd ? null : { position: Number(at) || selected }, selected, at !== null && !isEnd);
  }

  /** Shows the rows anew around a position, which is then at the top or in the middle; null is the end. */
  async #place(where, selected, isTop = false) {
    const found = where && await this.#find(where);
    await this.#rows.reset(found?.row ?? 0);
    this.#list.active = -1;
    this.#list.follow(where === null);
    const row = found?.row ?? this.#rows.total;
    if (isTop) this.#list.moveTo(row);
    else this.#list.reveal(row);
    if (!(selected > 0)) return;
    const own = where?.position === selected ? found : await this.#find({ position: selected });
    if (own && own.position <= selected) this.#list.active = own.row;
    this.#list.update();
  }

  async #find(where) {
    try {
      const answer = await get('row', { ...parameters(), ...where });
      return Number.isSafeInteger(answer.row) && answer.position > 0 ? answer : null;
    } catch (error) {
      showError(error);
      return null;
    }
  }

  /** Shows an event in full, and its row if the filter does not hide it. */
  async #go(where) {
    const found = await this.#find(where);
    if (where.position > 0 && (!found || found.position !== where.position)) this.#detail.show(where.position);
    if (!found) { announce('There is no such row in the list.'); return; }
    const isHidden = where.position !== undefined && found.position > where.position;
    this.#list.follow(false);
    this.#list.reveal(found.row, !isHidden);
    if (where.position === undefined || found.position === where.position) this.#detail.show(found.position);
    this.#list.update();
  }

  async #jumpTo() {
    const where = target(this.#jump.value.trim());
    this.#jump.setAttribute('aria-invalid', String(where === null));
    if (where === null) { showError('Enter a position as 123, or an instant as 2026-11-22 14:05.'); return; }
    showError(null);
    await this.#go(where);
  }

  /** Shows the rows of a changed filter, around what was shown before. */
  async #filtered() {
    showError(null);
    const top = this.#rows.row(Math.floor(this.#list.top))?.position;
    const selected = this.#detail.position;
    const around = this.#list.isFollowing ? null : selected ?? top;
    await this.#place(around ? { position: around } : null, selected);
    announce(`${number(this.#rows.total)} rows`);
  }

  #toggle(row, index) {
    const isOpen = filter.expand.includes(row.position);
    filter.expand = filter.expand.filter((each) => each !== row.position);
    if (!isOpen) filter.expand = [...filter.expand, row.position].slice(-EXPAND_MAX);
    this.#list.follow(false);
    this.#rows.cut(index);
    row.isExpanded = !isOpen;
    this.#list.update();
  }

  #changed() {
    const { total, events, head, isComplete, progress } = this.#rows;
    this.#total.textContent = `${number(total)} rows, ${number(events)} of ${number(head)} events`;
    this.#empty.hidden = total > 0 || !this.#rows.isKnown;
    this.#reading.hidden = isComplete;
    this.#bar.value = progress ?? 0;
    this.#list.update();
  }

  /** Writes what is shown into the address. */
  #remember() {
    const { isFollowing, top } = this.#list;
    const position = this.#detail.position;
    const first = this.#rows.row(Math.floor(top))?.position;
    if (!this.#rows.isKnown || (first === undefined && this.#rows.total > 0)) return;
    address.write({ ...parameters(), position, at: isFollowing ? (position ? 'end' : null) : first });
  }

  #keys() {
    keyHelp([
      ['↑ ↓', 'the previous or next row'], ['Page Up, Page Down', 'a screen of rows'],
      ['Home, End', 'the first or last row'], ['→', 'show the events of a run'], ['←', 'hide the events of a run'],
      ['Enter', 'go to the event in full'], ['Esc', 'back to the list'],
      ['f', 'in the list: follow the end of the log'],
      ['g', 'in the list: go to a position or instant'], ['/', 'in the list: filter by text'], ['?', 'these keys'],
    ]);
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (event.key === 'Escape') this.#list.element.focus();
    });
  }

  /** Does what other letters mean in the list: elsewhere they mean nothing, for those who speak to the browser. */
  #key(key) {
    const action = { g: () => this.#jump.focus(), '/': () => this.#filters.focus() }[key];
    action?.();
    return action !== undefined;
  }
}

readFilter();
new Page().start().catch(showError);
