// The page /chat: a user's channels, the messages of one, and its composer, live.
import {
  NO_CHAT, address, announce, bytes, el, keyHelp, openStream, patch, patchAttributes, pause, placeMarkup, sentence, shell,
  showError, userText, visible, zone,
} from './studio.js';
import { Actions, newID, splice } from './actions.js';

const REACTIONS = { like: '👍', love: '❤️', haha: '😂', wow: '😮', sad: '😢' };
/** The kinds of files that the sources of attachments offer. */
const SOURCES = {
  'composer:photosAndVideos': 'image/*,video/*', 'composer:files': '', 'composer:camera': 'image/*;capture=camera',
};
const KEYS = [
  ['Enter', 'send'], ['Shift and Enter', 'a new line'], ['↓ ↑', 'choose a suggestion; Enter takes it'],
  ['Escape', 'end quoting or editing'], ['Ctrl and Z', 'undo; with Shift, redo'],
  ['Tab', 'to the messages, their menus and buttons'], ['?', 'this list'],
];

const { workspace, main } = await shell('chat');
const button = (text, onclick, attributes) => el('button', { type: 'button', onclick, ...attributes }, text);

// The tab: a device of its own, as long as the window lives.

/** Holds a name as long as the page lives; returns whether no other page, as a duplicate of this one, has it. */
const claim = (name) => new Promise((resolve) => {
  navigator.locks.request(`studio-${name}`, { ifAvailable: true }, (lock) => {
    resolve(lock !== null);
    return lock === null ? null : new Promise(() => {});
  });
});

async function tabName() {
  const known = sessionStorage.getItem('studio-tab');
  // A page that is reloaded has its name a little later.
  for (let time = 0; known !== null && time < 20; time += 1) {
    if (await claim(known)) return known;
    await pause(50);
  }
  const letters = '0123456789abcdefghijklmnopqrstuvwxyz';
  const name = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => letters[byte % 36]).join('');
  sessionStorage.setItem('studio-tab', name);
  await claim(name);
  return name;
}

const tab = await tabName();
const state = {
  user: workspace?.user ?? address.one('user') ?? workspace?.users?.[0]?.id ?? null,
  channel: address.one('channel') ?? workspace?.channels?.[0]?.id ?? null, thread: address.one('thread'),
  isReadOnly: workspace?.isReadOnly === true, known: '', seen: 0, isComposing: false, read: null, isNewest: true,
  target: address.one('message') || null, sought: null, newestMessage: null, editing: null,
};

// The elements

const title = el('h1', { dir: 'auto' }, 'Chat');
const back = button('‹ Back to the channel', () => go(state.channel, null), { hidden: true });
const list = el('ol', { class: 'rows', role: 'list' });
const empty = el('div', {});
const messages = el('section', {
  class: 'messages', id: 'messages', role: 'log', tabindex: '0', 'aria-label': 'Messages',
}, list, empty);
const newest = button('To the newest messages', toNewest, { class: 'newest', hidden: true });
const typing = el('p', { class: 'about typing-line', role: 'status' });
const connection = el('p', { class: 'lost', role: 'status', hidden: true });
const composer = el('div', { class: 'composing' });
const files = el('ul', { class: 'files', 'aria-label': 'Files that are being attached' });
const picker = el('input', { type: 'file', multiple: true, id: 'files', hidden: true, onchange: attachPicked });
const channels = el('div', { class: 'channel-list' });
const lists = el('select', { id: 'list', onchange: showSide }, Object.entries({
  channels: 'Channels', threads: 'Threads', drafts: 'Drafts', found: 'Search', flagged: 'Reported messages',
  mutes: 'Mutes', invitations: 'Invitations', publicChannels: 'Public channels', saved: 'Saved messages',
  scheduled: 'Scheduled messages', blocks: 'Blocked users',
}).map(([value, name]) => el('option', { value }, name)));
let searching = 0;
const query = el('input', {
  type: 'search', id: 'query', dir: 'auto', 'aria-label': 'Search for', placeholder: 'Words',
  oninput: () => { clearTimeout(searching); searching = setTimeout(showSide, 150); },
});
const everywhere = el('input', { type: 'checkbox', onchange: showSide });
const search = el('p', { class: 'bar', hidden: true }, query, el('label', {}, everywhere, 'In all channels'));
const side = el('details', { class: 'panel side', open: innerWidth > 700 }, el('summary', {}, 'Lists'),
  people(), el('p', { class: 'bar' }, el('label', { for: 'list' }, 'List '), lists), search, channels);
