// Web pages of a device in the lab's LAN, behind nginx: GET /live is a WebSocket that echoes, /hostile a page that
// tries what a hostile device would. Arguments: address, port. Prints "ready".
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const [address, port] = process.argv.slice(2);

const hostile = `<!doctype html><title>Hostile</title><pre id="found">…</pre><script>
const found = {};
const attempt = async (name, what) => {
  try {
    found[name] = await what();
  } catch (error) {
    found[name] = error.name;
  }
};
const parentHost = location.host.replace(/^[^.]+/, '').replace(/:.*/, '');
const run = async () => {
  // at once: whoever looks into the frame later counts as its person
  await attempt('top', () => {
    top.location.href = 'http://evil.test/';
    return 'tried';
  });
  await attempt('reads', () => document.cookie);
  await attempt('frame', () => parent.document.body.innerText);
  await attempt('storage', () => parent.localStorage.length);
  await attempt('state', async () => (await fetch(location.href.replace(/^(https?:..[a-z2-7]+)([.].*?)[/].*$/, '$1-bar$2/.yunxun/state'), { credentials: 'include' })).status);
  await attempt('end', async () => (await fetch(location.href.replace(/^(https?:..[a-z2-7]+)([.].*?)[/].*$/, '$1-bar$2/.yunxun/end'), { method: 'POST', credentials: 'include' })).status);
  await attempt('own', async () => (await fetch('/.yunxun/state')).status);
  document.cookie = 'yunxun-remote=forged; path=/';
  document.cookie = 'yunxun-remote=forged; path=/; domain=' + parentHost;
  await attempt('after', async () => (await fetch('/who')).status);
  document.getElementById('found').textContent = JSON.stringify(found);
};
void run();
</script>`;

const server = createServer((request, response) => {
  if (request.url === '/hostile') return response.setHeader('content-type', 'text/html').end(hostile);
  if (request.url === '/who') return response.end(JSON.stringify(request.headers));
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>Live</title><p id="said">…</p><script>
const socket = new WebSocket('ws' + location.origin.slice(4) + '/live');
socket.onopen = () => socket.send('pan left');
socket.onmessage = ({ data }) => { document.getElementById('said').textContent = 'echo: ' + data; };
</script>`);
});
const sockets = new WebSocketServer({ server, path: '/live' });
sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))));
server.listen(Number(port), address, () => console.log('ready'));
