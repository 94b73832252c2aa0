import { randomBytes } from 'node:crypto';
import { askServer } from '../names/dns-query.ts';
import type { Plan } from '../render/plan.ts';

export interface ProofOptions {
  readLog?(): void;
  /** Returns the resolver's answer as a code of c-ares; null for addresses. */
  ask?(address: string, name: string): Promise<string | null>;
  pause?(): Promise<void>;
}

const maxLooks = 5;

const askOnce = async (address: string, name: string): Promise<string | null> => {
  const answer = await askServer({ address, from: null }, name, { timeout: 1000, tries: 1 });
  return 'code' in answer ? answer.code : null;
};

const aMoment = () => new Promise<void>((resolve) => setTimeout(resolve, 100));

/**
 * Asks the gateway's own resolver for a name below a listed domain. It counts as refused only if the answer is "no such
 * name" and the resolver's log blames its configuration: another resolver, or a dead domain, would answer the same.
 */
export function createProof({ readLog, ask = askOnce, pause = aMoment }: ProofOptions) {
  let asked: string | null = null;
  let isLogged = false;
  return {
    /** Takes a name that the resolver's log has; returns whether it is the proof's own. */
    logged(name: string, refused: boolean): boolean {
      if (name !== asked) return false;
      if (refused) isLogged = true;
      return true;
    },
    async refuses(plan: Plan, domain: string): Promise<boolean> {
      const name = `yunxun-${randomBytes(4).toString('hex')}.${domain}`;
      [asked, isLogged] = [name, false];
      for (const address of servedAddresses(plan)) {
        if ((await ask(address, name)) !== 'ENOTFOUND') continue;
        for (let look = 0; look < maxLooks; look += 1) {
          readLog?.();
          if (isLogged) return true;
          await pause();
        }
      }
      return false;
    },
  };
}

function servedAddresses({ addresses, layout }: Plan): string[] {
  const lans = new Set(layout.interfaces.flatMap(({ role, device }) => (role === 'downstream' ? [device] : [])));
  return addresses.filter(({ device }) => lans.has(device)).map(({ address }) => address.replace(/\/.*$/, ''));
}
