import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '@yunxun/contract/device';
import type { SimulatedDevice } from './device.ts';
import { type FaultOptions, faultKinds, isFaultKind, upgradeFaults } from './faults.ts';
import type { Fleet } from './fleet.ts';

export interface Control {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the control endpoint on 127.0.0.1:
 * - `GET /devices`, `GET /devices/<serial>`: status
 * - `POST /devices/<serial>/fault {"fault": "lose-link", "seconds": 30}`, `POST /fault {…}` for all
 * - `POST /devices/<serial>/send {"method": "log", "params": {…}}`: sends a device message
 * - `POST /devices/<serial>/enrol`: enrols again after an unbind
 */
export async function startControl(fleets: () => readonly Fleet[], port = 0): Promise<Control> {
  const server = createServer((request, response) => {
    const devices = fleets().flatMap((fleet) => fleet.devices);
    void answer(devices, request)
      .catch((error: unknown) => ({ status: 500, body: { error: String(error) } }))
      .then(({ status, body }) => send(response, status, body));
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

const unknownAddress: Answer = { status: 404, body: { error: 'no such address' } };

async function answer(devices: readonly SimulatedDevice[], request: IncomingMessage): Promise<Answer> {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname.split('/').filter((part) => part !== '');
  const body = request.method === 'POST' ? await readBody(request) : {};
  if (path.length === 1 && path[0] === 'fault' && request.method === 'POST') return fail(devices, body);
  if (path[0] !== 'devices') return unknownAddress;
  const [, serial, action] = path;
  if (serial === undefined) return { status: 200, body: { devices: devices.map((device) => device.status) } };
  const device = devices.find((entry) => entry.serial === serial);
  if (device === undefined) return { status: 404, body: { error: 'no such device' } };
  if (request.method === 'GET' && action === undefined) return { status: 200, body: device.status };
  if (request.method !== 'POST') return unknownAddress;
  if (action === 'fault') return fail([device], body);
  if (action === 'enrol') {
    await device.enrolAgain();
    return { status: 200, body: device.status };
  }
  if (action !== 'send' || typeof body.method !== 'string') return unknownAddress;
  device.send(body.method, isRecord(body.params) ? body.params : {});
  return { status: 200, body: { done: body.method, devices: [serial] } };
}

function fail(targets: readonly SimulatedDevice[], body: Record<string, unknown>): Answer {
  const { fault } = body;
  if (!isFaultKind(fault)) return { status: 400, body: { error: 'fault must be one of', faults: faultKinds } };
  for (const target of targets) target.fault(fault, readOptions(body));
  return { status: 200, body: { done: fault, devices: targets.map((target) => target.serial) } };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 1_000_000) return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
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
  if (typeof value.address === 'string') options.address = value.address;
  const how = upgradeFaults.find((fault) => fault === value.how);
  if (how) options.how = how;
  return options;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
