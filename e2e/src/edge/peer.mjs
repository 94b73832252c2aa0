// The lab's internet in one process: web servers (80, 8080), TLS (443) and any further TCP ports. GET /bytes/<n>
// answers n bytes, /whoami the caller's address; a POST answers the number of bytes received. Arguments: address, key
// file, certificate file, further ports. Prints "ready" when all listen.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTls } from 'node:https';

const [address, key, certificate, ...ports] = process.argv.slice(2);
const chunk = Buffer.alloc(65_536, 'y');

function answer(request, response) {
  const bytes = /^\/bytes\/(\d+)/.exec(request.url)?.[1];
  if (request.method === 'POST') {
    let taken = 0;
    request.on('data', (part) => {
      taken += part.length;
    });
    request.on('end', () => response.end(`${taken}`));
  } else if (bytes !== undefined) {
    response.writeHead(200, { 'content-length': bytes });
    let left = Number(bytes);
    const go = () => {
      while (left > 0) {
        const part = chunk.subarray(0, Math.min(left, chunk.length));
        left -= part.length;
        if (!response.write(part)) return response.once('drain', go);
      }
      response.end();
    };
    go();
  } else response.end(request.socket.remoteAddress);
}

const servers = ['80', '8080', ...ports].map((port) => [createServer(answer), port]);
if (key !== '-') servers.push([createTls({ key: readFileSync(key), cert: readFileSync(certificate) }, answer), '443']);
await Promise.all(servers.map(([server, port]) => new Promise((done) => server.listen(Number(port), address, done))));
console.log('ready');
