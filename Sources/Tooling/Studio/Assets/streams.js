// A worker that all windows of a browser share: their streams, over one connection to the studio.
// A browser opens six connections to a server, for all windows together. In one without shared workers, each window has
// a worker of its own.

/** The names of the events of all streams. */
const EVENTS = ['begin', 'side', 'rows', 'composer', 'failure', 'lost', 'head'];

/** The open streams by their ids: the port of the window, and the address. */
const streams = new Map();
let hub = null;
let isLost = false;

function connect() {
  const source = new EventSource('/api/streams');
  source.addEventListener('hub', ({ data }) => {
    ({ hub } = JSON.parse(data));
    isLost = false;
    for (const id of streams.keys()) join(id);
  });
  for (const event of EVENTS) {
    source.addEventListener(event, ({ lastEventId, data }) => send(lastEventId, event, JSON.parse(data)));
  }
  source.addEventListener('end', ({ lastEventId }) => joinLater(lastEventId));
  source.onerror = () => {
    [hub, isLost] = [null, true];
    for (const id of streams.keys()) send(id, 'disconnected');
    // A browser gives up after an answer that is no stream.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  };
}

function send(id, event, data) { streams.get(id)?.port.postMessage({ id, event, data }); }

function joinLater(id) { setTimeout(() => join(id), 1000); }

/** Lets the connection carry a stream. */
async function join(id) {
  const own = hub;
  if (own === null || !streams.has(id)) return;
  const address = new URL(streams.get(id).path, location.origin);
  address.searchParams.set('hub', own);
  address.searchParams.set('to', id);
  try {
    const response = await fetch(address);
    if (response.ok || own !== hub) return;
    // The connection has ended: this will be noticed.
    if (response.status === 409) joinLater(id);
    else send(id, 'failure', await response.json());
  } catch {
    if (own === hub) joinLater(id);
  }
}

function add(id, path, port) {
  streams.set(id, { path, port });
  if (isLost) send(id, 'disconnected');
  join(id);
}

function remove(id) {
  if (!streams.delete(id) || hub === null) return;
  fetch(`/api/streams/end?${new URLSearchParams({ hub, to: id })}`, { method: 'POST' }).catch(() => {});
}

function serve(port) {
  port.onmessage = ({ data }) => {
    if (data.open) add(data.open, data.path, port);
    if (data.close) remove(data.close);
    // A window that is gone without a word has let go of its lock.
    if (data.lock) {
      navigator.locks.request(data.lock, () => {
        for (const [id, stream] of streams) if (stream.port === port) remove(id);
      });
    }
  };
}

if ('onconnect' in globalThis) addEventListener('connect', ({ ports: [port] }) => serve(port));
else serve(globalThis);

connect();
