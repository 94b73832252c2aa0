import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import { portalDraft, portalLimits } from './portal-draft.ts';
import type { Registered, TestServer } from './server.ts';

export async function makeGuests(
  server: TestServer,
  owner: Registered,
): Promise<Pick<Seed, 'portalNetwork' | 'portalSession' | 'portalVisit' | 'portalMember' | 'voucherBatch'>> {
  const call = async <T>(path: string, input: object): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/${path}`, input, owner);
    if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${answer.message}`);
    return answer.data;
  };
  const { gwid } = await call<{ gwid: string }>('network/create', { remark: 'Guests' });
  const methods = [...portalDraft().methods, { kind: 'dynamic_password', ...portalLimits }];
  const { id: template_id } = await call<{ id: string }>('auth_template/create', {
    name: 'Guests',
    ...portalDraft({ methods }),
  });
  await call('auth_template/publish', { id: template_id, revision: 1 });
  await call('portal/site/save', { gwid, enabled: true, template_id, gateway: 'uam' });
  const batch = {
    name: 'DayPass',
    count: 3,
    minutes: 60,
    devices: 1,
    valid_days: 30,
    characters: 'digits',
    length: 8,
  };
  const { id: batchId } = await call<{ id: string }>('portal/voucher/create', { gwid, ...batch });
  const account = { name: 'frontdesk', password: 'open4guests', enabled: true, until: null, devices: 3 };
  const { id: memberId } = await call<{ id: string }>('portal/member/create', { gwid, ...account });
  const id = newId();
  await server.db.database.systemPool.query(
    `insert into portal_session (account_id, id, gwid, ticket, state, device_key, mac, ip, verified, method, template_id,
       template_version, locale, minutes, up_kbps, down_kbps, devices, times_per_day, made_at, ready_at, offer_until, granted_at)
     values ($1, $2, $3, $4, 'online', '\\x01', '02:00:00:00:00:02', '192.168.77.2', true, 'password', $5,
       1, 'en', 0, 0, 0, 1, 0, now(), now(), now(), now())`,
    [owner.accountId, id, gwid, id.slice(0, 22), template_id],
  );
  const visitId = newId();
  await server.db.database.systemPool.query(
    `insert into portal_visit (account_id, id, gwid, at, device_key, mac, ip, verified)
     values ($1, $2, $3, now(), '\\x02', '02:00:00:00:00:03', '192.168.77.3', true)`,
    [owner.accountId, visitId, gwid],
  );
  return {
    portalNetwork: { gwid },
    portalSession: { id },
    portalVisit: { id: visitId },
    portalMember: { id: memberId },
    voucherBatch: { id: batchId },
  };
}
