import { join } from 'node:path';
import { asList, asNumber, asRecord, asText, captiveForms, edgeCaptiveLimits } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';

export interface Grant {
  ticket: string;
  mac: string;
  /** Unix seconds; null: no limit. */
  until: number | null;
  /** Counters of the client at the grant. */
  rx: number;
  tx: number;
  /** 0: no limit. */
  upKbps: number;
  downKbps: number;
}

/** By MAC, on disk until their time is over. */
export class Grants {
  readonly #file: string;
  readonly #grants = new Map<string, Grant>();

  constructor(stateFolder: string) {
    this.#file = join(stateFolder, 'captive.json');
    const kept = asList(asRecord<{ grants: unknown }>(readJson(this.#file)).grants);
    for (const grant of kept.flatMap(readGrant)) this.#grants.set(grant.mac, grant);
  }

  get all(): readonly Grant[] {
    return [...this.#grants.values()];
  }

  of(mac: string): Grant | undefined {
    return this.#grants.get(mac);
  }

  isFullFor(mac: string): boolean {
    return !this.#grants.has(mac) && this.#grants.size >= edgeCaptiveLimits.guests;
  }

  /** @throws file system errors */
  put(grant: Grant): void {
    const before = this.#grants.get(grant.mac);
    this.#grants.set(grant.mac, grant);
    try {
      this.#save();
    } catch (error) {
      if (before) this.#grants.set(grant.mac, before);
      else this.#grants.delete(grant.mac);
      throw error;
    }
  }

  /** @throws file system errors; the clients are forgotten all the same */
  remove(macs: readonly string[]): void {
    if (macs.length === 0) return;
    for (const mac of macs) this.#grants.delete(mac);
    this.#save();
  }

  /** Returns clients whose time is over at `now`, Unix seconds. */
  over(now: number): string[] {
    return this.all.flatMap(({ mac, until }) => (until !== null && until <= now ? [mac] : []));
  }

  #save(): void {
    writeDurably(this.#file, JSON.stringify({ grants: this.all }));
  }
}

/** Returns kbit/s, 0 if missing, null if malformed. */
export function readRate(value: unknown): number | null {
  if (value === undefined) return 0;
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= edgeCaptiveLimits.kbps
    ? (value as number)
    : null;
}

function readGrant(entry: unknown): Grant[] {
  const { ticket, mac, until, rx, tx, upKbps, downKbps } = asRecord<Grant>(entry);
  const [own, of] = [asText(ticket, 64), asText(mac, 17)];
  if (own === null || !captiveForms.ticket.test(own) || of === null || !/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(of))
    return [];
  const counted = { rx: asNumber(rx) ?? 0, tx: asNumber(tx) ?? 0 };
  const rates = { upKbps: readRate(upKbps) ?? 0, downKbps: readRate(downKbps) ?? 0 };
  return [{ ticket: own, mac: of, until: asNumber(until), ...counted, ...rates }];
}
