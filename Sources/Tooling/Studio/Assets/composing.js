// The queue of what a user does in the chat, which is delivered once and in order, and the text area.
import { placeMarkup, showError } from './studio.js';

const STORED = 'studio-chat';
const BATCH = 50, PAUSE_MAX = 5000, ANSWER_MAX = 30_000;

const random = (count) => [...crypto.getRandomValues(new Uint8Array(count))].map((n) => (n % 36).toString(36)).join('');

/** Kinds of actions that leave the text of the composer as it is. */
const TEXTLESS = new Set(['select', 'react', 'read']);

/**
 * What was done in this window and is not handled yet. Actions are numbered from 1 for each process of the studio, and
 * kept, also when the page is loaded again, until the studio has said that they are handled.
 *
 * The handlers: `shown()` is the text that is shown; `onOutcome(outcome, action)`; `onSettled()` when something was
 * handled; `onRebuilt(text)` when the last waiting action sets this text, `onLost(isLost)`; `onConflict()` when the
 * stream has to be opened again; and `onDropped()` when something pressed was given up.
 */
export class Queue {
  waiting = []; boot = null; place = null; tab; stored;
  #last = 0; #lastText = 0; #handlers; #running = null; #failures = 0; #retry = 0; #saving = 0; #isBlocked = false;

