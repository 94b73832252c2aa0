import { addressIn } from './addresses.ts';
import type { Bss, Carrier, Router, Switching } from './bss.ts';
import { TrafficCounter } from './counter.ts';
import { type PlaceKind, presence } from './hours.ts';
import { drawPerson } from './people.ts';
import type { Random } from './random.ts';
import { type Spot, Station } from './station.ts';
import { type WiredMachine, wiredMachines } from './wired.ts';

/** What a place is like. */
export interface PlaceOptions {
  kind: PlaceKind;
  /** Hours east of UTC of the place's clock. */
  hoursEast: number;
  random: Random;
  /** People and things that belong here. */
  people: number;
  /** Machines on cables. */
  machines: number;
  /** Boxes that carry wireless networks get a spot each, 12 m apart. */
  carriers: number;
  /** Network of the place while no router of ours serves it. */
  subnet: string;
  startMs: number;
  /** Visits and moves are this many times as quick. */
  speedUp: number;
  /** Everybody comes as soon as there is a network, and stays where it is. Default: as people do. */
  stay?: boolean;
}

/** The world moves in steps of this length. */
export const stepMs = 10_000;
const spacing = 12;
/** Below this signal, in dBm, nobody joins. */
const weakest = -84;
/** A signal moves about by so many dB while its station stands still. */
const wavers = 4;
/** Share of the things that are always there, and their chance in a step to come back. */
const lastingShare = 0.985;
const lastingComes = 0.05;
/** A place with less than this of the people it should have is filling. */
const fullEnough = 0.8;

/** One building: its people, who walk in, about and out, and the boxes that serve them. */
export class Place {
  readonly stations: readonly Station[];
  readonly machines: readonly WiredMachine[];
  readonly #carriers: { carrier: Carrier; spot: Spot }[] = [];
  readonly #options: PlaceOptions;
  readonly #switches: Switching[] = [];
  #router: Router | null = null;
  #atMs: number;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.#atMs = options.startMs;
    this.stations = Array.from({ length: options.people }, (_none, number) => {
      const random = options.random.fork(`person ${number}`);
      return new Station(random, drawPerson(random), number, this.#anySpot(random));
    });
    this.machines = wiredMachines(options.random.fork('machines'), options.machines);
  }