const date = el('input', {
  type: 'date', id: 'date', onchange: () => {
    const instant = date.value === '' ? NaN : new Date(`${date.value}T00:00`).getTime();
    if (!(instant >= 0)) return;
    // A date that is chosen before the page is connected replaces the message of its address.
    state.target = null;
    actions.add('date', { instant });
  },
});
const text = el('textarea', {
  name: 'text', rows: 2, dir: 'auto', spellcheck: 'true', 'aria-label': 'Write a message', placeholder: 'Message',
});

function people() {
  const choice = el('select', { id: 'user', onchange: () => leaveTo({ user: choice.value }) },
    (workspace?.users ?? []).map(({ id, name }) => el('option', { value: id, dir: 'auto' }, visible(name || id))));
  choice.value = state.user ?? '';
  choice.disabled = workspace?.mode === 'user';
  // The next user: two windows as two users are a conversation.
  const other = choice.options[(choice.selectedIndex + 1) % Math.max(1, choice.options.length)];
  const open = button(['New window as ', userText(other?.textContent)], () => {
    const query = new URLSearchParams({ user: other.value, channel: state.channel ?? '' });
    window.open(`/chat?${query}`, '_blank', 'noopener');
  }, { disabled: !other });
  return el('p', { class: 'bar' }, el('label', { for: 'user' }, 'As '), choice, ' ', open);
}

function showSide() {
  search.hidden = lists.value !== 'found';
  actions.add('side', { list: lists.value, query: query.value, everywhere: everywhere.checked });
}

// Where the page is

/** Returns the query of what is shown, or of another user, channel or thread. */
function place(change = {}) {
  const { user, channel, thread } = { ...state, ...change };
  return String(new URLSearchParams({ user: user ?? '', channel: channel ?? '', ...thread ? { thread } : {} }));
}

let going = 0;

/** Waits until what was written here is delivered here; returns whether the user went nowhere else meanwhile. */
async function isDelivered() {
  going += 1;
  const own = going;
  await actions.settle();
  return own === going;
}

async function leaveTo(change) {
  if (await isDelivered()) location.assign(`/chat?${place({ ...change, thread: null })}`);
}

/** Goes to a channel or a thread, and to a message in it. */
async function go(channel, thread, message = null, isBack = false) {
  if (!await isDelivered()) return;
  const query = place({ channel, thread });
  if (!isBack) history.pushState(null, '', `?${query}`);
  // A page that is loaded there delivers what waits.
  if (actions.otherPlaces.includes(query)) {
    location.reload();
    return;
  }
  if (channel !== state.channel || (thread ?? null) !== state.thread) forgetText();
  Object.assign(state, { channel, thread: thread ?? null, read: null, target: message, sought: null, isNewest: true });
  state.editing = null;
  back.hidden = !thread;
  list.replaceChildren();
  if (innerWidth <= 700) side.open = false;
  connect();
}

/** Empties the field for another composer, of whose text the page has seen nothing yet. */
function forgetText() {
  recorded = null;
  text.value = state.known = '';
  state.seen = 0;
}

// Once it is left, the draft is there for other windows.
addEventListener('pagehide', () => {
  closeStream();
  navigator.sendBeacon(`/api/chat/leave?${new URLSearchParams({ tab })}`);
});
addEventListener('pageshow', (event) => { if (event.persisted) connect(); });
addEventListener('popstate', () => go(address.one('channel') ?? state.channel, address.one('thread'), null, true));

