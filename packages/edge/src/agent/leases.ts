import { type FSWatcher, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { GatewayHost } from '../apply/gateway-host.ts';
import { type Lease, leaseFile, readLease, resolvText, type WanStates } from '../apply/wans.ts';

export function leaseOf(run: string, device: string): Lease | null {
  try {
    return readLease(readFileSync(leaseFile(run, device), 'utf8'));
  } catch {
    return null;
  }
}

/** Forwards leases to the plan, and their DNS servers to the resolver. */
export class LeaseWatch {
  readonly #host: GatewayHost;
  readonly #run: string;
  readonly #learned: () => void;
  #watcher: FSWatcher | null = null;
  #resolv = '';

  constructor(host: GatewayHost, run: string, learned: () => void = () => {}) {
    this.#host = host;
    this.#run = run;
    this.#learned = learned;
  }

  start(): void {
    mkdirSync(this.#run, { recursive: true, mode: 0o755 });
    this.#watcher = watch(this.#run, (_event, name) => {
      if (name === null || (name.startsWith('lease-') && !name.endsWith('.new'))) void this.look();
    });
  }

  stop(): void {
    this.#watcher?.close();
  }

  async look(): Promise<void> {
    const { plan } = this.#host;
    const before = this.#host.lines;
    for (const { device } of plan.dhcpClients)
      await this.#host.updateWan(device, { lease: leaseOf(this.#run, device) });
    const known = (wans: WanStates) => plan.dhcpClients.map(({ device }) => wans[device]?.lease ?? null);
    if (!isDeepStrictEqual(known(before), known(this.#host.lines))) this.#learned();
    const path = plan.dhcpClients.find(({ resolv }) => resolv !== null)?.resolv ?? null;
    const text = `${path}\n${resolvText(plan, this.#host.lines)}`;
    if (path === null || text === this.#resolv) return;
    this.#resolv = text;
    writeFileSync(path, text.slice(path.length + 1));
  }
}
