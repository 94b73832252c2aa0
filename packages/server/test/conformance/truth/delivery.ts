import { expect } from 'vitest';
import type { ManualClock } from '../../../src/platform/clock.ts';
import type { Registered, TestServer } from '../../server.ts';
import { accessPoint, enrol, type Identity, listed, listedAs } from '../device-client.ts';
import type { AccessPoint } from '../peer/access-point.ts';
import { Ledger } from './ledger.ts';
import { deviceCount, networkOf } from './plan.ts';
import type { Message, Second, World } from './world.ts';

export interface Network {
  gwid: string;
  devices: readonly number[];
}

interface Line {
  identity: Identity;
  device: AccessPoint;
  late: Message[];
  kept: Message[];
}

/** Delivers messages according to their fate, and records them in the ledger. */
export class Delivery {
  readonly ledger = new Ledger(deviceCount);
  networks: Network[] = [];
  serials: string[] = [];
  readonly #lines: Line[] = [];
  readonly #server: TestServer;
  readonly #owner: Registered;
  readonly #clock: ManualClock;
  readonly #begin: number;

  /** @param begin second 0, in milliseconds */
  constructor(server: TestServer, owner: Registered, clock: ManualClock, begin: number) {
    this.#server = server;
    this.#owner = owner;
    this.#clock = clock;
    this.#begin = begin;
  }

  async prepare(): Promise<void> {
    for (const network of [0, 1]) {
      const devices = this.ledger.devices.flatMap((_, n) => (networkOf(n) === network ? [n] : []));
      const { data } = await this.#server.call<{ gwid: string }>(
        '/api/v3/network/create',
        { remark: `Truth-${network}` },
        this.#owner,
      );
      this.networks.push({ gwid: data.gwid, devices });
      for (const n of devices) {
        const identity = await enrol(this.#server, this.#owner, { gwid: data.gwid });
        this.serials[n] = identity.serial;
        this.#lines[n] = { identity, device: accessPoint(identity), late: [], kept: [] };
      }
    }
  }

  async live(world: World, from: number, to: number): Promise<void> {
    for (let time = from; time < to; time += 1) {
      const seconds = world.live(time);
      const busy = seconds.some(({ cut, connect, messages }) => cut || connect || messages.length > 0);
      if (!busy) continue;
      this.#clock.advance(this.#begin + time * 1000 - this.#clock.now().getTime());
      // lost reports must not end the session: the device still pings
      for (const [n, { connected }] of this.ledger.devices.entries())
        if (connected) await this.#lines[n]!.device.heard();
      for (const [n, second] of seconds.entries()) await this.#second(n, second, time);
    }
    this.#clock.advance(this.#begin + to * 1000 - this.#clock.now().getTime());
  }

  async settled(): Promise<void> {
    for (const [n, heard] of this.ledger.devices.entries()) {
      // an hour passes within seconds, faster than the heartbeat writes
      const wanted = heard.connected ? /^(online|unknown)$/ : /^offline$/;
      await expect
        .poll(async () => (await listed(this.#server, this.#owner, this.serials[n]!))?.status)
        .toMatch(wanted);
    }
    await this.#server.program.ingest!.drain();
  }

  async end(): Promise<void> {
    for (const n of this.#lines.keys()) await this.#cut(n);
  }

  async #second(n: number, { cut, connect, messages }: Second, time: number): Promise<void> {
    const line = this.#lines[n]!;
    const heard = this.ledger.devices[n]!;
    let reported = 0;
    if (cut) await this.#cut(n);
    if (connect) {
      if (connect.restarted) {
        line.device = accessPoint(line.identity, { bootCause: 'reboot' });
        line.kept = [];
        line.late = [];
      }
      await line.device.connect();
      heard.connected = true;
      await listedAs(this.#server, this.#owner, line.identity.serial, { status: 'online' });
      for (const message of line.kept.splice(0)) reported += this.#say(n, message, time);
    }
    for (const message of messages) {
      if (heard.connected) reported += this.#say(n, message, time);
      else if (message.what !== 'state') line.kept.push(message);
    }
    if (reported > 0) await this.#lines[n]!.device.heard();
  }

  /** @returns how often it was sent */
  #say(n: number, message: Message, time: number): number {
    const { late } = this.#lines[n]!;
    const { fate } = message;
    const times = { comes: 1, lost: 0, twice: 2, late: 0, again: 1 }[fate];
    for (let sent = 0; sent < times; sent += 1) this.#send(n, message, time);
    let more = 0;
    // delayed messages follow the next report
    if (message.what === 'state' && times > 0) {
      for (const held of late.splice(0)) {
        this.#send(n, held, time);
        more += 1;
      }
    }
    if (fate === 'late' || fate === 'again') late.push(message);
    return times + more;
  }

  #send(n: number, message: Message, time: number): void {
    const { device } = this.#lines[n]!;
    if (message.what === 'state') device.state(message.reported);
    else {
      const { of } = message;
      const at = Math.floor(this.#begin / 1000) + message.time;
      const where = { client: of.mac, bssid: of.bssid, ssid: 'House' };
      if (message.what === 'join') device.event('client.join', { ...where, channel: 1, band: `${of.band}G` }, at);
      else {
        const came = { tx_bytes: of.tx, rx_bytes: of.rx, connected_time: message.time - of.start };
        device.event('client.leave', { ...where, ...came }, at);
      }
    }
    this.ledger.came(message, time);
  }

  async #cut(n: number): Promise<void> {
    const { device, identity } = this.#lines[n]!;
    if (!device.socket) return;
    await this.#server.program.ingest!.drain();
    await device.cut();
    this.ledger.devices[n]!.connected = false;
    await listedAs(this.#server, this.#owner, identity.serial, { status: 'offline' });
  }
}