// The stream

let closeStream = () => {};

function connect() {
  closeStream();
  actions.close();
  if (state.user === null || state.channel === null) {
    showError(NO_CHAT);
    return;
  }
  closeStream = openStream(`/api/chat/stream?${new URLSearchParams({ tab, zone })}&${place()}`, {
    begin, rows: showRows, composer: showComposer,
    side({ markup }) {
      placeMarkup(channels, markup);
      if (!search.hidden) announce(`${channels.querySelectorAll('li').length} messages found.`);
    },
    failure: ({ error }) => showError(new Error(error)),
    lost: ({ error }) => lose(error === '' ? '' : `Not up to date: ${visible(error)}`),
    disconnected() {
      actions.close();
      lose('Not connected: what you type is kept, and delivered when the studio is back.');
    },
  });
}

function begin({ boot, handled, isReadOnly }) {
  state.isReadOnly = isReadOnly;
  lose('');
  // The numbers of another process say nothing about what this one has handled.
  if (!actions.open(boot, handled)) recorded = null;
  if (lists.value !== 'channels') showSide();
  if (state.target !== null) actions.add('jump', { message: state.target });
  state.target = null;
}

function lose(text) {
  connection.hidden = text === '';
  if (connection.textContent !== text) connection.textContent = text;
}

// Rows

/** Whether the newest messages stay in view when the list or its window changes. */
let staysAtEnd = true;

const isAtEnd = () => messages.scrollHeight - messages.scrollTop - messages.clientHeight < 40;

function toNewest() {
  staysAtEnd = true;
  if (state.isNewest) toEnd();
  else actions.add('newest');
}

function toEnd() {
  messages.scrollTop = messages.scrollHeight;
  [staysAtEnd, newest.hidden] = [true, true];
}

function showRows({ rows, empty: none, title: name, typing: who, isNewest, newest: message = null }) {
  [state.isNewest, state.newestMessage] = [isNewest, message];
  const [wasAtEnd, isFirst] = [staysAtEnd, list.childElementCount === 0];
  const edge = messages.getBoundingClientRect().top;
  const anchor = [...list.children].find((row) => row.getBoundingClientRect().bottom > edge);
  const before = anchor?.getBoundingClientRect().top;
  const shown = new Map([...list.children].map((row) => [row.id, row]));
  let place = list.firstElementChild;
  const changed = [];
  for (const { id, markup } of rows) {
    let row = shown.get(id);
    if (markup !== undefined) {
      const fresh = parsed(markup);
      // A row stays the same element: a screen reader does not read a changed message as a new one.
      if (row) update(row, fresh);
      row ??= fresh;
      changed.push(row);
    }
    shown.delete(id);
    if (row === undefined) continue;
    if (row === place) place = place.nextElementSibling;
    else list.insertBefore(row, place);
  }
  for (const row of shown.values()) row.remove();
  placeMarkup(empty, none);
  title.textContent = visible(name);
  document.title = `${visible(name)} · Verbatim`;
  if (typing.textContent !== visible(who)) typing.textContent = visible(who);
  if (wasAtEnd || isFirst) toEnd();
  else {
    if (anchor?.isConnected) messages.scrollTop += anchor.getBoundingClientRect().top - before;
    if (changed.some((row) => row === list.lastElementChild)) newest.hidden = false;
  }
  if (!isNewest) [staysAtEnd, newest.hidden] = [false, false];
  if (state.sought !== null) scrollTo(state.sought);
  markRead();
}

function parsed(markup) {
  const holder = document.createElement('ol');
  placeMarkup(holder, markup);
  return holder.firstElementChild;
}

/** Changes a row; the focus stays on the same control. */
function update(row, fresh) {
  const focused = row.contains(document.activeElement) ? document.activeElement : null;
  const value = focused?.value;
  patch(row, fresh);
  if (focused === null || (focused.isConnected && focused.value === value)) return;
  ((value && buttonOf(row, value)) || row).focus();
}

