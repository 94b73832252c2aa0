import type { Behind } from '../extract/stations.ts';

/** Serials on a port; `direct` are those that announce themselves there by LLDP. */
export interface Ownership {
  serials: Set<string>;
  direct: Set<string>;
}

/** A device that announces itself is nearer than those whose addresses pass through it. */
export function nearestOf({ serials, direct }: Ownership): Behind {
  const [only] = direct.size === 1 ? direct : serials.size === 1 ? serials : [''];
  return { serial: only!, port: null };
}
