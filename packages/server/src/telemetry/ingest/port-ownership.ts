import type { Behind } from '../extract/stations.ts';

/** `direct` announce themselves there by LLDP. */
export interface Ownership {
  serials: Set<string>;
  direct: Set<string>;
}

/** Prefers a device that announces itself: the others' addresses pass through it. */
export function nearestOf({ serials, direct }: Ownership): Behind {
  const [only] = direct.size === 1 ? direct : serials.size === 1 ? serials : [''];
  return { serial: only!, port: null };
}
