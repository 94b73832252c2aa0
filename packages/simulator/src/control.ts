import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '@yunxun/contract/device';
import { type FaultOptions, faultKinds, isFaultKind } from './faults.ts';
import type { Fleet } from './fleet.ts';

/** The loopback endpoint that commands a running fleet. */
export interface Control {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * `GET /devices` lists the devices, `POST /devices/<serial>/fault {"fault": "lose-link", "seconds": 30}` makes one fail,
 * `POST /fault {...}` all of them. Listens on 127.0.0.1 only.
 */
export async function startControl(fleet: Fleet, port = 0): Promise<Control> {
  const server = createServer((request, response) => {
    void answer(fleet, request).then(({ status, body }) => send(response, status, body));
  });
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', ready);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  status: number;
  body: unknown;
}

async function answer(fleet: Fleet, request: IncomingMessage): Promise<Answer> {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname.split('/').filter((part) => part !== '');
  const [first, serial, last] = path;
  if (request.method === 'GET' && first === 'devices' && serial === undefined) {
    return { status: 200, body: { devices: fleet.status() } };
  }
  const device = fleet.devices.find((entry) => entry.serial === serial);
  if (first === 'devices' && device === undefined) return { status: 404, body: { error: 'no such device' } };
  if (request.method === 'GET' && device !== undefined && last === undefined)
    return { status: 200, body: device.status };
  const targets = device === undefined ? fleet.devices : [device];
  const isFault = path.length === (device === undefined ? 1 : 3) && path.at(-1) === 'fault';
  if (request.method !== 'POST' || !isFault) return { status: 404, body: { error: 'no such address' } };
  const wanted = await readFault(request);
  if (wanted === null) return { status: 400, body: { error: 'fault must be one of', faults: faultKinds } };
  const { fault, ...options } = wanted;
  for (const target of targets) target.fault(fault, options);
  return { status: 200, body: { done: fault, devices: targets.map((target) => target.serial) } };
}

async function readFault(
  request: IncomingMessage,
): Promise<(FaultOptions & { fault: (typeof faultKinds)[number] }) | null> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 10_000) return null;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !isFaultKind(value.fault)) return null;
    return { ...readOptions(value), fault: value.fault };
  } catch {
    return null;
  }
}

function readOptions(value: Record<string, unknown>): FaultOptions {
  const options: FaultOptions = {};
  for (const key of ['seconds', 'times', 'everyMs'] as const) {
    const number = value[key];
    if (typeof number === 'number' && number >= 0) options[key] = number;
  }
  if (typeof value.on === 'boolean') options.on = value.on;
  if (typeof value.port === 'string') options.port = value.port;
  return options;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
