import { randomInt } from 'node:crypto';
import { AccessPoint } from '../../packages/server/test/conformance/peer/access-point.ts';
import { makeKey, makeRequest } from '../../packages/server/test/conformance/peer/identity.ts';
import { expectDone, post } from '../lib/client.ts';
import { pause } from '../lib/stats.ts';

export interface Guest {
  mac: string;
  down: number;
  up: number;
}

/** Milliseconds, shorter than in production. */
const every = 250;
const guestEvery = 3;
/** Reconnect delay, in milliseconds. */
const again = 200;

export class Reporter {
  readonly gwid: string;
  readonly #device: AccessPoint;
  readonly #number: number;
  readonly #began = Math.floor(Date.now() / 1000) - 100_000;
  readonly uplink = new Set<number>();
  readonly wireless = new Set<number>();
  readonly guests: Guest[] = [];
  #counters = { rx: 5_000_000, tx: 700_000, to: 40_000, from: 30_000 };
  #first: { uplink: number; wireless: number } | null = null;
  #reports = 0;
  #over = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(gwid: string, number: number, device: AccessPoint) {
    this.gwid = gwid;
    this.#number = number;
    this.#device = device;
  }

  get last(): { uplink: number; wireless: number } {
    return { uplink: [...this.uplink].at(-1) ?? 0, wireless: [...this.wireless].at(-1) ?? 0 };
  }

  start(): void {
    this.#work = Promise.all([this.#connect(), this.#report()]);
  }

  async quiet(): Promise<void> {
    this.#over = true;
    await this.#work;
  }

  async stop(): Promise<void> {
    await this.quiet();
    await this.#device.cut();
  }

  /** Resends the last report, which may be lost. */
  async sayAgain(): Promise<void> {
    if (!this.#device.socket) await this.#device.connect().catch(() => undefined);
    this.#say();
  }

  async #connect(): Promise<void> {
    while (!this.#over) {
      if (!this.#device.socket) await this.#device.connect().catch(() => undefined);
      await pause(again);
    }
  }

  async #report(): Promise<void> {
    while (!this.#over) {
      await pause(every);
      if (!this.#device.socket) continue;
      this.#counters.rx += randomInt(1, 1_000_000);
      this.#counters.tx += randomInt(1, 100_000);
      this.#counters.to += randomInt(1, 500_000);
      this.#counters.from += randomInt(1, 50_000);
      this.#reports += 1;
      if (this.#reports % guestEvery === 0) this.#guest();
      this.#say();
    }
  }

  #guest(): void {
    const n = this.guests.length;
    const guest: Guest = { mac: `02${hex(this.#number, 4)}${hex(n, 6)}`, down: 1000 + n, up: 7 };
    this.guests.push(guest);
    const where = { client: guest.mac, bssid: this.#bssid, ssid: 'House' };
    const seconds = Math.floor(Date.now() / 1000);
    this.#device.event('client.join', { ...where, channel: 36, band: '5G' }, seconds);
    const came = { tx_bytes: guest.down, rx_bytes: guest.up, connected_time: 0 };
    this.#device.event('client.leave', { ...where, ...came }, seconds);
  }

  get #bssid(): string {
    return `0c9d92${hex(this.#number, 6)}`;
  }

  #say(): void {
    const { rx, tx, to, from } = this.#counters;
    const sums = { uplink: rx + tx, wireless: to + from };
    this.#first ??= sums;
    this.uplink.add(sums.uplink - this.#first.uplink);
    this.wireless.add(sums.wireless - this.#first.wireless);
    const passed = 60 * this.#reports;
    this.#device.state({
      unit: { localtime: this.#began + passed, uptime: 3600 + passed },
      interfaces: [
        {
          name: 'up0v0',
          counters: { rx_bytes: rx, tx_bytes: tx },
          ssids: [
            {
              ssid: 'House',
              bssid: this.#bssid,
              band: ['5G'],
              associations: [],
              counters: { rx_bytes: from, tx_bytes: to },
            },
          ],
        },
      ],
    });
  }
}

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');

export async function makeReporters(
  { url, token, bindingCode }: { url: string; token: string; bindingCode: string },
  count: number,
): Promise<Reporter[]> {
  const reporters: Reporter[] = [];
  for (let n = 0; n < count; n += 1) {
    const made = await expectDone(post<{ gwid: string }>(url, '/api/v3/network/create', { remark: `net-${n}` }, token));
    const { gwid } = made.data;
    const [serial, key] = [`9c11${hex(n, 8)}`, makeKey()];
    const { data } = await expectDone(
      post<{ certificate: string; ca: string; server: string; port: number }>(url, '/api/v3/device/enroll', {
        binding_code: bindingCode,
        serial,
        csr: makeRequest(serial, key),
        gwid,
      }),
    );
    const { certificate: cert, ca, server, port } = data;
    const device = new AccessPoint({
      serial,
      key: key.keyPem,
      cert,
      ca,
      server,
      port,
      address: '127.0.0.1',
      // a shell reply would change the data
      shell: 'nothing',
    });
    reporters.push(new Reporter(gwid, n, device));
  }
  return reporters;
}