  /** Puts a box on the floor. */
  install(carrier: Carrier): void {
    const number = this.#carriers.length;
    const columns = Math.ceil(Math.sqrt(this.#options.carriers));
    const spot = { x: (number % columns) * spacing, y: Math.floor(number / columns) * spacing };
    this.#carriers.push({ carrier, spot });
  }

  /** From now on this box routes for everyone here. */
  serve(router: Router): void {
    this.#router = router;
  }

  /** Everyone here hangs on this switch, and on the others that do. */
  plug(switching: Switching): void {
    this.#switches.push(switching);
  }

  /** Whether cables end at a switch and not at the router. */
  get switched(): boolean {
    return this.#switches.length > 0;
  }

  /** The machines on one of the switches. */
  machinesOf(switching: Switching): readonly WiredMachine[] {
    return this.machines.filter(({ slot }) => this.#switchOf(slot) === switching);
  }

  /** The socket of the wall that a box hangs on. */
  slotOf(serial: string): number {
    return this.#carriers.findIndex(({ carrier }) => carrier.serial === serial);
  }

  /** The boxes here. */
  get carriers(): readonly Carrier[] {
    return this.#carriers.map(({ carrier }) => carrier);
  }

  /** The moment that the world has reached. */
  get nowMs(): number {
    return this.#atMs;
  }

  /** Address of the n-th participant; null when the network is too small for it. */
  address(number: number): string | null {
    return addressIn(this.#router?.subnet() ?? this.#options.subnet, number);
  }

  /** Prefix length of the place's network. */
  get prefixLength(): string {
    return (this.#router?.subnet() ?? this.#options.subnet).split('/')[1] ?? '24';
  }

  /** Who is on the networks of one box. */
  at(serial: string): readonly Station[] {
    return this.stations.filter((station) => station.stay?.bss.serial === serial);
  }

  /** Every network on the air here. */
  air(): readonly Bss[] {
    return this.#carriers.flatMap(({ carrier }) => carrier.bsses());
  }

  /** Who is here at all. */
  present(): readonly Station[] {
    return this.stations.filter((station) => station.stay !== null);
  }

  /** Lets the world move up to a moment, in whole steps. */
  advance(nowMs: number, step: number = stepMs): void {
    while (this.#atMs + step <= nowMs) {
      this.#atMs += step;
      this.#step(step / 1000);
    }
  }

  /** Everyone on a network that is gone loses it: the box went down or was configured anew. */
  dropped(serial: string): void {
    for (const station of this.at(serial)) {
      if (!this.#alive(station)) this.#leave(station);
    }
  }

  /** Sends one station away, as a kick does; it may come back. */
  kick(mac: string): void {
    const station = this.stations.find((entry) => entry.mac === mac && entry.stay !== null);
    if (station !== undefined) this.#leave(station);
  }

  /** A box went on the air: those who belong near it and would be here at this hour join. */
  settle(carrier: Carrier): void {
    const share = this.#shareAt(this.#atMs);
    const people = this.stations.filter((station) => this.#nearest(station.spot) === carrier);
    const air = this.#spots();
    for (const lasting of [true, false]) {
      const alike = people.filter(({ person }) => person.habit.comesAndGoes !== lasting);
      const away = alike.filter((station) => station.stay === null);
      // who is here already is a part of those that would be
      const part = this.#options.stay ? 1 : lasting ? lastingShare : share;
      const missing = alike.length * part - (alike.length - away.length);
      for (const station of away) {
        if (station.random.chance(missing / away.length)) this.#arrive(station, air, station.spot);
      }
    }
  }

  #step(stepSeconds: number): void {
    const { speedUp } = this.#options;
    const share = this.#shareAt(this.#atMs);
    const rising = this.#shareAt(this.#atMs + stepSeconds * 1000) - share;
    const air = this.#spots();
    const people = this.stations.filter(({ person }) => person.habit.comesAndGoes);
    const here = people.filter((station) => station.stay !== null).length;
    // a newly installed network fills within minutes, whatever the pace of visits
    const filling = here < fullEnough * share * people.length ? 0.002 * share * (stepSeconds / 10) : 0;
    for (const { carrier } of this.#carriers) carrier.tick(stepSeconds);
    this.#wiredTraffic(stepSeconds);
    if (this.#options.stay) {
      this.#stay(air, stepSeconds);
      return;
    }
    for (const station of this.stations) {
      const { habit } = station.person;
      const usual = Math.min(0.5, (stepSeconds / 60 / habit.stays) * speedUp);
      // Who comes and who goes keep the share of the hour, also where visits are long and the day's curve is steep.
      const going = habit.comesAndGoes ? Math.max(usual, -rising / share) : usual;
      if (station.stay === null) {
        const coming = habit.comesAndGoes ? Math.max(filling, (rising + usual * share) / (1 - share)) : lastingComes;
        if (station.random.chance(coming)) this.#arrive(station, air);
        continue;
      }
      if (!this.#alive(station) || station.random.chance(going)) {
        this.#leave(station);
        continue;
      }
      if (station.random.chance(Math.min(0.5, (stepSeconds / 60 / habit.moves) * speedUp))) this.#move(station, air);
      this.#use(station, stepSeconds);
    }
  }

  /** A step of those who stay: whoever lost its network finds another where it is. */
  #stay(air: readonly { bss: Bss; spot: Spot }[], stepSeconds: number): void {
    for (const station of this.stations) {
      if (station.stay !== null && !this.#alive(station)) this.#leave(station);
      if (station.stay === null) this.#arrive(station, air, station.spot);
      this.#use(station, stepSeconds);
    }
  }

  #use(station: Station, stepSeconds: number): void {
    const { stay } = station;
    if (stay === null) return;
    const { down, up } = station.traffic(stepSeconds);
    stay.traffic.add(up, down);
    stay.bss.traffic.add(up, down, station.random.whole(0, 2));
    stay.retries += Math.round((down / 900) * Math.max(0.01, (-55 - stay.rssi) / 120));
    stay.failed += stay.rssi < -72 ? station.random.whole(0, 2) : 0;
    stay.idleSeconds = down > 4000 ? 0 : stay.idleSeconds + stepSeconds;
    const { level } = stay;
    stay.rssi = Math.max(-88, level - wavers, Math.min(-28, level + wavers, stay.rssi + station.random.whole(-1, 1)));
    this.#carrier(stay.bss.serial)?.carried(stay.bss, down, up);
    if (stay.bss.serial === this.#router?.serial) this.#router.routed(down, up, null);
    else
      this.#pass(
        this.#carriers.findIndex(({ carrier }) => carrier.serial === stay.bss.serial),
        down,
        up,
      );
  }

  #wiredTraffic(stepSeconds: number): void {
    const { random } = this.#options;
    for (const { slot, down, up } of this.machines) {
      if (!random.chance(0.4)) continue;
      const bytes = 125 * stepSeconds * random.around(1);
      // Sockets of the boxes come first.
      this.#pass(this.#carriers.length + slot, Math.round(down * bytes), Math.round(up * bytes));
    }
  }

  /** Traffic through a socket of the wall: over the switch, if there is one, to the router. */
  #pass(slot: number, down: number, up: number): void {
    this.#switchOf(slot)?.passed(slot, down, up);
    this.#router?.routed(down, up, slot);
  }

  #switchOf(slot: number): Switching | undefined {
    return this.#switches[slot % Math.max(1, this.#switches.length)];
  }

  #arrive(station: Station, air: readonly { bss: Bss; spot: Spot }[], spot = this.#anySpot(station.random)): void {
    station.renewMac(this.#atMs);
    station.spot = spot;
    const best = this.#best(station, air);
    if (best !== null) this.#join(station, best.bss, best.rssi);
  }

  #move(station: Station, air: readonly { bss: Bss; spot: Spot }[]): void {
    station.spot = this.#anySpot(station.random);
    const best = this.#best(station, air);
    if (best === null || best.bss === station.stay?.bss) return;
    this.#leave(station);
    this.#join(station, best.bss, best.rssi);
  }

  #join(station: Station, bss: Bss, rssi: number): void {
    const traffic = new TrafficCounter();
    station.stay = { bss, sinceMs: this.#atMs, traffic, retries: 0, failed: 0, rssi, level: rssi, idleSeconds: 0 };
    this.#carrier(bss.serial)?.joined(bss, station.mac, this.#atMs);
  }

  #leave(station: Station): void {
    const { stay } = station;
    if (stay === null) return;
    station.stay = null;
    this.#carrier(stay.bss.serial)?.left(stay.bss, station.mac, this.#atMs, {
      down: stay.traffic.txBytes,
      up: stay.traffic.rxBytes,
      downPackets: stay.traffic.txPackets,
      upPackets: stay.traffic.rxPackets,
      seconds: Math.round((this.#atMs - stay.sinceMs) / 1000),
    });
  }

  /** The network of its taste with the best signal; 5 GHz is preferred while it is good. */
  #best(station: Station, air: readonly { bss: Bss; spot: Spot }[]): { bss: Bss; rssi: number } | null {
    const names = [...new Set(air.map(({ bss }) => bss.ssid))].toSorted();
    const wanted = names[Math.floor(station.taste * names.length)];
    let best: { bss: Bss; rssi: number; rank: number } | null = null;
    for (const { bss, spot } of air) {
      if (bss.ssid !== wanted || !station.person.habit.bands.some((band) => bss.band.startsWith(band))) continue;
      const rssi = signal(spot, station.spot, bss.band);
      if (rssi < weakest) continue;
      const rank = rssi + (bss.band !== '2G' && rssi > -70 ? 12 : 0);
      if (best === null || rank > best.rank) best = { bss, rssi, rank };
    }
    return best;
  }

