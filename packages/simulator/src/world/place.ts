import { addressIn } from './addresses.ts';
import { type Bss, type Carrier, isRestarted, type Router, type Switching } from './bss.ts';
import { type PlaceKind, presence } from './hours.ts';
import { lastingShare, type Night, nightOf } from './night.ts';
import { drawPerson } from './people.ts';
import type { Random } from './random.ts';
import { signal } from './signal.ts';
import { associate, type Spot, Station, type Whereabouts, whereaboutsOf } from './station.ts';
import { type WiredMachine, wiredMachines } from './wired.ts';

export interface PlaceOptions {
  kind: PlaceKind;
  leastShare?: number | undefined;
  hoursEast: number;
  random: Random;
  people: number;
  machines: number;
  carriers: number;
  subnet: string;
  startMs: number;
  speedUp: number;
  /** All clients join at once and stay. Default: by hour of day. */
  stay?: boolean;
  /** People and time do not move until `begin` or `release`. */
  held?: boolean;
}

export const stepMs = 10_000;
const spacing = 12;
/** Weakest signal for joining, in dBm. */
const weakest = -84;
const lastingComes = 0.05;
/** Below this share of the expected people, a site is filling. */
const fullEnough = 0.8;

export class Place {
  readonly stations: readonly Station[];
  readonly machines: readonly WiredMachine[];
  readonly #carriers: { carrier: Carrier; spot: Spot }[] = [];
  readonly #options: PlaceOptions;
  readonly #switches: Switching[] = [];
  #router: Router | null = null;
  #atMs: number;
  #held: boolean;
  #night: ReadonlyMap<Station, Night> | null = null;
  readonly #returning = new Map<Station, { bss: Bss; level: number }>();
  #addresses: { subnet: string; byNumber: Map<number, string | null> } = { subnet: '', byNumber: new Map() };

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.#atMs = options.startMs;
    this.#held = options.held ?? false;
    this.stations = Array.from({ length: options.people }, (_none, number) => {
      const random = options.random.fork(`person ${number}`);
      return new Station(random, drawPerson(random), number, this.#anySpot(random));
    });
    this.machines = wiredMachines(options.random.fork('machines'), options.machines);
  }

