// The page /time: a slider over the log, playback, and a chat as it was at a position.
import {
  NO_CHAT, address, announce, el, followHead, get, instant, isField, keyHelp, Latest, number, pause, shell, showError,
  span, userText, visible, zone,
} from './studio.js';
import { Changes, Scene } from './past.js';
import { Player } from './playback.js';
import { Timeline } from './timeline.js';

/** The parameters of a filter of events, whose events are those of the steps. */
const FILTER = ['type', 'actor', 'device', 'stream', 'text', 'since', 'until', 'runs'];
const STEPS = { event: 'Event', block: 'Block', message: 'Message', revision: 'Revision' };
const LETTER_KEYS = 'studio-letter-keys';

const KEYS = [
  ['Space', 'play or pause'], ['1, 2, 4, 8', 'speed'], ['← →', 'on the slider: previous or next event'],
  ['Page Up, Page Down', 'on the slider: 1,000 events forward or back'],
  ['Home, End', 'on the slider: the beginning or the head'], ['e, b, m', 'next event, block, message of the channel'],
  ['r', 'next revision of the selected message'], ['Shift and e, b, m, r', 'the previous one'],
  ['↑ ↓', 'in the list: select a message'], ['l', 'live: follow the head'],
  ['c', 'copy the link of this view'], ['?', 'this list'],
];

const button = (text, onclick, attributes) => el('button', { type: 'button', onclick, ...attributes }, text);
const paragraph = (name) => el('p', { class: name });

const { workspace, main } = await shell('time');

// What is shown

const state = {
  position: 0, head: workspace?.head ?? 0, isLive: false, past: null, hasFailed: false,
  hasChosen: address.one('channel') !== null,
  user: address.one('user') ?? workspace?.user ?? workspace?.users?.[0]?.id ?? null,
  channel: address.one('channel') ?? workspace?.channels?.[0]?.id ?? null, thread: address.one('thread'),
  axis: address.one('axis') === 'clock' ? 'clock' : 'position', by: address.one('by') === 'person' ? 'person' : 'kind',
};

let filter = Object.fromEntries(FILTER.map((name) => [name, address.all(name)]));
const filtered = () => FILTER.flatMap((name) => (name === 'runs' ? [] : filter[name] ?? []));

function writeAddress() {
  const { position, user, channel, thread, axis, by } = state;
  address.write({ ...filter, position, user, channel, thread, axis, by });
}

const frames = new Latest(async (_, signal) => {
  const { position, user, channel, thread } = state;
  const past = await get('past', { position, user, channel, thread, zone }, signal);
  if (state.hasFailed) showError(null);
  state.hasFailed = false;
  show(past, { channel, thread });
}, (error) => {
  state.hasFailed = true;
  showError(error);
  player.pause();
});

/** The number of moves by the user, each of which ends a search. */
let moves = 0;

const steps = new Latest(async ({ by, direction }, signal) => {
  const { position, channel } = state, turn = moves;
  const where = { event: filter, message: { channel }, revision: { channel, message: scene.message } };
  let found = {}, searched;
  do {
    searched = found.progress;
    found = await get('step', { position, by, direction, ...where[by] }, signal);
    if (turn !== moves) return;
    if (typeof found.position === 'number') { move(found.position); return; }
    if (found.progress === undefined) { say(`There is no ${direction > 0 ? 'later' : 'earlier'} ${by}.`); return; }
    note.textContent = `Searching: ${Math.floor(found.progress * 100)} %.`;
    // Each request searches a part of the log, unless the studio has not read further yet.
    if (found.progress <= searched) await pause(200);
  } while (turn === moves && !steps.isWaiting);
});

/** Goes to a position; `isOwn` if playback or the head asks for it. */
function move(position, isOwn = false) {
  if (!isOwn) {
    moves += 1;
    player.hold();
    note.textContent = '';
    if (!player.isPlaying) setLive(false);
  }
  state.position = Math.min(state.head, Math.max(0, Math.round(position)));
  timeline.show(state.position);
  if (document.activeElement !== field) field.value = state.position;
  frames.ask();
  writeAddress();
}

function look(change) {
  Object.assign(state, change);
  player.hold();
  users.value = state.user ?? '';
  channels.value = state.channel ?? '';
  frames.ask();
  writeAddress();
}

function show(past, view) {
  state.past = past;
  scene.show(past, view);
  changes.show(past, filter);
  now.replaceChildren(instant(past.recorded), ' ', past.event ? userText(past.event.words) : 'before the first event');
  speak();
  const first = scene.firstChannel;
  if (past.refusal && !state.hasChosen && first !== null && first !== state.channel) chooseChannel(first);
  state.hasChosen = true;
  if (!timeline.isDragging) player.shown(past);
}

function chooseChannel(channel) {
  state.hasChosen = true;
  offer(channels, channel);
  scene.select(null);
  look({ channel, thread: null });
}

