import type { GatewayHost } from '../apply/gateway-host.ts';
import type { Captive } from '../captive/index.ts';
import type { ConfigurationStore } from '../configuration-store.ts';
import { withoutConsole } from '../document/quiet.ts';
import type { Measures } from '../measure/index.ts';
import type { Plugins } from '../plugins/index.ts';
import type { Shield } from '../shield/index.ts';
import type { UnbindingOptions } from './unbinding.ts';

export interface ConsolePartsOptions {
  host: Pick<GatewayHost, 'plan'>;
  store: Pick<ConfigurationStore, 'rewrite'>;
  measures: Pick<Measures, 'watch'>;
  plugins: Pick<Plugins, 'start' | 'stop' | 'clear'>;
  captive: Pick<Captive, 'erase'>;
  shield: Pick<Shield, 'erase'>;
  reload(): Promise<void>;
}

/**
 * Removes and restores what the console had added, as a change like any other: journalled, and rolled back unless the
 * console answers. Its answer "unbound" counts.
 */
export function consoleParts(
  options: ConsolePartsOptions,
): Pick<UnbindingOptions, 'takeDown' | 'bringBack' | 'discard'> {
  const { host, store, measures, plugins, captive, shield, reload } = options;
  return {
    async takeDown() {
      await reload();
      const { networks, tunnels, schedule, ...plan } = host.plan;
      if (networks.length + tunnels.length > 0 || plan.shield || plan.captive || schedule) return false;
      measures.watch({ revision: '', targets: [] });
      await plugins.stop();
      return true;
    },
    async bringBack() {
      plugins.start();
      await reload();
    },
    async discard() {
      await plugins.clear();
      await captive.erase();
      shield.erase();
      store.rewrite(withoutConsole);
    },
  };
}
