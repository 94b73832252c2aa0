import type { LinkState } from '@yunxun/contract/device';
import { TrafficCounter } from '../world/counter.ts';
import type { Random } from '../world/random.ts';
import { type Hardware, isRouter, portNames } from './hardware.ts';

interface Port {
  name: string;
  upstream: boolean;
  carrier: boolean;
  speed: number;
  traffic: TrafficCounter;
}

export class Ports {
  readonly #ports: readonly Port[];

  constructor(hardware: Hardware, random: Random) {
    const { upstream, downstream } = portNames(hardware);
    const port = (name: string, up: boolean): Port => ({
      name,
      upstream: up,
      carrier: up || isRouter(hardware.role) || (hardware.role === 'switch' && random.chance(0.7)),
      speed: random.chance(0.85) ? 1000 : 100,
      traffic: new TrafficCounter(),
    });
    this.#ports = [...upstream.map((name) => port(name, true)), ...downstream.map((name) => port(name, false))];
  }

  used(upstream: boolean): readonly string[] {
    return this.#ports.filter((port) => port.upstream === upstream && port.carrier).map((port) => port.name);
  }

  get all(): readonly Omit<Port, 'upstream'>[] {
    return this.#ports;
  }

  traffic(name: string): TrafficCounter | undefined {
    return this.#ports.find((port) => port.name === name)?.traffic;
  }

  setCarrier(name: string, on: boolean): boolean {
    const port = this.#ports.find((entry) => entry.name === name);
    if (port === undefined || port.carrier === on) return false;
    port.carrier = on;
    return true;
  }

  report(): { upstream: Record<string, LinkState>; downstream: Record<string, LinkState> } {
    const side = (upstream: boolean) =>
      Object.fromEntries(
        this.#ports.filter((port) => port.upstream === upstream).map((port) => [port.name, linkState(port)]),
      );
    return { upstream: side(true), downstream: side(false) };
  }
}

function linkState(port: Port): LinkState {
  if (!port.carrier) return { carrier: 0 };
  return { carrier: 1, duplex: 'full', speed: port.speed, ...port.traffic.report() };
}