function step(by, direction) {
  if (by === 'event' && filtered().length === 0) move(state.position + direction);
  else if (by === 'revision' && scene.message === null) say('Select a message in the list first.');
  else steps.ask({ by, direction });
}

let speech = 0, spoken = 0;

/** Says the position, at most once a second; a slider with the focus says it itself. */
function speak() {
  speech ||= setTimeout(() => {
    [speech, spoken] = [0, performance.now()];
    const { position, recorded, event } = state.past;
    const text = [`Position ${position}`, instant(recorded), visible(event?.words)].filter(Boolean).join(', ');
    timeline.input.setAttribute('aria-valuetext', text);
    if (document.activeElement !== timeline.input) announce(text);
  }, Math.max(0, spoken + 1000 - performance.now()));
}

function say(text) {
  note.textContent = text;
  announce(text);
}

// Playback and the head

const player = new Player({
  move: (position) => move(position, true),
  find: async (milliseconds) => {
    const { position } = await get('row', { instant: new Date(milliseconds).toISOString(), runs: 0 });
    return position ? position - 1 : state.head;
  },
  onChange: () => {
    play.textContent = player.isPlaying ? 'Pause' : 'Play';
    wait.textContent = '';
    if (!player.isPlaying) setLive(false);
  },
  onWait: (seconds, pause) => {
    wait.textContent = seconds > 3 ? `A pause of ${span(pause)}: the next event is shown in ${span(seconds)}.` : '';
  },
  onEnd: () => {
    wait.textContent = state.isLive ? 'At the head: waiting for events.' : '';
    if (state.head > state.position) move(state.position + 1, true);
    else if (!state.isLive) { player.pause(); say('This is the end of the log.'); }
  },
});

const toggle = () => (player.isPlaying ? player.pause() : player.play());

function setSpeed(value) {
  speed.value = value;
  player.change({ speed: Number(value) });
}

function setLive(isLive) {
  if (state.isLive === isLive) return;
  state.isLive = isLive;
  live.setAttribute('aria-pressed', isLive);
  if (isLive && !player.isPlaying) move(state.head, true);
}

function grown({ head }) {
  if (!(head > state.head)) return;
  state.head = head;
  timeline.grow(head);
  total.textContent = `of ${number(head)}`;
  field.max = head;
  if (state.isLive && !player.isPlaying) move(head, true);
  else if (state.isLive && state.past && !state.past.next) move(state.past.position + 1, true);
}

