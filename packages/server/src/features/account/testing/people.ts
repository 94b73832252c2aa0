import type { Role } from '@yunxun/contract';
import { type SeededPerson, seedPerson } from '../../../../test/seed-account.ts';
import type { As, TestServer } from '../../../../test/server.ts';

/** Invites a person through the public endpoints and accepts. */
export async function join(
  server: TestServer,
  into: { token: string; accountId: string },
  role: Exclude<Role, 'owner'> | { role_id: string },
  gwids: string[] | null = null,
): Promise<SeededPerson & { inside: As }> {
  const person = await seedPerson(server);
  const invited = await server.call<{ url: string }>(
    '/api/v3/account/member/invite',
    { login: person.email, gwids, ...(typeof role === 'string' ? { role } : { role: 'custom', ...role }) },
    { token: into.token, account: into.accountId },
  );
  const token = new URL(invited.data.url).pathname.split('/').at(-1);
  const accepted = await server.call('/api/v3/account/invitation/accept', { token }, person);
  if (accepted.code !== 2000) throw new Error(`invitation: ${accepted.code} ${accepted.message}`);
  return { ...person, inside: { token: person.token, account: into.accountId } };
}

export async function network(server: TestServer, as: As, remark: string): Promise<string> {
  return (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, as)).data.gwid;
}

export async function log(server: TestServer, as: As) {
  const { data } = await server.call<{ list: LogRow[] }>('/api/v3/log/action/list', { limit: 50 }, as);
  return data.list;
}

export interface LogRow {
  seq: number;
  action: string;
  operator: string;
  hosted: boolean;
  ip: string | null;
  object: { type: string; id: string; name: string };
  before: unknown;
  after: unknown;
}

export async function inbox(server: TestServer, as: As) {
  const { data } = await server.call<{ list: { template: string; link: string | null; params: object }[] }>(
    '/api/v3/message/list',
    {},
    as,
  );
  return data.list;
}
