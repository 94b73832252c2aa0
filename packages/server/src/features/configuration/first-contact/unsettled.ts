import type { Capabilities } from '@yunxun/contract/device';
import type { Tx } from '../../../platform/database/index.ts';
import type { ManagedDevice } from '../../fleet/index.ts';
import { isEdge } from '../compile/edge.ts';
import { readStates } from '../version-store.ts';
import { readContacts } from './contact-store.ts';

/** Returns whether the firmware can bridge LAN into WAN: only access points do. */
export function hasRoles({ capabilities }: Pick<ManagedDevice, 'capabilities'>): boolean {
  const reported = capabilities as Capabilities | null;
  return reported !== null && reported.platform !== 'switch' && !isEdge({ device: { capabilities: reported } });
}

/** Filters devices that must first report roles and clients; nothing is pushed before. */
export async function awaitingReport(
  tx: Tx,
  accountId: string,
  devices: readonly ManagedDevice[],
): Promise<ReadonlySet<string>> {
  const serials = devices.filter(hasRoles).map(({ serial }) => serial);
  const contacts = await readContacts(tx, accountId, serials);
  const without = serials.filter((serial) => !contacts.has(serial));
  const states = await readStates(tx, accountId, without);
  return new Set(
    serials.filter((serial) => {
      const contact = contacts.get(serial);
      return contact ? !contact.settled : (states.get(serial)?.state.active_uuid ?? null) === null;
    }),
  );
}
