import { networksOf, refusal } from '@yunxun/contract';
import type { Acting } from '../acting.ts';
import { againOnDeadlock } from '../database/deadlock.ts';
import type { Scope, Tx } from '../database/index.ts';
import { Failure } from '../failure.ts';
import type { Caller, Identity, InTenant, Route } from './call.ts';
import type { HttpOptions } from './http-options.ts';

export interface CallOf {
  identity: Identity;
  caller: Caller;
  setToken(token: string): void;
  undoes?: number;
}

/**
 * Runs permission, confirmation, validation, transaction, objects, handler. Handlers that wait for a device get no
 * transaction: it would occupy a connection.
 * @throws Failure, Invalid
 */
export async function perform(
  { database, objects }: HttpOptions,
  { endpoint, handle }: Route,
  check: (given: unknown) => unknown,
  given: unknown,
  { identity, caller, setToken, undoes }: CallOf,
): Promise<unknown> {
  const refused = refusal(identity.actor, endpoint);
  if (refused) throw new Failure('noPermission', { data: refused });
  if (endpoint.confirm && !identity.confirmedUntil) throw new Failure('confirmFirst');
  if (endpoint.interactive && identity.actor.token) throw new Failure('confirmFirst');
  const input = check(given);
  const { acting, scope } = requestScope(identity, endpoint.personal ?? false, caller);
  if (undoes !== undefined) acting.undoes = { accountId: acting.accountId, seq: undoes };
  const call = { caller, setToken, input: input as never, identity, acting };
  const inTenant: InTenant = (work) => database.withTenant(scope, work);
  const checkObjects = (tx: Tx) => refuseUnknown(tx, objects, endpoint.object, input as Record<string, unknown>);
  if (endpoint.ownTransaction) {
    await inTenant(checkObjects);
    return handle({ ...call, inTenant });
  }
  return againOnDeadlock(() =>
    inTenant(async (tx) => {
      await checkObjects(tx);
      return handle({ ...call, tx });
    }),
  );
}

/** Returns actor and scope: the current account, or the person's own. */
function requestScope({ actor }: Identity, personal: boolean, { ip }: Caller): { acting: Acting; scope: Scope } {
  const accountId = personal ? actor.homeAccountId : actor.accountId;
  const gwids = personal ? (actor.token?.gwids ?? null) : networksOf(actor);
  return {
    acting: { accountId, userId: actor.userId, actor, source: actor.token ? 'api' : 'web', ip },
    scope: { accountId, userId: actor.userId, gwids },
  };
}

async function refuseUnknown(
  tx: Tx,
  objects: HttpOptions['objects'],
  named: Readonly<Record<string, string>>,
  input: Record<string, unknown>,
): Promise<void> {
  for (const [field, kind] of Object.entries(named)) {
    const value = input[field];
    if (value === undefined || value === null) continue;
    const ids = (Array.isArray(value) ? value : [value]).map(String);
    const resolver = objects[kind];
    if (!resolver) throw new Error(`no resolver for objects of kind ${kind}`);
    const known = await resolver(tx, ids);
    if (ids.some((id) => !known.has(id))) throw new Failure('notFound');
  }
}
