import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { address, port, loopback } = JSON.parse(process.env.YUNXUN_PLUGIN_SETTINGS);

const lines = (file) => readFileSync(file, 'utf8').trim().split('\n');

/** /proc/net/dev: column of each counter after the interface's name. */
const counters = {
  receive_bytes: 0,
  receive_packets: 1,
  receive_errs: 2,
  receive_drop: 3,
  transmit_bytes: 8,
  transmit_packets: 9,
  transmit_errs: 10,
  transmit_drop: 11,
};

function interfaces() {
  return lines('/proc/net/dev')
    .slice(2)
    .map((line) => {
      const [name, rest] = line.split(':');
      return { name: name.trim(), values: rest.trim().split(/\s+/) };
    })
    .filter(({ name }) => loopback || name !== 'lo');
}

const metric = (name, type, samples) => [`# TYPE ${name} ${type}`, ...samples];

function metrics() {
  const seen = interfaces();
  const [one, five, fifteen] = lines('/proc/loadavg')[0].split(' ');
  const memory = Object.fromEntries(lines('/proc/meminfo').map((line) => line.split(/:\s+/)));
  const bytes = (name) => Number.parseInt(memory[name], 10) * 1024;
  const [uptime] = lines('/proc/uptime')[0].split(' ');
  return [
    ...Object.entries(counters).flatMap(([name, column]) =>
      metric(
        `node_network_${name}_total`,
        'counter',
        seen.map((each) => `node_network_${name}_total{device="${each.name}"} ${each.values[column]}`),
      ),
    ),
    ...metric('node_load1', 'gauge', [`node_load1 ${one}`]),
    ...metric('node_load5', 'gauge', [`node_load5 ${five}`]),
    ...metric('node_load15', 'gauge', [`node_load15 ${fifteen}`]),
    ...metric('node_memory_MemTotal_bytes', 'gauge', [`node_memory_MemTotal_bytes ${bytes('MemTotal')}`]),
    ...metric('node_memory_MemAvailable_bytes', 'gauge', [`node_memory_MemAvailable_bytes ${bytes('MemAvailable')}`]),
    ...metric('node_uptime_seconds', 'gauge', [`node_uptime_seconds ${uptime}`]),
    '',
  ].join('\n');
}

createServer((request, response) => {
  if (request.url !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(metrics());
}).listen(port, address, () => process.stdout.write(`listening on ${address}:${port}\n`));
