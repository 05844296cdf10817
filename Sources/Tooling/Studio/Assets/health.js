// The page of health: what `verbatim status` shows, the consumers, the commits of this process, and verification.
import {
  el, get, post, patchChildren, Latest, followHead, shell, showError, userText, instant, number, bytes, span, facts,
  eventLink, pause,
} from './studio.js';

const panel = (title, ...parts) => el('section', { class: 'panel' }, el('h2', {}, title), parts);

const texts = (list) => el('ul', { class: 'plain' }, (list ?? []).map((text) => el('li', {}, userText(text))));

const positions = (list) => (list?.length ? list.map(number).join(', ') : 'none');

/** Builds a table, whose first column names the row; columns are `[title, cell of an item, whether it is text]`. */
const table = (caption, items, columns) => el('div', { class: 'scrolls', role: 'region', 'aria-label': caption,
  tabindex: '0' }, el('table', {}, el('caption', {}, caption),
  el('thead', {}, el('tr', {}, columns.map(([title, , isText], index) =>
    el('th', { scope: 'col', class: index === 0 || isText ? null : 'figure' }, title)))),
  el('tbody', {}, items.map((item) => el('tr', {}, columns.map(([, cell, isText], index) => (index === 0
    ? el('th', { scope: 'row' }, cell(item)) : el('td', { class: isText ? null : 'figure' }, cell(item)))))))));

/** Builds a bar; its value is in the text beside it. */
function bar(value, max) {
  const part = el('span', {});
  part.style.width = `${max > 0 ? Math.min(100, value / max * 100) : 0}%`;
  return el('span', { class: 'gauge', 'aria-hidden': 'true' }, part);
}

function advice({ advice: sentences = [], checked, notChecked, stops }) {
  const verdict = sentences.length > 0 ? texts(sentences) : el('p', {}, 'The checks found no problem.');
  const stopped = (stops ?? []).map((stop) => el('p', {}, 'Stopped: ', userText(stop.projection), ' at ',
    eventLink(stop.position), ': ', userText(stop.reason)));
  const list = (title, items) => items?.length > 0 && [el('h3', {}, title), texts(items)];
  const section = panel(sentences.length > 0 ? 'Problems' : 'No problem', verdict, stopped, list('Checked', checked),
    list('Not checked', notChecked));
  section.classList.add(sentences.length > 0 ? 'wrong' : 'well');
  return section;
}

/** The events of the last hour, day or week, with their part of the log. */
function grown({ growth, events, bytes: { log: size } }, name) {
  const count = growth[name];
  return count > 0 ? `${number(count)} event${count > 1 ? 's' : ''}, about ${bytes(Math.round(size * count / events))}` : 'no event';
}

const log = (status) => panel('Log', facts([
  ['Events', number(status.events)], ...['hour', 'day', 'week'].map((name) => [`Last ${name}`, grown(status, name)]),
  ['Blocks', number(status.blocks)], ['Last append', instant(status.recorded)],
  ['Created', instant(status.created)], ['Users', number(status.users)],
  ['Channels', number(status.channels)], ['Messages', number(status.messages)],
  ['Log', userText(status.log, { class: 'mono' })], ['Workspace', userText(status.path, { class: 'mono' })],
]));

function sizes({ bytes: parts = {}, freeByteCount }) {
  const list = Object.entries(parts), max = Math.max(...list.map(([, size]) => size));
  const sum = list.reduce((total, [, size]) => total + size, 0);
  return panel('Sizes', table('Size of each part of the directory', list, [
    ['Part', ([name]) => userText(name)], ['Size', ([, size]) => bytes(size)],
    ['Share', ([, size]) => bar(size, max), true],
  ]), facts([['Together', bytes(sum)], ['Free on the disk', bytes(freeByteCount) || 'unknown']]));
}

function tables(status) {
  const parts = ['state', 'others'].filter((name) => status[name]).map((name) => ({ name, ...status[name] }));
  return panel('Tables', table('How far the tables are folded', parts, [
    ['Tables', (part) => part.name], ['Folded', (part) => number(part.folded)],
    ['Written', (part) => number(part.written)], ['Lag', (part) => number(part.lag)],
    ['Checkpoint', (part) => number(part.lastCheckpoint)], ['Snapshot', (part) => number(part.lastSnapshot)],
  ]), facts([['Checkpoints at', positions(status.checkpoints)], ['Snapshots at', positions(status.snapshots)]]));
}

