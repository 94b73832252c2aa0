import { type FSWatcher, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { GatewayHost } from '../apply/gateway-host.ts';
import {
  type DhcpFault,
  dhcpFault,
  type Lease,
  leaseFile,
  readLease,
  resolvText,
  type WanStates,
} from '../apply/wans.ts';
import type { Plan } from '../render/plan.ts';

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
  readonly #failed: (fault: DhcpFault, wan: string) => void;
  readonly #reported = new Map<string, Set<DhcpFault>>();
  #watcher: FSWatcher | null = null;
  #resolv = '';

  constructor(
    host: GatewayHost,
    run: string,
    learned: () => void = () => {},
    failed: (fault: DhcpFault, wan: string) => void = () => {},
  ) {
    this.#host = host;
    this.#run = run;
    this.#learned = learned;
    this.#failed = failed;
  }

  start(): void {
    mkdirSync(this.#run, { recursive: true, mode: 0o755 });
    this.#watcher = watch(this.#run, (_event, name) => {
      if (name === null || (/^(lease|dhcp)-/.test(name) && !name.endsWith('.new'))) void this.look();
    });
  }

  stop(): void {
    this.#watcher?.close();
  }

  /** Tells each kind of fault once until the line has a good lease. */
  #tellFaults({ dhcpClients, lines }: Plan): void {
    for (const { device } of dhcpClients) {
      const lease = leaseOf(this.#run, device);
      const fault = dhcpFault(this.#run, device, lease);
      if (fault === null && lease !== null) this.#reported.delete(device);
      const name = lines.find((wan) => wan.device === device)?.name;
      const reported = this.#reported.get(device) ?? new Set();
      if (fault === null || name === undefined || reported.has(fault)) continue;
      this.#reported.set(device, reported.add(fault));
      this.#failed(fault, name);
    }
  }

  async look(): Promise<void> {
    const { plan } = this.#host;
    const before = this.#host.lines;
    this.#tellFaults(plan);
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
