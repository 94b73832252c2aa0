/** How a tunnel is drawn, in the order of the legend. */
export const lines = ['carrying', 'detour', 'idle', 'down', 'unknown'] as const;
export type Line = (typeof lines)[number];

interface Tunnel {
  state: 'up' | 'down' | null;
  idle?: boolean;
  detour?: boolean;
}

export function lineOf({ state, idle, detour }: Tunnel): Line {
  if (state === 'down') return 'down';
  if (state === null) return 'unknown';
  if (idle) return 'idle';
  return detour ? 'detour' : 'carrying';
}
