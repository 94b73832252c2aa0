import { deviceForm } from '@yunxun/contract/device';
import type { Port } from './document.ts';
import { type DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';
import type { ShapedInterface } from './shape.ts';

export class Sockets {
  readonly #facts: Facts;
  readonly #errors: DocumentErrors;
  /** `eth1 20` → interface; 0: untagged. */
  readonly #taken = new Map<string, string>();

  constructor(facts: Facts, errors: DocumentErrors) {
    this.#facts = facts;
    this.#errors = errors;
  }

  take(shaped: ShapedInterface, path: string): Port[] {
    const chosen = new Map<string, Port>();
    for (const [index, entry] of (shaped.ethernet ?? []).entries()) {
      const at = `${path}/ethernet/${index}`;
      const tagged = this.#isTagged(shaped, entry['vlan-tag'] ?? 'auto', at);
      for (const [position, pattern] of (entry['select-ports'] ?? []).entries()) {
        const below = `${at}/select-ports/${position}`;
        const names = this.#matching(pattern);
        if (names.length === 0) this.#errors.error(below, `${quote(pattern)} is not a port of this gateway`);
        for (const name of names) {
          if (chosen.has(name)) {
            this.#errors.error(below, `${quote(name)} is selected twice`);
            continue;
          }
          chosen.set(name, { name, device: this.#facts.ports[name]!, tagged });
          this.#claim(name, tagged ? (shaped.vlan?.id ?? 0) : 0, shaped.name ?? '', below);
        }
      }
    }
    return [...chosen.values()].toSorted((a, b) => comparePorts(a.name, b.name));
  }

  /** Follows the firmware: `auto` is tagged on an upstream VLAN, untagged elsewhere. */
  #isTagged({ role, vlan }: ShapedInterface, tag: 'tagged' | 'un-tagged' | 'auto', at: string): boolean {
    const tagged = tag === 'tagged' || (tag === 'auto' && role === 'upstream' && vlan !== undefined);
    if (!tagged) return false;
    if (vlan === undefined) this.#errors.error(`${at}/vlan-tag`, 'tagged, but the interface has no vlan');
    else if (!this.#facts.abilities.vlan)
      this.#errors.error(`${at}/vlan-tag`, 'this gateway cannot tag: its kernel has no VLAN devices');
    return true;
  }

  #matching(pattern: string): string[] {
    const names = Object.keys(this.#facts.ports);
    const found = pattern.endsWith('*')
      ? names.filter((name) => name.startsWith(pattern.slice(0, -1)))
      : names.filter((name) => name === pattern);
    return found.filter((name) => deviceForm.test(this.#facts.ports[name]!)).toSorted(comparePorts);
  }

  #claim(port: string, vlan: number, owner: string, path: string): void {
    const key = `${this.#facts.ports[port]} ${vlan}`;
    const other = this.#taken.get(key);
    if (other === undefined) this.#taken.set(key, owner);
    else
      this.#errors.error(
        path,
        `${quote(port)} is ${vlan === 0 ? 'untagged' : `in VLAN ${vlan}`} in ${quote(other)} already`,
      );
  }
}

/** Sorts LAN2 before LAN10. */
export function comparePorts(a: string, b: string): number {
  const [left, right] = [splitPort(a), splitPort(b)];
  if (left.word !== right.word) return left.word < right.word ? -1 : 1;
  return left.number - right.number || (a < b ? -1 : a > b ? 1 : 0);
}

function splitPort(name: string): { word: string; number: number } {
  const digits = /\d*$/.exec(name)![0];
  return { word: name.slice(0, name.length - digits.length), number: Number(digits) };
}
