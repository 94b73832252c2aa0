// Stream of a packet every 20 ms. `serve <address> <port>`: sends to each TCP connection and UDP sender until the
// program ends; prints "ready". `listen <tcp|udp> <address> <port>`: requests it and prints each arrival time (Unix
// ms); a UDP listener sends only once.
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';

const everyMs = 20;
const [what, ...words] = process.argv.slice(2);
const arrived = () => console.log(Date.now());

if (what === 'serve') {
  const [address, port] = [words[0], Number(words[1])];
  const server = createServer((socket) => {
    const turns = setInterval(() => socket.write('x'), everyMs);
    socket.on('close', () => clearInterval(turns));
    socket.on('error', () => {});
  });
  const udp = createSocket('udp4');
  udp.on('message', (_, from) => setInterval(() => udp.send('x', from.port, from.address), everyMs));
  await new Promise((done) => udp.bind(port, address, done));
  await new Promise((done) => server.listen(port, address, done));
  console.log('ready');
} else {
  const [kind, address, port] = words;
  if (kind === 'tcp') connect(Number(port), address).on('data', arrived);
  else {
    const udp = createSocket('udp4');
    udp.on('message', arrived);
    udp.send('x', Number(port), address);
  }
}
