import type { Bss } from './bss.ts';
import type { TrafficCounter } from './counter.ts';
import { drawMac, type Person } from './people.ts';
import type { Random } from './random.ts';

/** A place on the floor plan, metres. */
export interface Spot {
  x: number;
  y: number;
}

/** The stay of a station at one wireless network of one access point. */
export interface Stay {
  bss: Bss;
  sinceMs: number;
  /** As the access point sees it: `tx` goes to the station. */
  traffic: TrafficCounter;
  retries: number;
  failed: number;
  rssi: number;
  idleSeconds: number;
}

/** One phone, laptop or thing. */
export class Station {
  readonly random: Random;
  readonly person: Person;
  /** Which of the place's networks it uses, 0…1 over their sorted names. */
  readonly taste: number;
  /** Its place in the address range. */
  readonly number: number;
  mac: string;
  spot: Spot;
  stay: Stay | null = null;

  constructor(random: Random, person: Person, number: number, spot: Spot) {
    this.random = random;
    this.person = person;
    this.number = number;
    this.taste = random.next();
    this.mac = drawMac(random, person.habit);
    this.spot = spot;
  }

  /** Some visits later it is somebody else, or a private MAC has changed: nobody can tell these apart. */
  renewMac(): void {
    if (this.person.habit.privateMac && this.random.chance(0.2)) this.mac = drawMac(this.random, this.person.habit);
  }

  /** Moves about for one step: bytes to and from it. */
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
