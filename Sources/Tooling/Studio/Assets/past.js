// What a user saw in a channel at a position, and what the event there changed.
import { el, instant, number, placeMarkup, query, userText, visible } from './studio.js';

/** How many changes are shown, and how many characters of a field. */
const CHANGES = 100, LETTERS = 2000;

// The drawn chat

/** Decodes percent signs; null if they are wrong, or for no text. */
function decode(text) {
  try {
    return text === undefined ? null : decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns the message of a row's element id, which the server's `elementID(ofMessage:)` has encoded. */
const messageOf = (row) => decode(row.id.slice('message-'.length).replace(/_([0-9A-F]{2})/g, '%$1'));

/** Returns the target of an element's action, as `general` of `channel:general`; null if it has none. */
const target = (element, kind) =>
  decode(element?.dataset.actions?.split(' ').find((each) => each.startsWith(`${kind}:`))?.slice(kind.length + 1));

function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function asButton(control) {
  set(control, 'role', 'button');
  set(control, 'tabindex', '0');
}

const ROWS = 'li[id^="message-"]', CONTROL = '.control[data-actions]';

/** The channels, the messages and what is being written: `onMessage`, `onChannel`, `onThread` take what is chosen. */
export class Scene {
  #drawn = {}; #channel = null; #frame = 0; #place = null;

  constructor(calls) {
    Object.assign(this, calls, { message: null });
    this.refusal = el('p', { class: 'refusal', hidden: true });
    const acts = { onclick: (event) => this.#click(event), onkeydown: (event) => this.#key(event) };
    this.list = el('div', { class: 'list', tabindex: '-1', onfocusin: (event) => this.#choose(event.target), ...acts });
    this.composers = el('div', { class: 'composers' });
    this.writing = el('div', { class: 'writing', hidden: true }, el('h2', {}, 'Being written'), this.composers);
    this.leave = el('button', { type: 'button', hidden: true, onclick: () => this.onThread(null) },
      '‹ Back to the channel');
    this.channels = el('div', acts);
  }

  show(past, { channel, thread }) {
    this.leave.hidden = !thread;
    this.refusal.textContent = visible(past.refusal);
    this.refusal.hidden = !past.refusal;
    this.list.hidden = Boolean(past.refusal);
    this.writing.hidden = Boolean(past.refusal) || !past.composers;
    this.#draw('composers', past.composers ?? '');
    if (this.#draw('channels', past.channels ?? '') || channel !== this.#channel) this.#markChannels(channel);
    this.#channel = channel;
    this.#drawList(past.refusal ? '' : past.list ?? '');
  }

  /** Draws markup if it is new; returns whether it was. */
  #draw(name, markup) {
    if (this.#drawn[name] === markup) return false;
    this.#drawn[name] = markup;
    // Without line breaks between rows, those that stay need not be moved when others are removed.
    placeMarkup(this[name], markup.replaceAll('\n<li', '<li'));
    return true;
  }

  #drawList(markup) {
    const place = this.#place ?? this.#selected()?.getBoundingClientRect().top ?? null;
    const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
    if (!this.#draw('list', markup)) return;
    // The page announces the position: the list is not read aloud.
    for (const log of this.list.querySelectorAll('[role=log]')) set(log, 'aria-live', 'off');
    this.#markRows();
    if (focused !== document.activeElement) {
      (focused?.isConnected ? focused : focused && this.list)?.focus({ preventScroll: true });
    }
    // The layout is a task of its own.
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#scroll());
    this.#place = place;
  }

  /** Keeps the selected row where it was, else shows the newest one. */
  #scroll() {
    const top = this.#selected()?.getBoundingClientRect().top;
    if (top !== undefined && this.#place !== null) this.list.scrollTop += top - this.#place;
    else this.list.scrollTop = this.list.scrollHeight;
    [this.#frame, this.#place] = [0, null];
  }

  #rows() { return [...this.list.querySelectorAll(ROWS)]; }

  #selected() {
    return this.message === null ? undefined : this.#rows().find((row) => messageOf(row) === this.message);
  }

  /** Lets the tabulator key reach the selected row, else the newest one, and threads. */
  #markRows() {
    const rows = this.#rows(), selected = this.#selected(), reached = selected ?? rows.at(-1);
    for (const row of rows) {
      set(row, 'tabindex', row === reached ? '0' : '-1');
      set(row, 'aria-current', row === selected ? 'true' : null);
    }
    for (const control of this.list.querySelectorAll(`.thread ${CONTROL}`)) asButton(control);
  }

  #markChannels(channel) {
    for (const control of this.channels.querySelectorAll(CONTROL)) {
      const id = target(control, 'channel');
      if (id === null) continue;
      asButton(control);
      set(control, 'aria-current', id === channel ? 'true' : null);
    }
  }

  /** The first channel of the user's list, or null. */
  get firstChannel() { return target(this.channels.querySelector(CONTROL), 'channel'); }

  select(message) {
    if (message === this.message) return;
    this.message = message;
    this.#markRows();
    this.onMessage(message);
  }

  #choose(element) {
    const row = element.closest(ROWS);
    if (row !== null) this.select(messageOf(row));
  }

  #click(event) {
    if (!this.#act(event.target)) this.#choose(event.target);
  }

  /** Performs the action of a control; returns whether it has one. */
  #act(element) {
    const control = element.closest('.control[role=button]');
    if (control === null) return false;
    const channel = target(control, 'channel'), thread = target(control, 'thread');
    if (channel !== null) this.onChannel(channel);
    else if (thread !== null) this.onThread(thread);
    return true;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target: element } = event;
    if ((key === 'Enter' || key === ' ') && element.matches('.control') && this.#act(element)) event.preventDefault();
    if (!element.matches(ROWS)) return;
    const rows = this.#rows(), index = rows.indexOf(element);
    const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }[key];
    if (next === undefined) return;
    event.preventDefault();
    rows[next]?.focus();
  }
}

// What an event changed

const fact = (name, value) => [el('dt', {}, name), el('dd', {}, value)];

/** The event at a position in words, and the rows that it changed. */
export class Changes {
  #past = null;
  #words = el('p', { class: 'event-words' });
  #position = el('a', { href: '/events' }); #time = el('span'); #actor = el('bdi'); #stream = el('bdi');
  #type = el('bdi', { class: 'mono' });
  #all = el('input', { type: 'checkbox', onchange: () => this.#draw() });
  #tables = el('div');

  constructor() {
    this.element = el('section', { class: 'panel changes', 'aria-labelledby': 'changes-title' },
      el('h2', { id: 'changes-title' }, 'What this event changed'), this.#words,
      el('dl', { class: 'facts' }, fact('Position', this.#position), fact('Time', this.#time),
        fact('Actor', this.#actor), fact('Stream', this.#stream), fact('Type', this.#type)),
      el('p', { class: 'all' }, el('label', {}, this.#all, 'Show all fields')), this.#tables);
  }

  /** `filter` is kept in the link to the list of events. */
  show(past, filter) {
    this.#past = past;
    const event = past.event ?? {};
    this.#words.replaceChildren(past.event ? userText(event.words) : 'The log begins here: there is no event yet.');
    this.#position.textContent = number(past.position);
    this.#position.href = `/events${query({ position: past.position, ...filter })}`;
    this.#time.textContent = instant(past.recorded);
    this.#actor.textContent = visible(event.actor);
    this.#stream.textContent = visible(event.stream);
    this.#type.textContent = visible(event.type);
    this.#draw();
  }

  #draw() {
    const changes = this.#past?.changes ?? [], more = changes.length - CHANGES;
    this.#tables.replaceChildren(el('div', {}, changes.slice(0, CHANGES).map((change) => this.#change(change)),
      changes.length === 0 && el('p', { class: 'about' }, 'No row was changed.'),
      more > 0 && el('p', { class: 'about' }, `More changed rows: ${number(more)}`)));
  }

  #change({ table, key, kind, fields = [] }) {
    const shown = this.#all.checked ? fields : fields.filter((field) => field.isChanged);
    const hidden = fields.length - shown.length;
    return el('div', { class: 'change' },
      el('table', {},
        el('caption', {}, el('span', { class: 'badge' }, visible(kind)), ' ', userText(table, { class: 'table' }), ' ',
          userText(key, { class: 'mono' })),
        el('thead', {}, el('tr', {}, ['Field', 'Before', 'After'].map((title) => el('th', { scope: 'col' }, title)))),
        el('tbody', {}, shown.map(row))),
      hidden > 0 && el('p', { class: 'about' }, `Unchanged fields: ${hidden}`));
  }
}

function row({ name, before, after, isChanged }) {
  return el('tr', { class: isChanged ? 'changed' : null },
    el('th', { scope: 'row' }, userText(name), isChanged && el('span', { class: 'about' }, ' changed')),
    el('td', {}, value(before)), el('td', {}, value(after)));
}

function value(text) {
  if (text === null || text === undefined) return el('span', { class: 'about' }, 'none');
  if (text.length <= LETTERS) return userText(text, { class: 'value' });
  return [userText(text.slice(0, LETTERS), { class: 'value' }),
    el('span', { class: 'about' }, ` … (${number(text.length)} characters)`)];
}