function readers({ readers: files = {}, writerLock }) {
  const list = Object.entries(files).map(([name, each]) => ({ name, ...each }));
  const holder = writerLock?.description ?? (writerLock ? JSON.stringify(writerLock) : null);
  return panel('Readers and the writer', table('Readers of each file', list, [
    ['File', (file) => userText(file.name)], ['Slots', (file) => `${number(file.used)} of ${number(file.max)}`],
    ['Used', (file) => bar(file.used, file.max), true], ['Transactions behind', (file) => number(file.lag)],
  ]), facts([['Writer lock', holder === null ? 'free' : ['held by ', userText(holder)]]]));
}

const place = (process) => (process > 0 ? `process ${process}` : 'not running here');

function consumers({ consumers: list = [], deliveries: { due, process } }) {
  const isLate = due > 0 && !process;
  return panel('Consumers and deliveries', list.length === 0 ? el('p', {}, 'There are no consumers.')
    : table('Where each consumer is', list, [
      ['Consumer', (each) => userText(each.name)],
      ['Position', (each) => (each.position > 0 ? eventLink(each.position) : 'the beginning')],
      ['Lag', (each) => number(each.lag)], ['Run by', (each) => place(each.process), true],
    ]), facts([['Due messages and reminders', number(due)], ['Delivered by', place(process)]]),
  isLate && el('p', { class: 'failed' },
    'Nothing on this machine delivers what is due: unless another one does, run verbatim deliver.'));
}

const micro = (value) => span(value === undefined || value === null ? null : value / 1e6);

const running = ({ commits, process }) => panel('This process', facts([
  ['Commits', number(commits?.count ?? 0)], ['Median commit', micro(commits?.p50)],
  ['99 of 100 within', micro(commits?.p99)], ['Memory', bytes(process?.memory)],
  ['Running for', span(process?.uptime)],
]));

// Verification

/** The panel of the verification, which is asked about while one is running. */
class Verification {
  #button = el('button', { type: 'button', class: 'main', onclick: () => this.#begin() }, 'Verify');
  #bar = el('progress', { max: 1, id: 'verifying' });
  #progress = el('p', { class: 'bar', hidden: true }, el('label', { for: 'verifying' }, 'Verifying'), this.#bar);
  #result = el('div', { role: 'status' });
  #poll = new Latest(async () => {
    for (let state = 'running'; state === 'running';) {
      const answer = await get('verify');
      state = answer.state;
      this.#show(answer);
      if (state === 'running') await pause(500);
    }
  });
  element = panel('Verification', el('p', { class: 'about' },
    'Reads every block of the log and every row of the tables, and computes all rows again from the events.'),
  el('div', { class: 'bar' }, this.#button, this.#progress), this.#result);

  start() { this.#poll.ask(); }

  async #begin() {
    try {
      this.#show(await post('verify'));
      this.#poll.ask();
    } catch (error) { showError(error); }
  }

  #show({ state, progress, began, findings = [], summary, advice = [], checks = [], notes = [] }) {
    const isRunning = state === 'running';
    this.#button.disabled = isRunning;
    this.#progress.hidden = !isRunning;
    this.#bar.value = progress ?? 0;
    if (isRunning) { this.#result.replaceChildren(); return; }
    const verdict = { none: 'Nothing was verified since the studio began.', failed: 'The verification failed.',
      done: findings.length === 0 ? 'Nothing was found.' : `Findings: ${findings.length}` }[state] ?? state;
    const parts = [
      el('p', { class: state === 'failed' || findings.length > 0 ? 'failed' : null }, verdict),
      began && el('p', { class: 'about' }, `Began ${instant(began)}`), summary && el('p', {}, userText(summary)),
      findings.length > 0 && el('ul', { class: 'plain' }, findings.map(finding)),
      texts(advice), checks.length > 0 && [el('h3', {}, 'Checks'),
        facts(checks.map(({ check, verdict, words }) => [check, [`${verdict}: `, userText(words)]]))], texts(notes),
      state === 'none' && el('p', {},
        'Not checked: all blocks but the last, and the rows of index, tables and snapshots.'),
    ];
    this.#result.replaceChildren(...parts.flat().filter(Boolean));
  }
}

const finding = ({ text, position }) => el('li', {}, userText(text), position > 0 && [' ',
  eventLink(position, `Event ${number(position)}`)]);

async function start() {
  const { main } = await shell('health');
  const grid = el('div', { class: 'health' }), verification = new Verification();
  main.append(el('h1', {}, 'Health'), grid, verification.element);
  const refresh = new Latest(async () => {
    const status = await get('health');
    const parts = [advice, log, sizes, tables, readers, consumers, running].map((part) => part(status));
    patchChildren(grid, el('div', {}, parts));
    await pause(1000);
  });
  refresh.ask();
  verification.start();
  followHead(() => refresh.ask());
  // What is due changes without an event.
  setInterval(() => { if (!document.hidden) refresh.ask(); }, 3000);
}

start().catch(showError);
