// Playback: which position is due when, by the real times between events.

/** Milliseconds: events that are later are left out; between two events; a shortened pause; the longest timer. */
const LAG = 200, FRAME = 25, PAUSE = 2000, SLEEP = 600000;

const milliseconds = (iso) => (iso ? Date.parse(iso) : NaN);

/**
 * Playback, with one timer: a position is asked for with `move(position)` when `shown` has brought the last one.
 * `find(milliseconds)` returns a promise of the last position before an instant; `onChange()` is called when it begins
 * or ends, `onWait(seconds, pause)` before each event, and `onEnd()` at the head.
 */
export class Player {
  #past = null; #timer = 0; #wanted = -1; #asked = 0; #turn = 0;
  /** An instant of the log, and when it is or was played. */
  #anchor = { log: 0, wall: 0 };

  isPlaying = false; speed = 1; shortens = true;

  constructor(calls) { Object.assign(this, calls); }

  play() {
    if (this.isPlaying) return;
    this.isPlaying = true;
    this.onChange();
    if (this.#past !== null) this.#begin(this.#past);
  }

  pause() {
    if (!this.isPlaying) return;
    this.#stop();
    this.isPlaying = false;
    this.onChange();
  }

  /** Waits for `shown`. */
  hold() { this.#stop(); }

  #stop() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#wanted = -1;
  }

  change({ speed = this.speed, shortens = this.shortens }) {
    if (this.isPlaying && this.#past !== null) {
      const now = performance.now();
      this.#anchor = { log: this.#anchor.log + (now - this.#anchor.wall) * this.speed, wall: now };
    }
    Object.assign(this, { speed, shortens });
    if (this.isPlaying && this.#past !== null && this.#wanted < 0) this.#plan();
  }

  /** Takes what is shown now, also when a user has moved. */
  shown(past) {
    const isOwn = past.position === this.#wanted;
    this.#past = past;
    this.#wanted = -1;
    if (!this.isPlaying) return;
    if (isOwn) this.#plan();
    else this.#begin(past);
  }

  #begin(past) {
    this.#stop();
    this.#anchor = { log: milliseconds(past.recorded ?? past.next), wall: performance.now() };
    this.#plan();
  }

  #pause() { return milliseconds(this.#past.next) - milliseconds(this.#past.recorded); }

  /** The part of the pause before the next event that is left out. */
  #left() { return this.shortens && this.#pause() > PAUSE ? this.#pause() - PAUSE : 0; }

  #due() {
    const { log, wall } = this.#anchor;
    const due = wall + (milliseconds(this.#past.next) - log - this.#left()) / this.speed;
    return Number.isNaN(due) ? performance.now() : due;
  }

  #plan() {
    clearTimeout(this.#timer);
    if (!this.#past.next) { this.onEnd(); return; }
    const now = performance.now(), wait = this.#due() - now;
    this.onWait(wait / 1000, this.#pause() / 1000);
    this.#timer = setTimeout(() => this.#tick(), Math.min(SLEEP, Math.max(wait, this.#asked + FRAME - now, 0)));
  }

  #tick() {
    const now = performance.now(), due = this.#due();
    if (now < due - 1) { this.#plan(); return; }
    this.#asked = now;
    this.#anchor.log += this.#left();
    if (now - due > LAG) this.#catchUp(now);
    else this.#ask(this.#past.position + 1);
  }

  #ask(position) {
    this.#wanted = position;
    this.move(position);
  }

  /** Goes to what should be shown now, and leaves out the events before it. */
  async #catchUp(now) {
    const turn = this.#turn, next = this.#past.position + 1;
    this.#wanted = Infinity;
    const position = await this.find(this.#anchor.log + (now - this.#anchor.wall) * this.speed).catch(() => next);
    if (turn === this.#turn && this.isPlaying) this.#ask(Math.max(next, position));
  }
}
