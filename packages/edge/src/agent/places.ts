import { join } from 'node:path';

/** Where the agent keeps things. Folders are absolute. */
export interface Places {
  /** Identity, ports, options: `/etc/yunxun-edge`. Secrets are in here. */
  etc: string;
  /** What must survive a restart of the box: `/var/lib/yunxun-edge`. */
  state: string;
  /** Files of our own dnsmasq and DHCP clients, gone with the boot: `/run/yunxun-edge`. */
  run: string;
  /** The agent's own versions: `/var/lib/yunxun-edge/program`. */
  program: string;
}

/**
 * The folders, as the environment sets them: `YUNXUN_EDGE_ROOT` is put before all of them (tests, images),
 * `YUNXUN_EDGE_STATE` moves one (on OpenWrt `/var` does not survive a restart).
 */
export function placesOf(environment: Readonly<Record<string, string | undefined>>): Places {
  const root = environment.YUNXUN_EDGE_ROOT ?? '/';
  const state = join(root, environment.YUNXUN_EDGE_STATE ?? '/var/lib/yunxun-edge');
  return {
    etc: join(root, '/etc/yunxun-edge'),
    state,
    run: join(root, '/run/yunxun-edge'),
    program: join(state, 'program'),
  };
}