/** Returns the button in an element that does what a value says; undefined if there is none. */
function buttonOf(element, value) {
  return [...element.querySelectorAll('button')].find((each) => each.value === value);
}

function markRead() {
  const last = state.newestMessage;
  if (state.isReadOnly || state.thread || !document.hasFocus() || !isAtEnd() || last === null) return;
  if (state.read === last) return;
  state.read = last;
  actions.add('read');
}

messages.addEventListener('scroll', () => {
  staysAtEnd = isAtEnd() && state.isNewest;
  if (!staysAtEnd) return;
  newest.hidden = true;
  markRead();
}, { passive: true });
new ResizeObserver(() => { if (staysAtEnd) toEnd(); }).observe(messages);
addEventListener('focus', markRead);
// A message that was to come into view is no longer sought once the user looks elsewhere.
for (const type of ['wheel', 'pointerdown', 'keydown']) addEventListener(type, () => { state.sought = null; });

// The composer

/** The text of the composer as the studio has it. */
let recorded = null;

const actions = new Actions(tab, {
  outcome: take, changed: showText, text: () => text.value, editing: () => state.editing, place,
});

function showComposer({ markup, ...fields }) {
  showAround(markup);
  recorded = fields;
  showText();
}

/** What is around the text field. */
let shownAround = null;
/** The value of the button there that was taken away while it had the focus, and gets it back with its return. */
let lostFocus = null;

/**
 * Changes what is around the text field. The field itself stays where it is, since one that is moved loses its caret,
 * its scroll position and the composition of an input method.
 */
function showAround(markup) {
  const fresh = document.createElement('div');
  placeMarkup(fresh, markup);
  const field = fresh.querySelector('textarea');
  if (field === null) return;
  text.placeholder = field.placeholder;
  field.textContent = '';
  const around = fresh.innerHTML;
  if (around === shownAround) return;
  shownAround = around;
  const focused = document.activeElement;
  const value = composer.contains(focused) ? focused.value : focused === document.body ? lostFocus : null;
  const [old, next] = [composer.contains(text) ? branch(text, composer) : [], branch(field, fresh)];
  if (old.length === next.length) old.forEach((node, level) => replaceAround(node, next[level]));
  else {
    field.replaceWith(text);
    composer.replaceChildren(...fresh.childNodes);
  }
  lostFocus = null;
  if (focused === text) text.focus({ preventScroll: true });
  else if (value) {
    const same = buttonOf(composer, value);
    if (same) same.focus();
    else lostFocus = value;
  }
}

/** Returns a node and the elements around it, up to the child of another one. */
function branch(node, root) {
  const nodes = [];
  for (let each = node; each !== root; each = each.parentElement) nodes.push(each);
  return nodes;
}

/** Replaces the siblings of a node, and the attributes of an element around the text field. */
function replaceAround(old, node) {
  if (old !== text) patchAttributes(old, node);
  const siblings = [...node.parentElement.childNodes], index = siblings.indexOf(node);
  for (const each of [...old.parentElement.childNodes]) if (each !== old) each.remove();
  old.before(...siblings.slice(0, index));
  old.after(...siblings.slice(index + 1));
}

/** Shows the text that the studio has, once it has all that was done here. */
function showText() {
  const isBehind = recorded !== null && recorded.handled < actions.last;
  Object.assign(document.body.dataset, { waiting: actions?.waiting ?? 0, behind: isBehind });
  if (recorded === null || state.isComposing || !actions.areHandled || isBehind) return;
  if (text.value !== recorded.text) {
    text.value = recorded.text;
    text.setSelectionRange(...recorded.selection);
  }
  [state.known, state.seen, state.editing] = [recorded.text, recorded.version, recorded.editing ?? null];
}

text.addEventListener('compositionstart', () => { state.isComposing = true; });
text.addEventListener('compositionend', () => { state.isComposing = false; typed('typed'); });
text.addEventListener('input', (event) => typed(event.inputType === 'insertFromPaste' ? 'pasted' : 'typed'));