  constructor(handlers, stored, tab) {
    this.#handlers = handlers;
    this.tab = tab;
    this.stored = stored;
    if (stored) {
      ({ boot: this.boot, place: this.place, waiting: this.waiting } = stored);
      this.#count(0);
    }
    addEventListener('pagehide', () => this.#write());
    addEventListener('online', () => this.wake());
  }

  /** Returns the queue of this window; a duplicate of a window, which has a copy of its storage, gets a new one. */
  static async open(handlers) {
    let stored = null;
    try { stored = JSON.parse(sessionStorage.getItem(STORED)); } catch { /* It is as if nothing had been stored. */ }
    if (!/^[a-z0-9]{16}$/.test(stored?.tab ?? '') || !await hold(stored.tab)) stored = null;
    const tab = stored?.tab ?? random(16);
    if (stored === null) await hold(tab);
    return new Queue(handlers, stored, tab);
  }

  get isEmpty() { return this.waiting.length === 0; }

  /** Whether what was done since an action, waiting or handled, can have changed the text. */
  hasTextSince(number) { return this.#lastText > number; }

  /** Whether an action of a kind waits. */
  waitsFor(kind) { return this.waiting.some((action) => action.kind === kind); }

  /** Adds an action that is done at a place; `text` of a send stays here. */
  add(action, place) {
    if (this.isEmpty) this.place = place;
    const last = this.waiting.at(-1);
    if (action.kind === 'select' && last?.kind === 'select' && !(last.n <= this.#running?.last)) {
      last.range = action.range;
    } else {
      this.#last += 1;
      if (!TEXTLESS.has(action.kind)) this.#lastText = this.#last;
      this.waiting.push({ n: this.#last, ...action });
    }
    this.save();
    this.#pump();
  }

  /** Goes on after the stream has begun. */
  begin(boot, handled) {
    const isOther = this.boot !== null && this.boot !== boot;
    this.#isBlocked = false;
    this.boot = boot;
    if (isOther) this.#rebuild(handled);
    else this.#settle(handled);
    this.wake();
  }

  /** Tries again at once. */
  wake() {
    clearTimeout(this.#retry);
    this.#retry = 0;
    this.#pump();
  }

  /** Stores everything soon. */
  save() { this.#saving ||= setTimeout(() => this.#write(), 100); }

  #write() {
    clearTimeout(this.#saving);
    this.#saving = 0;
    const { tab, boot, place, waiting } = this;
    try {
      sessionStorage.setItem(STORED, JSON.stringify({ tab, boot, place, waiting, ...this.#handlers.shown() }));
    } catch { /* There is no room: what waits is in memory. */ }
  }

  /** Forgets what was handled. */
  #settle(handled) {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter(({ n }) => n > handled);
    this.#count(handled);
    this.save();
    if (this.waiting.length < before) this.#handlers.onSettled();
  }

  /** Numbers what waits from the number after the last handled one, unless it is so already. */
  #count(handled) {
    if (this.#running === null && !this.isEmpty && this.waiting[0].n !== handled + 1 && this.boot !== null) {
      this.waiting.forEach((action, index) => { action.n = handled + 1 + index; });
      this.#lastText = 0;
    }
    this.#last = this.waiting.at(-1)?.n ?? Math.max(handled, this.#running === null ? handled : this.#last);
    const text = this.waiting.findLast(({ kind }) => !TEXTLESS.has(kind))?.n;
    this.#lastText = text ?? Math.min(this.#lastText, this.#last);
  }

  /**
   * Replaces what waits by what another process, which has other numbers, can do: sends with their texts, and the text
   * that is shown. What was pressed is not done again, since it could have been done.
   */
  #rebuild(handled) {
    this.#running?.abort();
    this.#running = null;
    const { text } = this.#handlers.shown();
    const kept = [];
    for (const action of this.waiting) {
      if (action.kind === 'send') kept.push({ kind: 'set', text: action.text }, action);
      else if (action.kind === 'react' || action.kind === 'read') kept.push(action);
    }
    if (this.waitsFor('press')) this.#handlers.onDropped();
    const setsText = text !== null && (text !== '' || !this.isEmpty);
    if (setsText) kept.push({ kind: 'set', text });
    this.waiting = kept.map((action, index) => ({ ...action, n: handled + 1 + index }));
    this.#lastText = 0;
    this.#count(handled);
    if (setsText) this.#handlers.onRebuilt(text);
    this.save();
    this.#handlers.onSettled();
  }

  async #pump() {
    if (this.#running !== null || this.#retry !== 0 || this.#isBlocked || this.boot === null || this.isEmpty) return;
    const controller = new AbortController();
    this.#running = controller;
    const batch = this.waiting.slice(0, BATCH);
    controller.last = batch.at(-1).n;
    const timer = setTimeout(() => controller.abort(), ANSWER_MAX);
    let pause = 0;
    try {
      const answer = await this.#post(batch, controller.signal);
      if (this.#running !== controller) return;
      this.#running = null;
      pause = this.#take(answer, batch);
    } catch {
      if (this.#running !== controller) return;
      this.#running = null;
      pause = this.#pauseAfterFailure();
    } finally {
      clearTimeout(timer);
    }
    if (pause > 0) this.#retry = setTimeout(() => this.wake(), pause);
    else this.#pump();
  }

  async #post(batch, signal) {
    const actions = batch.map(({ text, ...action }) => (action.kind === 'send' ? action : { ...action, text }));
    const response = await fetch('/api/chat/act', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, signal,
      body: JSON.stringify({ tab: this.tab, boot: this.boot, actions }),
    });
    const body = await response.text();
    let answer = {};
    try { answer = JSON.parse(body); } catch { answer = { error: body.trim() }; }
    return { status: response.status, ...answer };
  }

  /** Returns the pause before the next request. */
  #take({ status, handled, outcomes, error }, batch) {
    if (status === 200) {
      if (this.#failures > 0) this.#handlers.onLost(false);
      this.#failures = 0;
      this.#settle(handled);
      for (const outcome of outcomes) this.#handlers.onOutcome(outcome, batch.find(({ n }) => n === outcome.n));
      return 0;
    }
    if (status === 409) {
      // The stream says how to go on; until then it would be refused again.
      this.#isBlocked = true;
      this.#failures += 1;
      this.#handlers.onConflict(this.#failures > 1);
      return 0;
    }
    showError(error || `The studio answered with status ${status}.`);
    // What it does not understand or allow would be refused again. Messages are not given up.
    if ([400, 403, 413, 422].includes(status)) this.#rebuild(batch[0].n - 1);
    return this.#pauseAfterFailure();
  }

  #pauseAfterFailure() {
    this.#failures += 1;
    this.#handlers.onLost(true);
    return Math.min(PAUSE_MAX, 125 * 2 ** this.#failures);
  }
}

/** Returns whether the name of a tab is used by this page only; it is then, until the page is closed. */
function hold(tab) {
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(1000);
    navigator.locks.request(`${STORED}-${tab}`, { signal }, () => {
      resolve(true);
      return new Promise(() => {});
    }).catch(() => resolve(false));
  });
}

// The text area

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns the smallest splice `{ range, text }` of complete characters from one text to another, in UTF-16 units; the
 * caret decides which one of equal characters was typed.
 */
export function splice(from, to, caret) {
  const most = Math.min(from.length, to.length);
  let end = 0, start = 0;
  const extend = (max) => {
    while (end < max && from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)) end += 1;
  };
  extend(Math.min(most, to.length - caret));
  while (start < most - end && from.charCodeAt(start) === to.charCodeAt(start)) start += 1;
  extend(most - start);
  let stop = from.length - end;
  // The composer moves a position within a character to its start. This also keeps surrogate pairs together.
  const segments = characters.segment(from);
  if (start < from.length) start = segments.containing(start).index;
  const last = stop < from.length ? segments.containing(stop) : null;
  if (last !== null && last.index < stop) stop = last.index + last.segment.length;
  stop = Math.max(start, stop);
  return { range: [start, stop], text: to.slice(start, to.length - (from.length - stop)) };
}

const plain = (text) => text.replace(/\r\n?/g, '\n');

/**
 * The composer: the studio's markup around a text area that stays the same element. `send` is called when a message
 * has been sent from it, `attach` with pasted files, `place` is the place of the stream.
 */
export class Composing {
  area = document.createElement('textarea');
  queue = null;
  /** The text that the studio has when everything that waits is handled; null if that is not known. */
  #base = null;
  #caret = null; #latest = null; #container; #handlers; #selecting = 0; #isComposing = false; #canSend = false;
  #hasVisited = false; #resetting = 0;

  constructor(container, handlers) {
    this.#container = container;
    this.#handlers = handlers;
    this.area.id = 'composer-text';
    this.area.readOnly = true;
    container.addEventListener('input', (event) => { if (event.target === this.area) this.#changed(event.inputType); });
    container.addEventListener('beforeinput', (event) => {
      const kind = { historyUndo: 'undo', historyRedo: 'redo' }[event.inputType];
      if (kind === undefined || event.target !== this.area) return;
      event.preventDefault();
      this.#history(kind);
    });
    this.area.addEventListener('compositionstart', () => { this.#isComposing = true; });
    this.area.addEventListener('compositionend', () => {
      this.#isComposing = false;
      this.#changed();
      this.apply();
    });
    this.area.addEventListener('paste', (event) => {
      if (event.clipboardData.files.length === 0) return;
      event.preventDefault();
      handlers.attach(event.clipboardData.files);
    });
    container.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('selectionchange', () => {
      if (document.activeElement === this.area) this.#selecting ||= setTimeout(() => this.#select(), 100);
    });
  }

  /** What is stored: the text that is shown, null before there is one, and the text that the studio has. */
  get state() { return { text: this.area.readOnly ? null : this.area.value, base: this.#base }; }

  /** Shows a text that was stored with waiting actions. */
  restore({ text, base }) {
    if (typeof text !== 'string') return;
    this.area.value = text;
    this.area.readOnly = false;
    this.#base = base ?? null;
    if (!this.#container.contains(this.area)) {
      this.area.setAttribute('aria-label', 'Message');
      this.#container.append(this.area);
    }
  }

  /** Forgets the text of a place that is left. */
  clear() {
    clearTimeout(this.#selecting);
    [this.#selecting, this.#latest, this.#base, this.#caret] = [0, null, null, null];
    this.area.readOnly = true;
    this.area.value = '';
  }

  /** Draws an event of the stream around the text area, and takes its text when nothing else waits. */
  show(event) {
    const template = document.createElement('template');
    template.innerHTML = event.markup;
    const drawn = template.content.querySelector('textarea');
    if (drawn) {
      drawn.id = this.area.id;
      drawn.textContent = '';
      const fixed = { spellcheck: 'true', autocomplete: 'off', enterkeyhint: 'send', rows: '1' };
      for (const [name, value] of Object.entries(fixed)) drawn.setAttribute(name, value);
      if (this.area.readOnly && this.#base !== null) drawn.setAttribute('readonly', '');
    }
    // With ids, the elements around the text area are recognized whatever comes before them.
    for (const name of ['composer', 'line', 'leading', 'input', 'trailing', 'suggestions', 'picker']) {
      const part = template.content.querySelector(`section .${name}`);
      if (part) part.id = `composer-${name}`;
    }
    const hadFocus = this.#container.contains(document.activeElement);
    if (this.area.parentNode === this.#container) this.area.remove();
    placeMarkup(this.#container, template.innerHTML);
    const placed = this.#container.querySelector('textarea');
    if (placed && placed !== this.area) {
      for (const { name, value } of placed.attributes) this.area.setAttribute(name, value);
      placed.replaceWith(this.area);
    }
    this.area.readOnly = false;
    if (hadFocus && !this.#container.contains(document.activeElement)) this.area.focus();
    this.#canSend = event.canSend;
    this.#latest = event;
    this.apply();
  }

  /** Shows the text of the studio if it includes everything that was done here. */
  apply() {
    const event = this.#latest;
    if (event === null || this.#isComposing || this.queue.hasTextSince(event.handled)) return;
    [this.#latest, this.#base, this.#caret] = [null, event.text, event.selection];
    if (this.area.value === plain(event.text)) return;
    this.area.value = event.text;
    this.area.setSelectionRange(...event.selection);
    this.queue.save();
  }

  /** Notes that the last waiting action sets the text. */
  rebuilt(text) { [this.#base, this.#caret, this.#latest] = [text, null, null]; }

  /** Sets the text again soon, after an edit did not fit to the text of the studio. */
  reset() {
    this.#base = null;
    this.#resetting ||= setTimeout(() => {
      this.#resetting = 0;
      if (this.#base === null) this.#changed();
    });
  }

  /** Adds a drawn action, after which the text is not known. */
  press(action) {
    this.#add({ kind: 'press', action });
    [this.#base, this.#caret] = [null, null];
  }

  /** Sends what is shown, which is cleared at once. */
  send() {
    const text = this.area.value;
    if (this.area.readOnly || text.trim() === '' && !this.#canSend || !this.#handlers.canSend()) return;
    if (text !== this.#base) this.#changed();
    this.#add({ kind: 'send', id: `w${Date.now().toString(36)}-${random(10)}`, text });
    [this.#base, this.#caret, this.#canSend] = ['', [0, 0], false];
    this.area.value = '';
    this.#handlers.send();
  }

  #add(action) { this.queue.add(action, this.#handlers.place()); }

  #changed(how) {
    if (this.area.readOnly) return;
    const text = this.area.value;
    if (this.#latest !== null && !this.queue.hasTextSince(this.#latest.handled)) {
      [this.#base, this.#latest] = [this.#latest.text, null];
    }
    if (this.#base === text) return;
    this.#hasVisited = false;
    this.#container.classList.remove('quiet');
    if (this.#base === null) {
      this.#add({ kind: 'set', text });
      this.#caret = null;
    } else {
      const edit = splice(this.#base, text, this.area.selectionEnd);
      const isPasted = how === 'insertFromPaste' || how === 'insertFromDrop';
      this.#add({ kind: 'edit', ...edit, how: isPasted ? 'pasted' : 'typed' });
      this.#caret = Array(2).fill(edit.range[0] + edit.text.length);
    }
    this.#base = text;
  }

  #select() {
    this.#selecting = 0;
    const range = [this.area.selectionStart, this.area.selectionEnd];
    if (this.#isComposing || this.area.readOnly || this.#base !== this.area.value) return;
    if (this.#caret?.[0] === range[0] && this.#caret[1] === range[1]) return;
    this.#caret = range;
    this.#add({ kind: 'select', range });
  }

  #history(kind) {
    if (this.area.readOnly) return;
    this.#add({ kind });
    [this.#base, this.#caret] = [null, null];
  }

  // Keys

  #key(event) {
    if (event.isComposing || event.keyCode === 229) return;
    const suggestions = [...this.#container.querySelectorAll('.suggestions button')];
    const index = suggestions.indexOf(document.activeElement);
    const isInText = event.target === this.area;
    const used = isInText ? this.#textKey(event, this.#isQuiet ? [] : suggestions)
      : index >= 0 && this.#suggestionKey(event, suggestions, index);
    if (used || event.key === 'Escape' && this.#escape(suggestions)) event.preventDefault();
  }

  #textKey(event, suggestions) {
    const { key, shiftKey, altKey } = event, isCommand = (event.ctrlKey || event.metaKey) && !altKey;
    if (isCommand && key.toLowerCase() === 'z') { this.#history(shiftKey ? 'redo' : 'undo'); return true; }
    if (event.ctrlKey && !altKey && key.toLowerCase() === 'y') { this.#history('redo'); return true; }
    if (isCommand || altKey || shiftKey) return false;
    if (key === 'Enter') { this.send(); return true; }
    if (suggestions.length === 0) return false;
    if (key === 'ArrowUp') { suggestions.at(-1).focus(); return true; }
    // Tab reaches them once for each text, so that it also leads on.
    if (key !== 'ArrowDown' && (key !== 'Tab' || this.#hasVisited)) return false;
    this.#hasVisited = true;
    suggestions[0].focus();
    return true;
  }

  #suggestionKey(event, suggestions, index) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      (suggestions[index + step] ?? this.area).focus();
      return true;
    }
    // What is typed belongs to the text.
    if (event.key === 'Backspace' || event.key.length === 1 && event.key !== ' ') this.area.focus();
    return false;
  }

  get #isQuiet() { return this.#container.classList.contains('quiet'); }

  /** Hides the suggestions, or takes off a quote or an edit. */
  #escape(suggestions) {
    if (suggestions.length > 0 && !this.#isQuiet) {
      this.#container.classList.add('quiet');
      this.area.focus();
      return true;
    }
    const takeOff = this.#container.querySelector('.banner button[name=action]');
    if (takeOff) this.press(takeOff.value);
    return takeOff !== null;
  }
}
