// What all pages of the studio share: elements, requests, the frame of a page, formats, the address, markup.

// Elements

/** Characters that change the direction or are not visible: they are shown as ⟨U+202E⟩. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) {
      if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    } else {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/**
 * Builds an HTML element. Texts become text nodes; `on…` attributes that are functions become listeners; attributes
 * that are false, null or undefined are left out, and true is the empty text. Children may be nodes, texts, numbers,
 * arrays of them, null and false.
 */
export const el = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

/** Builds an SVG element, as `el` does. */
export const svg = (tag, attributes, ...children) =>
  build(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/** Returns a text in which control characters, also those of the writing direction, are visible. */
export const visible = (text) => String(text ?? '').replace(HIDDEN, (character) =>
  `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);

/** Builds an isolated element with a text of a user or a log; `attributes` may add a class. */
export const userText = (text, attributes) => el('bdi', { dir: 'auto', ...attributes }, visible(text));

/** Builds a list of names and values: `[[name, text or nodes]…]`; values that are missing or '' are left out. */
export const facts = (list) => el('dl', { class: 'facts' }, list
  .filter(([, value]) => value !== null && value !== undefined && value !== '')
  .map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));

/** Builds a link to an event, with its position as its text if there are no children. */
export const eventLink = (position, ...children) => el('a', {
  href: `/events?position=${Number(position)}`, 'data-position': Number(position),
}, children.length === 0 ? number(position) : children);

/** Waits. */
export const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Builds a button that copies a text; `what` completes its name: “Copy the chain hash”. */
export function copyButton(text, what) {
  const button = el('button', { type: 'button', class: 'small', 'aria-label': `Copy ${what}` }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
      announce(`Copied ${what}.`);
    } catch {
      showError('The browser did not allow copying.');
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  return button;
}

// Requests

/** Returns parameters as the query of an address; arrays repeat the parameter, and empty values are left out. */
export function query(parameters) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters ?? {})) {
    for (const item of [value].flat()) {
      if (item !== null && item !== undefined && item !== '') search.append(name, item);
    }
  }
  return search.size === 0 ? '' : `?${search}`;
}

async function request(path, parameters, options) {
  const target = (path.startsWith('/') ? path : `/api/${path}`) + query(parameters);
  let response;
  try {
    response = await fetch(target, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error('The studio does not answer: it may have ended.');
  }
  const { status } = response;
  if (!response.ok) throw Object.assign(new Error(sentence(await response.text(), status)), { status });
  return response;
}

/** Returns the sentence of a refusal, which is JSON of the studio or plain text of its gate. */
export function sentence(text, status) {
  try {
    const { error } = JSON.parse(text);
    if (typeof error === 'string') return error;
  } catch {
    if (text.length > 0 && text.length < 300 && !text.startsWith('<')) return text.trim();
  }
  return `The studio answered with status ${status}.`;
}

/**
 * Asks an address, as `get('rows', { from: 0, type: ['a', 'b'] })` for `/api/rows?from=0&type=a&type=b`, and returns
 * its JSON. Arrays repeat the parameter; null, undefined and '' are left out. Throws an Error with the studio's
 * sentence and its `status`; with an aborted `signal`, an AbortError, which `showError` ignores.
 */
export const get = async (path, parameters, signal) => (await request(path, parameters, { signal })).json();

/** Replaces half a character, which an input method can give for a moment, and which the studio cannot read. */
const wellFormed = (_, value) => (typeof value === 'string' ? value.toWellFormed() : value);

/** Posts JSON to an address, and returns the JSON of the answer. */
export const post = async (path, body = {}) => (await request(path, {}, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body, wellFormed),
})).json();

/**
 * Runs one task at a time, and keeps only the newest one that waits: for sliders and scrolling.
 *
 * `work(argument, signal)` is an async function; `ask(argument)` runs it now, or when the running one has ended.
 * `cancel()` aborts the signal of the running one and forgets the waiting one. Errors go to `onError`.
 */
export class Latest {
  #work; #onError; #running = null; #waiting = null;

  constructor(work, onError = showError) {
    this.#work = work;
    this.#onError = onError;
  }

  /** Whether a task is running. */
  get isBusy() { return this.#running !== null; }

  /** Whether another task waits for the running one. */
  get isWaiting() { return this.#waiting !== null; }

  ask(argument) {
    if (this.#running !== null) { this.#waiting = { argument }; return; }
    this.#run(argument);
  }

  cancel() {
    this.#waiting = null;
    this.#running?.abort();
  }

  async #run(argument) {
    const controller = new AbortController();
    this.#running = controller;
    try {
      await this.#work(argument, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) this.#onError(error);
    }
    this.#running = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.#run(waiting.argument);
  }
}

// Streams

/** The open streams by their ids: the address, and the functions for its events. */
const streams = new Map();
let port = null;

/**
 * Opens a stream of the studio's events, over the connection that all windows share. `on` has a function for each event
 * by its name, which gets the data, and `disconnected()`; the stream begins again by itself. Returns a function that
 * closes it.
 */
export function openStream(path, on) {
  if (port === null) shareConnection();
  const id = crypto.randomUUID().replaceAll('-', '');
  streams.set(id, { path, on });
  port.postMessage({ open: id, path });
  return () => {
    streams.delete(id);
    port.postMessage({ close: id });
  };
}

function shareConnection() {
  // Browsers of telephones may have no shared workers.
  const worker = new (globalThis.SharedWorker ?? Worker)('/assets/streams.js');
  const own = worker.port ?? worker;
  port = own;
  own.onmessage = ({ data: { id, event, data } }) => streams.get(id)?.on[event]?.(data);
  worker.onerror = () => {
    for (const { on } of streams.values()) on.disconnected();
    setTimeout(() => {
      shareConnection();
      for (const [id, { path }] of streams) port.postMessage({ open: id, path });
    }, 1000);
  };
  // Held as long as the page lives.
  const lock = `studio-page-${crypto.randomUUID()}`;
  navigator.locks.request(lock, () => {
    own.postMessage({ lock });
    return new Promise(() => {});
  });
}

/**
 * Calls `onHead({ head, recorded })` at once and whenever the log has grown. The header says when the connection is
 * lost, also that of the studio to the log, and when it is back. A hidden page is not connected. Returns a function
 * that ends it.
 */
export function followHead(onHead) {
  let close = () => {}, isLost = false;
  const lose = (text) => { isLost = true; connection(text, true); };
  const open = () => {
    close();
    if (document.hidden) return;
    close = openStream('/api/head', {
      head(data) {
        if (isLost) connection('Connected again.', false);
        isLost = false;
        onHead(data);
      },
      lost: () => lose('The log cannot be read: trying again.'),
      disconnected: () => lose('Not connected: trying again.'),
    });
  };
  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    close();
    document.removeEventListener('visibilitychange', open);
  };
}

// The frame of a page

const frame = {};
let connectionTimer = 0;

function connection(text, isWrong) {
  clearTimeout(connectionTimer);
  if (!frame.status) return;
  frame.status.textContent = text;
  frame.status.classList.toggle('failed', isWrong);
  if (!isWrong) connectionTimer = setTimeout(() => { frame.status.textContent = ''; }, 4000);
}

/** Shows an error, or its sentence, below the header until it is closed; null removes it. */
export function showError(error) {
  if (error?.name === 'AbortError') return;
  if (!frame.error) { console.error(error); return; }
  const text = visible(error?.message ?? error);
  // An unchanged text is not said again.
  if (frame.error.textContent !== text) frame.error.textContent = text;
  frame.errors.classList.toggle('on', frame.error.textContent !== '');
}

/** What is shown instead of a chat where there is none. */
export const NO_CHAT = 'There are no users or no channels yet: make some, as with verbatim compose, then reload.';

/** Lets a screen reader say a text. */
export function announce(text) {
  if (frame.spoken) frame.spoken.textContent = text;
}

/**
 * Builds the frame of a page, whose name `current` is events, time, health or chat: skip link, header, errors and
 * main. Returns `{ workspace, main }`, the answer of `/api/workspace` (null when it failed, which is shown) and the
 * empty main element.
 */
export async function shell(current) {
  buildFrame();
  let workspace = null;
  try {
    workspace = await get('workspace');
  } catch (error) {
    showError(error);
  }
  frame.nav.replaceChildren(...links(current, workspace));
  if (workspace !== null) frame.mode.replaceChildren(...mode(workspace));
  return { workspace, main: frame.main };
}

function buildFrame() {
  frame.nav = el('ul', {});
  frame.mode = el('p', { class: 'mode' });
  frame.status = el('p', { class: 'connection', role: 'status' });
  frame.spoken = el('p', { class: 'spoken', role: 'status' });
  frame.error = el('p', { role: 'alert' });
  const close = el('button', { type: 'button', class: 'small', onclick: () => showError(null) }, 'Close');
  frame.errors = el('div', { class: 'errors' }, frame.error, close);
  frame.main = el('main', { id: 'main', tabindex: '-1' });
  frame.tools = el('div', { class: 'tools' });
  document.body.replaceChildren(
    el('p', { class: 'skip' }, el('a', { href: '#main' }, 'Skip to the contents')),
    el('header', { class: 'top' }, el('nav', { 'aria-label': 'Pages' }, frame.nav), frame.mode, frame.status,
      frame.tools),
    frame.errors, frame.main, frame.spoken);
}

function links(current, workspace) {
  // The other pages are for operators.
  const pages = [['chat', 'Chat'], ['time', 'Time'],
    ...(workspace?.mode === 'user' ? [] : [['events', 'Events'], ['health', 'Health']])];
  return pages.map(([name, title]) =>
    el('li', {}, el('a', { href: `/${name}`, 'aria-current': name === current ? 'page' : null }, title)));
}

function mode(workspace) {
  const user = (workspace.users ?? []).find((each) => each.id === workspace.user);
  const name = () => userText(user?.name ?? workspace.user);
  const who = workspace.mode === 'user' ? ['As ', name(), ': what ', name(), ' may see']
    : ['Operator: everything is shown'];
  return [
    el('span', { class: 'who' }, ...who), workspace.isReadOnly === true && el('span', { class: 'badge' }, 'read-only'),
    userText(workspace.path, { class: 'path' }),
  ].filter(Boolean);
}

/**
 * Adds to the header a button “Keys” that opens a dialog with a list of `[keys, what they do]`; the key ? opens it,
 * too, except in a field.
 */
export function keyHelp(list) {
  const dialog = el('dialog', { class: 'keys', 'aria-labelledby': 'keys-title' },
    el('h2', { id: 'keys-title' }, 'Keys'),
    el('dl', {}, list.map(([keys, what]) => el('div', {}, el('dt', {}, el('kbd', {}, keys)), el('dd', {}, what)))),
    el('button', { type: 'button', autofocus: true, onclick: () => dialog.close() }, 'Close'));
  const open = () => { if (!dialog.open) dialog.showModal(); };
  frame.tools.append(el('button', { type: 'button', class: 'small', onclick: open }, 'Keys (?)'));
  document.body.append(dialog);
  document.addEventListener('keydown', (event) => {
    if (event.key === '?' && !event.ctrlKey && !event.metaKey && !isField(event.target)) {
      event.preventDefault();
      open();
    }
  });
}

/** Whether an element takes typed characters, so that keys have no other meaning there. */
export const isField = (element) => element instanceof Element
  && element.matches('input:not([type=checkbox], [type=range], [type=radio], [type=button]), textarea, select');

// Formats

/** The time zone in which days and times are shown. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const two = (value) => String(value).padStart(2, '0');

const date = (iso) => (iso === null || iso === undefined || iso === '' ? null : new Date(iso));

const isInvalid = (value) => Number.isNaN(value.getTime());

/** Returns the local time of day: 14:05:03.123. */
export function clock(iso) {
  const time = date(iso);
  if (time === null) return '';
  if (isInvalid(time)) return visible(iso);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.`
    + String(time.getMilliseconds()).padStart(3, '0');
}

/** Returns the local date and time: 2026-11-22 14:05:03.123. `iso` is a text or a Date. */
export function instant(iso) {
  const time = date(iso);
  if (time === null) return '';
  if (isInvalid(time)) return visible(iso);
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock(time)}`;
}

/** Returns a number with narrow spaces between groups of three digits, as 5 000 000. */
export function number(n) {
  if (n === null || n === undefined) return '';
  const [whole, part] = String(n).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

/** Returns a size as 512 bytes, 1.5 MB. */
export function bytes(n) {
  if (n === null || n === undefined) return '';
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let value = n, unit = 0;
  while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit += 1; }
  if (unit === 0) return n === 1 ? '1 byte' : `${n} bytes`;
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Returns a duration in its two largest units, as 350 ms, 1.2 s, 2 min 5 s, 3 h 4 min, 2 d 3 h. */
export function span(seconds) {
  if (seconds === null || seconds === undefined) return '';
  if (seconds < 0) return `-${span(-seconds)}`;
  if (seconds < 0.9995) return seconds < 0.001 && seconds > 0 ? `${Math.round(seconds * 1e6)} µs`
    : `${Number((seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0))} ms`;
  if (seconds < 59.95) return `${Number(seconds.toFixed(1))} s`;
  const pair = (total, large, small, factor) => {
    const [first, rest] = [Math.floor(total / factor), Math.floor(total % factor)];
    return rest === 0 ? `${number(first)} ${large}` : `${number(first)} ${large} ${rest} ${small}`;
  };
  if (seconds < 3600) return pair(Math.round(seconds), 'min', 's', 60);
  if (seconds < 86400) return pair(seconds / 60, 'h', 'min', 60);
  return pair(seconds / 3600, 'd', 'h', 24);
}

// The address of the page

let pending = null, addressTimer = 0;

function flush() {
  clearTimeout(addressTimer);
  addressTimer = 0;
  if (pending === null) return;
  history.replaceState(null, '', location.pathname + pending);
  pending = null;
}
addEventListener('pagehide', flush);

/**
 * The query of the page's address, so that a copied address shows the same view. `one(name)` is the first value or
 * null, `all(name)` the array of values, and `write({ name: value or array })` replaces the complete query: at most
 * five times a second, since browsers limit it.
 */
export const address = {
  one: (name) => new URLSearchParams(pending ?? location.search).get(name),
  all: (name) => new URLSearchParams(pending ?? location.search).getAll(name),
  write(parameters) {
    pending = query(parameters);
    if (addressTimer === 0) addressTimer = setTimeout(flush, 200);
  },
  flush,
};

// Markup of the server

/** The markup from which an element with an id was parsed. */
const sources = new WeakMap();

/**
 * Shows markup that the studio has written. An element with the id and the markup of one that is already shown in the
 * same place stays, with its focus and its scroll position; of the others, only what differs is changed. The styles in
 * `data-style` attributes are applied.
 */
export function placeMarkup(container, html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const element of template.content.querySelectorAll('[id]')) sources.set(element, element.outerHTML);
  for (const element of template.content.querySelectorAll('[data-style]')) {
    element.style.cssText = element.dataset.style;
    element.removeAttribute('data-style');
  }
  patchChildren(container, template.content);
}

/** Shows the children of another node; shown elements stay, with focus and selection, and only what differs changes. */
export function patchChildren(parent, fresh) {
  const next = [...fresh.childNodes];
  const keyed = new Map(), others = [];
  for (const node of parent.childNodes) node.id ? keyed.set(node.id, node) : others.push(node);
  const kept = next.map((node) => match(node, keyed, others));
  const staying = new Set(kept);
  for (const node of [...parent.childNodes]) if (!staying.has(node)) node.remove();
  let place = parent.firstChild;
  next.forEach((node, index) => {
    const old = kept[index];
    const shown = old ?? document.adoptNode(node);
    if (old) patch(old, node);
    if (shown === place) place = place.nextSibling;
    else parent.insertBefore(shown, place);
  });
}

/** Returns the shown node that a new one changes, if there is one: by id, else the next one of the same kind. */
function match(node, keyed, others) {
  if (node.id) {
    const old = keyed.get(node.id);
    keyed.delete(node.id);
    return old?.nodeName === node.nodeName ? old : null;
  }
  const index = others.findIndex((other) => other.nodeName === node.nodeName);
  return index < 0 ? null : others.splice(0, index + 1)[index];
}

/** Changes a shown element into another one; only what differs changes. */
export function patch(old, node) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return;
  }
  if (node.id && sources.get(old) === sources.get(node)) return;
  patchAttributes(old, node);
  if (node.id) sources.set(old, sources.get(node));
  patchChildren(old, node);
}

/** Gives a shown element the attributes of another one. What the user has opened stays open. */
export function patchAttributes(old, node) {
  for (const { name } of [...old.attributes]) {
    if (!node.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) {
    if (name === 'style') old.style.cssText = value;
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}