  #spots(): readonly { bss: Bss; spot: Spot }[] {
    return this.#carriers.flatMap(({ carrier, spot }) => carrier.bsses().map((bss) => ({ bss, spot })));
  }

  #alive(station: Station): boolean {
    const bss = station.stay?.bss;
    return bss !== undefined && (this.#carrier(bss.serial)?.bsses().includes(bss) ?? false);
  }

  #carrier(serial: string): Carrier | undefined {
    return this.#carriers.find(({ carrier }) => carrier.serial === serial)?.carrier;
  }

  /** Share of the people who come and go that is here at a moment. */
  #shareAt(atMs: number): number {
    const { kind, hoursEast } = this.#options;
    return Math.min(0.97, Math.max(0.01, presence(kind, atMs, hoursEast)));
  }

  /** The box with radios that stands next to a spot. */
  #nearest(to: Spot): Carrier | null {
    let best: { carrier: Carrier; metres: number } | null = null;
    for (const { carrier, spot } of this.#carriers) {
      const metres = Math.hypot(spot.x - to.x, spot.y - to.y);
      if (carrier.wireless && (best === null || metres < best.metres)) best = { carrier, metres };
    }
    return best?.carrier ?? null;
  }

  #anySpot(random: Random): Spot {
    const columns = Math.ceil(Math.sqrt(Math.max(1, this.#options.carriers)));
    const edge = columns * spacing;
    return { x: random.between(-spacing / 2, edge - spacing / 2), y: random.between(-spacing / 2, edge - spacing / 2) };
  }
}

/** Received power in dBm by distance; walls cost the higher bands more. */
function signal(from: Spot, to: Spot, band: string): number {
  const metres = Math.max(1, Math.hypot(from.x - to.x, from.y - to.y));
  const loss = band === '2G' ? 30 : 34;
  return Math.round(-34 - loss * Math.log10(metres));
}