function typed(how) {
  const before = state.known;
  if (text.value === before) return;
  if (isTooLong()) {
    text.value = before;
    return;
  }
  state.known = text.value;
  actions.add('edit', { ...splice(before, text.value), how, seen: state.seen });
}

/** Whether no composer takes the text, which is shown as an error. */
function isTooLong() {
  const max = workspace?.compositionByteCountMax ?? Infinity;
  // A UTF-16 unit has at most three bytes.
  if (text.value.length * 3 <= max) return false;
  const { size } = new Blob([text.value]);
  if (size <= max) return false;
  showError(`The text was not changed: it would have ${bytes(size)}, and a composer takes ${bytes(max)}.`);
  return true;
}

let moving = 0;
document.addEventListener('selectionchange', () => {
  if (document.activeElement !== text || state.isComposing || moving !== 0) return;
  moving = setTimeout(() => {
    moving = 0;
    const range = [text.selectionStart, text.selectionEnd];
    if (text.value === state.known && String(range) !== state.range) actions.select({ range, seen: state.seen });
    state.range = String(range);
  }, 100);
});

text.addEventListener('keydown', (event) => {
  if (event.isComposing || event.keyCode === 229) return;
  const suggestions = [...composer.querySelectorAll('.suggestions button')];
  if (event.key === 'Enter' && !event.shiftKey) send();
  else if (event.key === 'ArrowDown' && suggestions.length > 0) suggestions[0].focus();
  else if (event.key === 'ArrowUp' && suggestions.length > 0) suggestions.at(-1).focus();
  else if (event.key === 'Escape') composer.querySelector('.banner button')?.click();
  else if (/^z$/i.test(event.key) && (event.ctrlKey || event.metaKey)) actions.add(event.shiftKey ? 'redo' : 'undo');
  else return;
  event.preventDefault();
});

composer.addEventListener('keydown', (event) => {
  const suggestions = [...composer.querySelectorAll('.suggestions button')];
  const index = suggestions.indexOf(document.activeElement);
  if (index < 0) return;
  if (event.key === 'ArrowDown') suggestions[(index + 1) % suggestions.length].focus();
  else if (event.key === 'ArrowUp' && index > 0) suggestions[index - 1].focus();
  else if (event.key === 'ArrowUp' || event.key === 'Escape') text.focus();
  else return;
  event.preventDefault();
});

function send() {
  // When it was not sent after all, the text comes back with the composer.
  const [written, edited] = [text.value, state.editing];
  text.value = state.known = '';
  state.editing = null;
  actions.add('send', { id: newID(), written, edited, clears: true, seen: state.seen });
}

// What is pressed

document.addEventListener('submit', (event) => {
  event.preventDefault();
  const value = event.submitter?.value;
  if (!value) return;
  if (value === 'send' || value === 'composer:send') send();
  else if (SOURCES[value] !== undefined) {
    picker.accept = SOURCES[value];
    picker.click();
  }
  else actions.add('press', { action: value });
  if (event.submitter.closest('.suggestions, .composer .leading, .banner') !== null) text.focus();
});

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="#message-"]');
  if (!link) return;
  event.preventDefault();
  scrollTo(decodeURIComponent(link.getAttribute('href').slice(1)));
});

function take({ error, copy, chooseReaction, scroll, channel, thread, message, open, sent }) {
  if (error !== undefined) showError(new Error(error));
  // Why an earlier message was refused holds no more.
  if (sent !== undefined) showError(null);
  if (copy !== undefined) navigator.clipboard.writeText(copy).then(() => announce('Copied.'), showError);
  if (chooseReaction !== undefined) react(chooseReaction);
  if (scroll !== undefined) scrollTo(`message-${encoded(scroll)}`);
  if (message !== undefined && channel === state.channel && !state.thread) {
    if (innerWidth <= 700) side.open = false;
    actions.add('jump', { message });
  } else if (channel !== undefined) go(channel, thread, message);
  if (open !== undefined) window.open(open, '_blank', 'noopener');
}

