import { join } from 'node:path';

export interface Places {
  etc: string;
  /** Survives a reboot: `/var/lib/yunxun-edge`. */
  state: string;
  /** Lost at reboot: `/run/yunxun-edge`. */
  run: string;
  program: string;
}

/**
 * Prefixes all with `YUNXUN_EDGE_ROOT` (tests, images); `YUNXUN_EDGE_STATE` moves one (OpenWrt loses `/var` at reboot).
 */
export function placesOf(environment: Readonly<Record<string, string | undefined>>): Places {
  // the launcher passes unset variables as empty
  const root = environment.YUNXUN_EDGE_ROOT || '/';
  const state = join(root, environment.YUNXUN_EDGE_STATE || '/var/lib/yunxun-edge');
  return {
    etc: join(root, '/etc/yunxun-edge'),
    state,
    run: join(root, '/run/yunxun-edge'),
    program: join(state, 'program'),
  };
}
