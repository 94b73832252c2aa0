import { type AnyEndpoint, grantable, type Permission, permissions, rolePermissions, roles } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byPath, guarded, knock, logHead, send } from './endpoints.ts';
import { host, makeSeed, type OwnedSeed } from './seed.ts';
import { seedPerson } from './seed-account.ts';
import { type As, startTestServer, type TestServer } from './server.ts';

/** Independent copy of the contract's role table. */
const reads = [
  'network.read',
  'config.read',
  'statistics.read',
  'user.read',
  'voucher.read',
  'job.read',
  'message.read',
] as const;
const operates = [
  ...reads,
  'network.write',
  'network.reboot',
  'remote.use',
  'config.write',
  'user.write',
  'guest.reception',
  'voucher.write',
  'job.write',
  'message.write',
] as const;
const manages = [
  ...operates,
  'config.secret',
  'remote.replay',
  'network.bind',
  'log.read',
  'account.read',
  'account.write',
  'billing.read',
  'billing.write',
] as const;
const table: Record<(typeof roles)[number], readonly Permission[]> = {
  owner: manages,
  admin: manages,
  operator: operates,
  marketing: ['network.read', 'statistics.read', 'user.read', 'voucher.read', 'message.read'],
  auditor: [...reads, 'log.read', 'account.read', 'billing.read'],
  billing: ['network.read', 'billing.read', 'billing.write', 'message.read'],
  reception: ['guest.reception', 'voucher.read', 'voucher.write'],
};

interface Caller {
  name: string;
  as: As;
  may: readonly Permission[];
  /** Permission that a delegation lacks; undefined for other callers. */
  lacks?: Permission | null;
}

let server: TestServer;
/** Never changed. */
let mine: OwnedSeed;
let callers: Caller[];

beforeAll(async () => {
  server = await startTestServer();
  mine = await makeSeed(server);
  const { accountId, token } = mine.owner;
  callers = [{ name: 'owner', as: { token }, may: table.owner }];
  for (const role of roles.filter((other) => other !== 'owner')) {
    const person = await seedPerson(server);
    await server.db.database.systemPool.query(
      'insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, $4)',
      [accountId, person.userId, person.accountId, role],
    );
    callers.push({ name: role, as: { token: person.token, account: accountId }, may: table[role] });
    callers.push({ name: `seen as ${role}`, as: { token, viewAs: `member:${person.userId}` }, may: table[role] });
  }
  for (const missing of [null, ...grantable]) {
    const guest = await seedPerson(server);
    const may = grantable.filter((permission) => permission !== missing);
    await host(server, accountId, guest.accountId, may);
    callers.push({
      name: `hosted without ${missing}`,
      as: { token: guest.token, account: accountId },
      may,
      lacks: missing,
    });
  }
  const own: Permission[][] = [
    ['network.read', 'network.reboot', 'job.read'],
    manages.filter((permission) => permission !== 'config.write'),
  ];
  for (const [at, may] of own.entries()) {
    const person = await seedPerson(server);
    const role = await server.call<{ id: string }>(
      '/api/v3/account/role/create',
      { name: `Own ${at}`, permissions: may },
      { token },
    );
    await server.db.database.systemPool.query(
      "insert into member (account_id, person_id, person_account_id, role, role_id) values ($1, $2, $3, 'custom', $4)",
      [accountId, person.userId, person.accountId, role.data.id],
    );
    callers.push({ name: `own role ${at}`, as: { token: person.token, account: accountId }, may });
    callers.push({ name: `seen as own role ${at}`, as: { token, viewAs: `member:${person.userId}` }, may });
  }
  // the account itself and the installation can never be delegated
  const sly = await seedPerson(server);
  await host(server, accountId, sly.accountId, permissions);
  callers.push({ name: 'hosted with all there is', as: { token: sly.token, account: accountId }, may: grantable });
});
afterAll(() => server.stop());

/** One answer for all endpoints of a class: the route's checks derive from these words alone. */
const classOf = ({ permission, effect, personal, method }: AnyEndpoint) =>
  [permission, effect, personal, method].join(' ');
const firstOfClass = new Set(new Map(guarded.toReversed().map((one) => [classOf(one), one])).values());

/**
 * The first endpoint of each class is asked by all callers; the others by one who may, one who may not, and the delegation
 * that lacks their permission. The endpoints take turns with the callers. `test:long` asks all everywhere.
 */
function asks(endpoint: AnyEndpoint): readonly Caller[] {
  if (process.env.LONG_TESTS === '1') return callers;
  const { permission } = endpoint;
  if (firstOfClass.has(endpoint))
    return callers.filter(({ lacks }) => lacks === undefined || lacks === null || lacks === permission);
  const whole = callers.filter(({ lacks }) => lacks === undefined || lacks === null);
  const turn = guarded.indexOf(endpoint);
  const oneOf = (some: readonly Caller[]) => some.slice(turn % (some.length || 1)).slice(0, 1);
  return [
    ...oneOf(whole.filter((caller) => expected(caller, endpoint) === null)),
    ...oneOf(whole.filter((caller) => expected(caller, endpoint) !== null)),
    ...callers.filter(({ lacks }) => lacks && lacks === permission),
  ];
}

function expected({ as, may }: Caller, { permission, effect }: AnyEndpoint) {
  if (permission && !may.includes(permission)) return { permission, reason: 'permission' };
  return as.viewAs && effect !== 'read' ? { permission, reason: 'viewing' } : null;
}

it('gives each role what it is for', () => {
  const sorted = (sets: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(sets).map(([role, set]) => [role, [...set].sort()]));
  expect(sorted(rolePermissions)).toEqual(sorted(table));
  expect(grantable).toEqual(manages.filter((permission) => !/^(account|billing)\./.test(permission)).sort(asListed));
});

const asListed = (a: Permission, b: Permission) => permissions.indexOf(a) - permissions.indexOf(b);

describe.each(byPath(guarded))('%s', (_path, endpoint) => {
  it('asks every role, every hosting and every view for its permission, and names what is missing', async () => {
    const before = await logHead(server, mine.owner.accountId);
    for (const caller of asks(endpoint)) {
      const refused = expected(caller, endpoint);
      if (refused) {
        const answer = await send(server, endpoint, mine.seed, caller.as);
        expect(answer, caller.name).toMatchObject({ status: 200, code: 4101 });
        expect(answer.data, caller.name).toEqual(refused);
        expect(answer.message, caller.name).not.toBe('');
      } else if (endpoint.effect === 'read' && !endpoint.personal) {
        expect((await send(server, endpoint, mine.seed, caller.as)).code, caller.name).toBe(2000);
      } else if (endpoint.method === 'POST') {
        const answer = await knock(server, endpoint, caller.as);
        expect(answer.status, `${caller.name}: ${answer.code} ${JSON.stringify(answer.data)}`).toBe(422);
      }
    }
    expect(await logHead(server, mine.owner.accountId)).toBe(before);
  });
});
