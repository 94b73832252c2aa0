// One HTTP request inside a lab namespace. Argument: JSON { url, resolver?, post?, from?, timeoutS?, hold? }.
// `resolver`: DNS server address; `post`: number of bytes to send; `hold`: reads half of the answer and keeps the
// connection open until a line arrives on standard input. Prints JSON { status, bytes, text, ms, address }.
import { Resolver } from 'node:dns/promises';
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import { isIP } from 'node:net';

const { url, resolver, post, from, timeoutS = 10, hold } = JSON.parse(process.argv[2]);
const target = new URL(url);
let address = target.hostname;
if (isIP(address) === 0) {
  const asker = new Resolver({ timeout: 2000, tries: 4 });
  if (resolver) asker.setServers([resolver]);
  [address] = await asker.resolve4(target.hostname);
}
const began = performance.now();
const secure = target.protocol === 'https:';
const call = (secure ? https : http)(
  {
    host: address,
    port: target.port || (secure ? 443 : 80),
    path: target.pathname,
    method: post === undefined ? 'GET' : 'POST',
    headers: { host: target.host },
    servername: secure && isIP(target.hostname) === 0 ? target.hostname : undefined,
    rejectUnauthorized: false,
    localAddress: from,
    agent: false,
  },
  (response) => {
    let bytes = 0;
    let text = '';
    let held = false;
    response.on('data', (part) => {
      bytes += part.length;
      if (text.length < 2000) text += part.toString('latin1').slice(0, 2000);
      if (hold && !held && bytes >= hold) {
        held = true;
        response.pause();
        console.log('held');
        process.stdin.once('data', () => response.resume());
      }
    });
    response.on('end', () => {
      const ms = performance.now() - began;
      console.log(JSON.stringify({ status: response.statusCode, bytes, text: text.slice(0, 2000), ms, address }));
      process.exit(0);
    });
  },
);
const nothing = () => call.destroy(new Error(`nothing for ${timeoutS} s`));
call.setTimeout(timeoutS * 1000, nothing);
// the request timeout starts after the connection, which the kernel would try for two minutes
const opening = setTimeout(nothing, timeoutS * 1000);
call.once('socket', (socket) => socket.once('connect', () => clearTimeout(opening)));
call.once('close', () => clearTimeout(opening));
call.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
if (post === undefined) call.end();
else {
  let left = post;
  const chunk = Buffer.alloc(65_536, 'x');
  call.setHeader('content-length', post);
  const go = () => {
    while (left > 0) {
      const part = chunk.subarray(0, Math.min(left, chunk.length));
      left -= part.length;
      if (!call.write(part)) return call.once('drain', go);
    }
    call.end();
  };
  go();
}