// Copies

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} was copied.`);
  } catch {
    offerText(text, what);
  }
}

function offerText(text, what) {
  const area = el('textarea', { readonly: true, rows: 12, 'aria-labelledby': 'copy-title' });
  area.value = text;
  const dialog = el('dialog', { 'aria-labelledby': 'copy-title', onclose: () => dialog.remove() },
    el('h2', { id: 'copy-title' }, `${what}, to copy by hand`), area,
    el('p', {}, button('Close', () => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
  area.focus();
  area.select();
}

function copyLink() {
  address.flush();
  copy(location.href, 'The link');
}

async function copyScenario() {
  const { position, user, channel } = state;
  try { copy((await get('scenario', { position, user, channel })).scenario, 'The scenario'); } catch (error) {
    showError(error);
  }
}

// The elements

const timeline = new Timeline({
  axis: state.axis, by: state.by, onMove: (position) => move(position),
  onStep: (count) => move(state.position + count), onRelease: () => frames.ask(),
});
timeline.input.addEventListener('keydown', slide);

const scene = new Scene({
  onMessage: (message) => {
    selected.replaceChildren(...message === null ? [] : ['Selected message: ', userText(message)]);
    for (const each of main.querySelectorAll('.revision button')) each.disabled = message === null;
  },
  onChannel: chooseChannel, onThread: (thread) => look({ thread }),
});
const changes = new Changes();

const now = paragraph('now'), wait = paragraph('about wait');
const selected = paragraph('about'), note = paragraph('about note');
const total = el('span', { class: 'figure' }, `of ${number(state.head)}`);
const field = el('input', { type: 'number', id: 'position', min: 0, max: state.head, onchange: typed });
const play = button('Play', toggle, { class: 'main play' });
const speed = el('select', { id: 'speed', onchange: () => setSpeed(speed.value) },
  [1, 2, 4, 8].map((times) => el('option', { value: times }, `${times} ×`)));
const shorten = el('input', { type: 'checkbox', checked: true,
  onchange: () => player.change({ shortens: shorten.checked }) });
const live = button('Live', () => setLive(!state.isLive), { 'aria-pressed': 'false' });
const letters = el('input', { type: 'checkbox', checked: localStorage.getItem(LETTER_KEYS) !== 'off',
  onchange: () => localStorage.setItem(LETTER_KEYS, letters.checked ? 'on' : 'off') });
const users = select('user', workspace?.users, state.user, (user) => look({ user }));
const channels = select('channel', workspace?.channels, state.channel, chooseChannel);
users.disabled = workspace?.mode === 'user';

function typed() {
  if (field.value !== '' && field.validity.valid) move(field.valueAsNumber);
  field.value = state.position;
}

function select(id, items, value, onChoice) {
  const isUnique = (name) => name && items.filter((item) => item.name === name).length === 1;
  const element = el('select', { id, onchange: () => onChoice(element.value) }, (items ?? []).map((item) =>
    el('option', { value: item.id, dir: 'auto' },
      visible(isUnique(item.name) ? item.name : `${item.name ?? ''} (${item.id})`))));
  offer(element, value);
  return element;
}

/** Selects a value, which is added if the list does not have it. */
function offer(element, value) {
  if (value === null) return;
  if (![...element.options].some((option) => option.value === value)) {
    element.append(el('option', { value, dir: 'auto' }, visible(value)));
  }
  element.value = value;
}

function choice(name, title, options) {
  const items = Object.entries(options).map(([id, text]) => ({ id, name: text }));
  return labelled(name, title, select(name, items, state[name], (value) => {
    state[name] = value;
    timeline.reload({ [name]: value });
    writeAddress();
  }));
}

function stepper([by, title]) {
  const make = (direction, sign, words) => button(sign, () => step(by, direction), {
    'aria-label': `${words} ${by}`, disabled: by === 'revision',
  });
  return el('span', { class: `stepper ${by}` }, make(-1, '‹', 'Previous'), title, make(1, '›', 'Next'));
}

function filterNote() {
  const clear = button('Clear', () => {
    filter = {};
    element.remove();
    look({});
  }, { class: 'small' });
  const element = el('span', { class: 'filter' }, 'Event steps are those of the filter: ',
    filtered().map((value) => [userText(value), ' ']), clear);
  return element;
}

const labelled = (id, title, ...controls) =>
  el('span', { class: 'labelled' }, el('label', { for: id }, title), controls);

function build() {
  main.append(
    el('h1', { class: 'spoken' }, 'Time'),
    el('section', { class: 'panel', 'aria-label': 'Position' },
      el('div', { class: 'bar' }, choice('axis', 'Along', { position: 'positions', clock: 'the clock' }),
        choice('by', 'Bars by', { kind: 'kind', person: 'person' })),
      timeline.element,
      el('div', { class: 'bar' }, labelled('position', 'Position', field, total), now),
      el('div', { class: 'bar' }, play, labelled('speed', 'Speed', speed),
        el('label', {}, shorten, 'Shorten pauses'), live, Object.entries(STEPS).map(stepper)),
      el('div', { class: 'bar' }, button('Copy link', copyLink),
        workspace.mode === 'user' ? [] : button('Copy as scenario', copyScenario, { id: 'scenario' }),
        el('label', {}, letters, 'Letter keys'), filtered().length === 0 ? [] : filterNote()),
      el('div', { class: 'bar status' }, wait, selected, note)),
    el('div', { class: 'scene' },
      el('section', { class: 'panel side', 'aria-label': 'View' },
        el('div', { class: 'bar' }, labelled('user', 'As', users), labelled('channel', 'Channel', channels)),
        scene.channels),
      el('section', { class: 'panel chat', 'aria-label': 'The chat at this position' }, scene.leave, scene.refusal,
        scene.list, scene.writing),
      changes.element));
}

// Keys

function slide(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const to = {
    ArrowLeft: state.position - 1, ArrowDown: state.position - 1, ArrowRight: state.position + 1,
    ArrowUp: state.position + 1, PageDown: state.position - 1000, PageUp: state.position + 1000, Home: 0,
    End: state.head,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  move(to);
}

const letterKeys = {
  l: () => setLive(!state.isLive), c: copyLink,
  ...Object.fromEntries(Object.keys(STEPS).map((by) => [by[0], (event) => step(by, event.shiftKey ? -1 : 1)])),
  ...Object.fromEntries([1, 2, 4, 8].map((times) => [times, () => setSpeed(times)])),
};

function press(event) {
  const element = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isField(element)) return;
  if (document.querySelector('dialog[open]') !== null) return;
  if (event.key === ' ') {
    if (element.closest('button, a, summary, [role=button], [type=checkbox], [type=radio]') !== null) return;
    event.preventDefault();
    if (!event.repeat) toggle();
  } else if (letters.checked) {
    letterKeys[event.key.toLowerCase()]?.(event);
  }
}

if (workspace !== null && (state.user === null || state.channel === null)) showError(NO_CHAT);
else if (workspace !== null) {
  build();
  keyHelp(KEYS);
  document.addEventListener('keydown', press);
  const wanted = Number.parseInt(address.one('position') ?? '', 10);
  timeline.grow(state.head);
  move(Number.isNaN(wanted) ? state.head : wanted, true);
  timeline.reload();
  followHead(grown);
}
