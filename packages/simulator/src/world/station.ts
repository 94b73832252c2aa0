import type { Bss } from './bss.ts';
import { TrafficCounter } from './counter.ts';
import { drawMac, type Person } from './people.ts';
import type { Random } from './random.ts';

/** Signal variation of a stationary client, in dB. */
const wavers = 4;

export interface Spot {
  x: number;
  y: number;
}

export interface Association {
  bss: Bss;
  sinceMs: number;
  /** As the access point sees it: `tx` goes to the client. */
  traffic: TrafficCounter;
  retries: number;
  failed: number;
  rssi: number;
  level: number;
  idleSeconds: number;
}

export interface Whereabouts {
  number: number;
  serial: string;
  ssid: string;
  band: string;
  sinceMs: number;
  down: number;
  up: number;
  rssi: number;
  level: number;
  spot: Spot;
}

export function associate(bss: Bss, rssi: number, sinceMs: number): Association {
  const traffic = new TrafficCounter();
  return { bss, sinceMs, traffic, retries: 0, failed: 0, rssi, level: rssi, idleSeconds: 0 };
}

export function whereaboutsOf({ number, spot, association }: Station): Whereabouts | null {
  if (association === null) return null;
  const { bss, sinceMs, traffic, rssi, level } = association;
  const { serial, ssid, band } = bss;
  return { number, serial, ssid, band, sinceMs, down: traffic.txBytes, up: traffic.rxBytes, rssi, level, spot };
}

export class Station {
  readonly random: Random;
  readonly person: Person;
  readonly taste: number;
  readonly number: number;
  mac: string;
  spot: Spot;
  association: Association | null = null;
  readonly #keepsMacMs: number;
  readonly #sinceMs: number;
  #turn: number | null = null;

  constructor(random: Random, person: Person, number: number, spot: Spot) {
    this.random = random;
    this.person = person;
    this.number = number;
    this.taste = random.next();
    this.mac = drawMac(random, person.habit);
    this.spot = spot;
    const renewal = random.fork('renewal');
    this.#keepsMacMs = renewal.between(0.4, 12) * 86_400_000;
    this.#sinceMs = renewal.between(0, this.#keepsMacMs);
  }

  /** Changes a private MAC every few days by time alone: restarted simulations have the same clients. */
  renewMac(atMs: number): void {
    const { habit } = this.person;
    if (!habit.privateMac) return;
    const turn = Math.floor((atMs - this.#sinceMs) / this.#keepsMacMs);
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.mac = drawMac(this.random.fork(`mac ${turn}`), habit);
  }

  used(association: Association, down: number, seconds: number): void {
    const { level, rssi } = association;
    association.retries += Math.round((down / 900) * Math.max(0.01, (-55 - rssi) / 120));
    association.failed += rssi < -72 ? this.random.whole(0, 2) : 0;
    association.idleSeconds = down > 4000 ? 0 : association.idleSeconds + seconds;
    association.rssi = Math.max(-88, level - wavers, Math.min(-28, level + wavers, rssi + this.random.whole(-1, 1)));
  }

  traffic(seconds: number): { down: number; up: number } {
    const { habit } = this.person;
    if (!this.random.chance(habit.active)) {
      return { down: this.random.whole(0, 2000), up: this.random.whole(0, 800) };
    }
    const burst = this.random.around(1);
    const scale = (1000 / 8) * seconds * burst;
    return { down: Math.round(habit.down * scale), up: Math.round(habit.up * scale) };
  }
}
