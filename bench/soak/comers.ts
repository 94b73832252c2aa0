import { createHash } from 'node:crypto';
import type { BenchDevice } from '../lib/device.ts';

export class Comers {
  readonly #device: BenchDevice;
  readonly #there: { mac: string; since: number }[] = [];
  #came = 0;

  constructor(device: BenchDevice) {
    this.#device = device;
  }

  next(now: number): void {
    const first = this.#there.length > 3 ? this.#there.shift() : undefined;
    if (first) {
      const reported = { tx_bytes: 5_000_000, rx_bytes: 400_000, connected_time: Math.max(1, now - first.since) };
      this.#tell(now, 'client.leave', { client: first.mac, ...reported });
      return;
    }
    const mac = this.#mac();
    this.#there.push({ mac, since: now });
    this.#tell(now, 'client.join', { client: mac, channel: 36, band: '5G' });
  }

  #mac(): string {
    this.#came += 1;
    const { serial } = this.#device.identity;
    const digits = createHash('md5')
      .update(`${serial}/${this.#came % 100}`)
      .digest('hex')
      .slice(0, 10);
    return ['02', ...(digits.match(/../g) ?? [])].join(':');
  }

  #tell(now: number, type: string, payload: object): void {
    const { serial } = this.#device.identity;
    const bssid = `06:${serial.slice(2).replace(/..(?!$)/g, '$&:')}`;
    this.#device.notify('event', { data: { event: [now, { type, payload: { ...payload, ssid: 'Guests', bssid } }] } });
  }
}
