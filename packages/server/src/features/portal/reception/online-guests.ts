import type { portal as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { PortalSecrets } from '../secrets.ts';
import { reportedBytes } from '../session-bytes.ts';
import { takesEnd } from '../session-ends.ts';
import { sessionsMatching } from '../session-search.ts';
import { listOnline } from '../session-store.ts';
import { findSite } from '../site-store.ts';
import { extendHindranceOf } from './extend-session.ts';

type Endpoint = (typeof contract)['online'];

interface Asked extends Omit<InputOf<Endpoint>, 'sort'> {
  sort?: Parameters<typeof listOnline>[3]['sort'];
}

export interface OnlineGuestsDeps {
  clock: Clock;
  secrets: PortalSecrets;
}

/** Lists guests with their phone numbers. */
export async function onlineGuests(
  tx: Tx,
  { clock, secrets }: OnlineGuestsDeps,
  accountId: string,
  input: Asked,
): Promise<DataOf<Endpoint>> {
  const { gwid, page = 1, limit = 10, keyword = '', sort = 'granted_at', order = 'desc' } = input;
  const site = await findSite(tx, accountId, gwid);
  if (!site) return { list: [], total: 0 };
  const matching = sessionsMatching(secrets, accountId, keyword);
  const asked = { matching, limit, offset: (page - 1) * limit, sort, order };
  const { rows, total } = await listOnline(tx, { accountId, gwid }, clock.now(), asked);
  const list = rows.map((session) => ({
    id: session.id,
    mac: session.mac,
    verified: session.verified,
    ip: session.ip,
    method: session.method,
    identity: session.identity,
    ...reportedBytes(session),
    granted_at: session.granted_at!.toISOString(),
    expires_at: session.expires_at?.toISOString() ?? null,
    extend_hindrance: extendHindranceOf(session, site),
    signs_out: takesEnd(session, site.gateway),
  }));
  return { list, total };
}