  install(carrier: Carrier): void {
    const number = this.#carriers.length;
    const columns = Math.ceil(Math.sqrt(this.#options.carriers));
    const spot = { x: (number % columns) * spacing, y: Math.floor(number / columns) * spacing };
    this.#carriers.push({ carrier, spot });
  }

  serve(router: Router): void {
    this.#router = router;
  }

  plug(switching: Switching): void {
    this.#switches.push(switching);
  }

  get switched(): boolean {
    return this.#switches.length > 0;
  }

  machinesOf(switching: Switching): readonly WiredMachine[] {
    return this.machines.filter(({ slot }) => this.switchOf(this.#carriers.length + slot) === switching);
  }

  slotOf(serial: string): number {
    return this.#carriers.findIndex(({ carrier }) => carrier.serial === serial);
  }

  get carriers(): readonly Carrier[] {
    return this.#carriers.map(({ carrier }) => carrier);
  }

  get nowMs(): number {
    return this.#atMs;
  }

  address(number: number): string | null {
    const subnet = this.#router?.subnet() ?? this.#options.subnet;
    if (this.#addresses.subnet !== subnet) this.#addresses = { subnet, byNumber: new Map() };
    const { byNumber } = this.#addresses;
    const known = byNumber.get(number);
    if (known !== undefined) return known;
    const address = addressIn(subnet, number);
    byNumber.set(number, address);
    return address;
  }

  get prefixLength(): string {
    return (this.#router?.subnet() ?? this.#options.subnet).split('/')[1] ?? '24';
  }

  at(serial: string): readonly Station[] {
    return this.stations.filter((station) => station.association?.bss.serial === serial);
  }

  air(): readonly Bss[] {
    return this.#carriers.flatMap(({ carrier }) => carrier.bsses());
  }

  present(): readonly Station[] {
    return this.stations.filter((station) => station.association !== null);
  }

  begin(): void {
    this.#held = false;
    const air = this.#spots();
    for (const [station, night] of this.#nightAt(this.#atMs)) {
      station.renewMac(night.atMs);
      station.spot = night.spot;
      const best = night.isHere ? this.#best(station, air) : null;
      if (best !== null) station.association = associate(best.bss, best.rssi, night.atMs);
    }
  }

  /** Lets the day end with the people with whom a world begins at that midnight. */
  endAt(midnightMs: number): void {
    this.#night = this.#nightAt(midnightMs);
  }

  resume(people: readonly Whereabouts[]): void {
    const air = this.#spots();
    for (const one of people) {
      const station = this.stations[one.number];
      if (station === undefined) continue;
      station.spot = one.spot;
      station.renewMac(one.sinceMs);
      const same = air.find(({ bss }) => bss.serial === one.serial && bss.ssid === one.ssid && bss.band === one.band);
      const found = same ? { bss: same.bss, rssi: one.rssi } : this.#best(station, air);
      if (found === null) continue;
      station.association = associate(found.bss, found.rssi, one.sinceMs);
      station.association.level = same ? one.level : found.rssi;
      station.association.traffic.add(one.up, one.down);
    }
  }

  release(atMs: number): void {
    this.#held = false;
    this.#atMs = atMs;
  }

  whereabouts(): Whereabouts[] {
    return this.present().flatMap((station) => whereaboutsOf(station) ?? []);
  }

  advance(nowMs: number, step: number = stepMs): void {
    if (this.#held) return;
    while (this.#atMs + step <= nowMs) {
      this.#atMs += step;
      this.#step(step / 1000);
    }
  }

  dropped(serial: string): void {
    const air = this.#carrier(serial)?.bsses() ?? [];
    for (const station of this.at(serial)) {
      if (this.#alive(station)) continue;
      const { bss: old, level } = station.association!;
      const bss = air.find((one) => isRestarted(one, old));
      this.#leave(station);
      if (bss) this.#returning.set(station, { bss, level });
    }
  }

  kick(mac: string): void {
    const station = this.stations.find((entry) => entry.mac === mac && entry.association !== null);
    if (station !== undefined) this.#leave(station);
  }

  /** Joins nearby people when a device goes on the air, by the hour's share. */
  settle(carrier: Carrier): void {
    if (this.#held) return;
    const share = this.#shareAt(this.#atMs);
    const people = this.stations.filter((station) => this.#nearest(station.spot) === carrier);
    const air = this.#spots();
    for (const lasting of [true, false]) {
      const alike = people.filter(({ person }) => person.habit.comesAndGoes !== lasting);
      const away = alike.filter((station) => station.association === null);
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
    const here = people.filter((station) => station.association !== null).length;
    // a new network fills within minutes, whatever the pace of visits
    const filling = here < fullEnough * share * people.length ? 0.002 * share * (stepSeconds / 10) : 0;
    for (const { carrier } of this.#carriers) carrier.tick(stepSeconds);
    this.#wiredTraffic(stepSeconds);
    for (const [station, { bss, level }] of this.#returning)
      if (station.association === null && this.#alive(station, bss)) this.#join(station, bss, level);
    this.#returning.clear();
    if (this.#options.stay) {
      this.#stay(air, stepSeconds);
      return;
    }
    for (const station of this.stations) {
      const night = this.#night?.get(station);
      if (night !== undefined && this.#atMs >= night.atMs) {
        this.#follow(station, night, air);
        this.#use(station, stepSeconds);
        continue;
      }
      const { habit } = station.person;
      const usual = Math.min(0.5, (stepSeconds / 60 / habit.stays) * speedUp);
      // arrivals and departures follow the hour's share even with long visits and steep curves
      const going = habit.comesAndGoes ? Math.max(usual, -rising / share) : usual;
      if (station.association === null) {
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

  /** Comes or leaves at the night's moment, and then neither moves nor changes. */
  #follow(station: Station, night: Night, air: readonly { bss: Bss; spot: Spot }[]): void {
    const { association } = station;
    if (association !== null && (!night.isHere || association.sinceMs < night.atMs || !this.#alive(station)))
      this.#leave(station);
    if (night.isHere && station.association === null) this.#arrive(station, air, night.spot);
  }

  #nightAt(midnightMs: number): Map<Station, Night> {
    const share = this.#shareAt(midnightMs);
    const spot = (random: Random) => this.#anySpot(random);
    return new Map(this.stations.map((station) => [station, nightOf(station, midnightMs, share, spot)]));
  }

  #stay(air: readonly { bss: Bss; spot: Spot }[], stepSeconds: number): void {
    for (const station of this.stations) {
      if (station.association !== null && !this.#alive(station)) this.#leave(station);
      if (station.association === null) this.#arrive(station, air, station.spot);
      this.#use(station, stepSeconds);
    }
  }

  #use(station: Station, stepSeconds: number): void {
    const { association } = station;
    if (association === null) return;
    const wanted = station.traffic(stepSeconds);
    const carrier = this.#carrier(association.bss.serial);
    const asked = carrier?.captures(association.bss, station.mac) ? { down: 0, up: 0 } : wanted;
    const client = { mac: station.mac, open: association.bss.open };
    const { down, up } = this.#router?.pass(client, asked, stepSeconds) ?? asked;
    association.traffic.add(up, down);
    association.bss.traffic.add(up, down, station.random.whole(0, 2));
    station.used(association, down, stepSeconds);
    carrier?.carried(association.bss, down, up);
    if (association.bss.serial === this.#router?.serial) this.#router.routed(down, up, null, station.mac);
    else
      this.#pass(
        this.#carriers.findIndex((other) => other.carrier === carrier),
        down,
        up,
        station.mac,
      );
  }

  #wiredTraffic(stepSeconds: number): void {
    const { random } = this.#options;
    for (const { slot, down, up, mac } of this.machines) {
      if (this.#router?.blocks(mac) || !random.chance(0.4)) continue;
      const bytes = 125 * stepSeconds * random.around(1);
      this.#pass(this.#carriers.length + slot, Math.round(down * bytes), Math.round(up * bytes), mac);
    }
  }

  #pass(slot: number, down: number, up: number, mac: string): void {
    this.switchOf(slot)?.passed(slot, down, up);
    this.#router?.routed(down, up, slot, mac);
  }

  switchOf(slot: number): Switching | undefined {
    return this.#switches[slot % Math.max(1, this.#switches.length)];
  }

  placeOn(slot: number): number {
    return Math.floor(slot / Math.max(1, this.#switches.length));
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
    if (best === null || best.bss === station.association?.bss) return;
    this.#leave(station);
    this.#join(station, best.bss, best.rssi);
  }

  #join(station: Station, bss: Bss, rssi: number): void {
    station.association = associate(bss, rssi, this.#atMs);
    this.#carrier(bss.serial)?.joined(bss, station.mac, this.#atMs);
  }

  #leave(station: Station): void {
    const { association } = station;
    if (association === null) return;
    station.association = null;
    this.#carrier(association.bss.serial)?.left(association.bss, station.mac, this.#atMs, {
      down: association.traffic.txBytes,
      up: association.traffic.rxBytes,
      downPackets: association.traffic.txPackets,
      upPackets: association.traffic.rxPackets,
      seconds: Math.round((this.#atMs - association.sinceMs) / 1000),
    });
  }

  /** Returns the preferred network with the best signal; prefers 5 GHz while it is good. */
  #best(station: Station, air: readonly { bss: Bss; spot: Spot }[]): { bss: Bss; rssi: number } | null {
    const names = [...new Set(air.map(({ bss }) => bss.ssid))].toSorted();
    const wanted = names[Math.floor(station.taste * names.length)];
    let best: { bss: Bss; rssi: number; rank: number } | null = null;
    for (const { bss, spot } of air) {
      if (bss.ssid !== wanted || bss.denied.has(station.mac)) continue;
      if (!station.person.habit.bands.some((band) => bss.band.startsWith(band))) continue;
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

  #alive(station: Station, bss = station.association?.bss): boolean {
    if (bss === undefined || bss.denied.has(station.mac)) return false;
    return this.#carrier(bss.serial)?.bsses().includes(bss) ?? false;
  }

  #carrier(serial: string): Carrier | undefined {
    return this.#carriers.find(({ carrier }) => carrier.serial === serial)?.carrier;
  }

  #shareAt(atMs: number): number {
    const { kind, hoursEast, leastShare = 0.01 } = this.#options;
    return Math.min(0.97, Math.max(leastShare, presence(kind, atMs, hoursEast)));
  }

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
