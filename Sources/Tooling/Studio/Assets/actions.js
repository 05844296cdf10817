// What the user does in a tab of the chat: numbered actions, kept until the studio has handled them.
import { pause, post } from './studio.js';

const BATCH = 50;
/** The statuses of requests that are malformed or too large: sent again, they are so again. */
const UNREADABLE = [400, 413];
/** Before the query of a place in the name under which its waiting actions are saved. */
const SAVED = 'studio-waiting ';

/** Returns the smallest replacement that turns one text into another: a range of the first, and a text. */
export function splice(before, after) {
  // A part of a character, as a sign that combines with others, is not replaced alone.
  const [old, fresh] = [characters(before), characters(after)];
  const most = Math.min(old.length, fresh.length);
  let [count, start, end] = [0, 0, 0];
  while (count < most && old[count] === fresh[count]) { start += old[count].length; count += 1; }
  for (let rest = 1; rest <= most - count && old.at(-rest) === fresh.at(-rest); rest += 1) end += old.at(-rest).length;
  return { range: [start, before.length - end], text: after.slice(start, after.length - end) };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const characters = (text) => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Returns a new id of a message. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `s${Date.now().toString(36)}${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The actions that the studio has not handled yet. They are sent in order, again after a failure; after a restart of
 * the studio, the text is set and messages are sent under the same ids, which is done once.
 */
export class Actions {
  #tab;
  #on;
  #waiting = [];
  #last = 0;
  #boot = null;
  #isSending = false;
  #isOpen = false;
  #failures = 0;
  /** The maximum number of actions in a request. */
  #size = BATCH;
  #wake = null;
  #settling = [];
  #isUnsaved = false;

  /** `on` has `outcome(outcome)`, `changed()`, and what is shown: the text and the message being edited, `text()` and
   * `editing()`, and the query of the user, the channel and the thread, `place()`. */
  constructor(tab, on) {
    this.#tab = tab;
    this.#on = on;
    const saved = this.#takeSaved();
    // Without a waiting action, the page begins like a new one, also in a studio that was restarted.
    if (saved !== null) [this.#boot, this.#last, this.#waiting] = [saved.boot, saved.last, saved.waiting];
    /** The text that was shown before the page was loaded again; null if the studio has all of it. */
    this.savedText = saved?.text ?? null;
    /** The message that was being edited then. */
    this.savedEditing = saved?.editing ?? null;
    addEventListener('online', () => this.#wake?.());
  }

  /** Returns the saved actions of this place, null for none. Those of other places wait until a page is loaded there;
   * since this page goes on with their numbers, they are put as after a restart, unless none of them was sent. */
  #takeSaved() {
    let own = null;
    for (const key of Object.keys(sessionStorage).filter((each) => each.startsWith(SAVED))) {
      const saved = JSON.parse(sessionStorage.getItem(key));
      // A duplicate of a window has the actions of the other one, too.
      if (saved.tab !== this.#tab) sessionStorage.removeItem(key);
      else if (key === SAVED + this.#on.place()) own = saved;
      else sessionStorage.setItem(key, JSON.stringify({ ...saved, boot: saved.boot && '' }));
    }
    return own;
  }

  /** The queries of the other places with actions that wait. */
  get otherPlaces() {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(SAVED)).map((key) => key.slice(SAVED.length))
      .filter((place) => place !== this.#on.place());
  }

  /** The number of the last action. */
  get last() { return this.#last; }

  /** Whether the studio has handled all actions. */
  get areHandled() { return this.#waiting.length === 0; }

  /** The number of actions that the studio has not handled. */
  get waiting() { return this.#waiting.length; }

  /** Adds an action. */
  add(kind, values = {}) {
    this.#last += 1;
    this.#waiting.push({ n: this.#last, kind, ...values });
    this.#save();
    this.#send();
  }

  /** Adds a movement of the caret, in place of one that was not sent. */
  select(values) {
    const newest = this.#waiting.at(-1);
    if (newest?.kind === 'select' && !this.#isSending) Object.assign(newest, values);
    else this.add('select', values);
  }

  /** The stream is open: `handled` is what the process `boot` has handled of this tab. Returns whether it is the one that
   * had the actions before. */
  open(boot, handled) {
    const isSame = boot === this.#boot;
    this.#isOpen = true;
    [this.#failures, this.#size] = [0, BATCH];
    if (isSame) this.#drop(handled);
    else this.#begin(boot, handled);
    this.#wake?.();
    this.#send();
    return isSame;
  }

  close() { this.#isOpen = false; }

  /** Waits until the studio has handled all actions. */
  async settle() {
    if (!this.areHandled) await new Promise((resolve) => { this.#settling.push(resolve); });
  }

  #drop(handled) {
    this.#waiting = this.#waiting.filter(({ n }) => n > handled);
    this.#last = Math.max(this.#last, handled);
    this.#save();
  }

  /** Numbers what is waiting for a process: all of it for the first one, since no action was sent before. */
  #begin(boot, handled) {
    const [isFirst, waiting] = [this.#boot === null, this.#waiting];
    [this.#boot, this.#last, this.#waiting] = [boot, handled, []];
    const put = (action) => { this.#last += 1; this.#waiting.push({ ...action, n: this.#last }); };
    if (isFirst) for (const action of waiting) put(action);
    else this.#putText(waiting, put);
    this.#save();
  }

  /** Puts what another process needs, which has only what was recorded: the messages that were sent, and the text. */
  #putText(waiting, put) {
    for (const { id, written, edited } of waiting.filter(({ kind }) => kind === 'send')) {
      put({ kind: 'set', text: written, editing: edited ?? undefined });
      put({ kind: 'send', id, written, edited, editing: edited ?? undefined });
    }
    // An edit ends with its process, and is begun again.
    const editing = this.#on.editing();
    if (waiting.length === 0 && editing === null) return;
    put({ kind: 'set', text: this.#on.text(), editing: editing ?? undefined });
  }

  #save() {
    const key = SAVED + this.#on.place();
    if (this.areHandled) sessionStorage.removeItem(key);
    else {
      const saved = JSON.stringify({
        tab: this.#tab, boot: this.#boot, last: this.#last, waiting: this.#waiting, text: this.#on.text(),
        editing: this.#on.editing(),
      });
      try {
        sessionStorage.setItem(key, saved);
      } catch {
        // It is more than a browser saves, about five million characters.
        sessionStorage.removeItem(key);
        this.#warnUnsaved();
      }
    }
    this.#on.changed();
    if (this.areHandled) for (const resolve of this.#settling.splice(0)) resolve();
  }

  /** Says once that a page that is loaded again will not have what waits. */
  #warnUnsaved() {
    if (this.#isUnsaved) return;
    this.#isUnsaved = true;
    this.#on.outcome({ error: 'What is not sent yet is too large to be saved: it is lost if the page is reloaded.' });
  }

  async #send() {
    if (this.#isSending || !this.#isOpen) return;
    this.#isSending = true;
    while (this.#waiting.length > 0 && this.#isOpen) {
      try {
        await this.#sendBatch();
        this.#failures = 0;
      } catch (error) {
        if (UNREADABLE.includes(error.status)) {
          this.#leaveOut(error);
          continue;
        }
        this.#failures += 1;
        const wait = Math.min(5000, 100 * 2 ** this.#failures);
        await Promise.race([pause(wait), new Promise((resolve) => { this.#wake = resolve; })]);
      }
    }
    this.#isSending = false;
  }

  /** The studio cannot read a request: its actions are sent one by one, and the one that it cannot read is left out. */
  #leaveOut(error) {
    if (this.#size > 1) {
      this.#size = 1;
      return;
    }
    this.#size = BATCH;
    this.#waiting.shift();
    for (const action of this.#waiting) action.n -= 1;
    this.#last -= 1;
    this.#save();
    this.#on.outcome({ error: error.message });
  }

  async #sendBatch() {
    const boot = this.#boot;
    const actions = this.#waiting.slice(0, this.#size).map(({ written, edited, ...action }) => action);
    const answer = await post(`chat/act?${this.#on.place()}`, { tab: this.#tab, boot, actions });
    if (boot !== this.#boot) return;
    this.#drop(answer.handled);
    for (const outcome of answer.outcomes) this.#on.outcome(outcome);
  }
}