/** Returns an id as it is in the ids of elements. */
const encoded = (id) => [...new TextEncoder().encode(id)].map((byte) => {
  const letter = String.fromCharCode(byte);
  return /[A-Za-z0-9.-]/.test(letter) ? letter : `_${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}).join('');

/** Scrolls to a row, at once or when it is there. */
function scrollTo(id) {
  const row = document.getElementById(id);
  state.sought = row === null ? id : null;
  row?.scrollIntoView({ block: 'center' });
  row?.focus();
}

function react(message) {
  const dialog = el('dialog', {
    'aria-label': 'Add a reaction', class: 'reaction-picker', onclose: () => dialog.remove(),
  }, Object.entries(REACTIONS).map(([reaction, emoji]) => button(emoji, () => {
      actions.add('react', { message, reaction });
      dialog.close();
    }, { 'aria-label': reaction })), button('Cancel', () => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
}

// Files

function attachPicked() {
  for (const file of picker.files) attach(file);
  picker.value = '';
}

/** Attaches a file to the composer that is shown now; when it is uploaded, the page may show another one. */
function attach(file) {
  const fail = (reason) => showError(`${file.name} was not attached: ${reason}`);
  const max = workspace?.fileByteCountMax ?? Infinity;
  if (file.size > max) {
    fail(`it has ${bytes(file.size)}, and a file may have ${bytes(max)}.`);
    return;
  }
  const progress = el('progress', { max: 1, value: 0, 'aria-label': `Uploading ${visible(file.name)}` });
  const item = el('li', {}, userText(file.name), ' ', progress);
  files.append(item);
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ tab, name: file.name, channel: state.channel });
  if (state.thread) query.set('thread', state.thread);
  request.open('POST', `/api/chat/attach?${query}`);
  request.upload.onprogress = ({ loaded, total }) => { progress.value = loaded / Math.max(1, total); };
  request.onerror = () => fail('the connection was lost.');
  request.onload = () => {
    if (request.status !== 200) showError(`${file.name}: ${sentence(request.response, request.status)}`);
  };
  request.onloadend = () => item.remove();
  request.send(file);
}

text.addEventListener('paste', (event) => {
  if (event.clipboardData.files.length === 0) return;
  event.preventDefault();
  for (const file of event.clipboardData.files) attach(file);
});

main.addEventListener('dragover', (event) => {
  if ([...event.dataTransfer.types].includes('Files')) event.preventDefault();
});
main.addEventListener('drop', (event) => {
  if (event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  for (const file of event.dataTransfer.files) attach(file);
});

// The page

if (actions.savedText !== null) {
  text.value = state.known = actions.savedText;
  state.editing = actions.savedEditing ?? null;
}
/** Builds links to the other users, channels and threads for which the tab has something that was not delivered. */
function undelivered() {
  const name = (list, id) => userText(list?.find((each) => each.id === id)?.name || id);
  return actions.otherPlaces.map((query) => {
    const at = new URLSearchParams(query);
    return el('p', { class: 'notice' }, 'Not sent yet: what you wrote as ', name(workspace?.users, at.get('user')),
      ' in ', el('a', { href: `/chat?${query}` }, name(workspace?.channels, at.get('channel'))),
      '. Go there to send it.');
  });
}

main.classList.add('chat-page');
composer.append(text);
const writing = state.isReadOnly ? [el('p', { class: 'notice' }, 'The studio is read-only: nothing can be written.')]
  : [composer, picker, files];
main.append(side, el('div', { class: 'panel talk' }, el('div', { class: 'bar' }, title, back,
  el('label', { for: 'date', class: 'about' }, 'Go to '), date), messages, newest, typing,
  connection, ...undelivered(), ...writing));
keyHelp(KEYS);
back.hidden = state.thread === null;
address.write({ user: state.user, channel: state.channel, thread: state.thread });
connect();
