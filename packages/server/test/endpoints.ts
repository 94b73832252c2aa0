import { type AnyEndpoint, api, type Seed } from '@yunxun/contract';
import type { Answer, As, TestServer } from './server.ts';

export const endpoints = Object.values(api).flatMap((group) =>
  Object.values(group).filter((member) => 'path' in member),
) as AnyEndpoint[];

export const guarded = endpoints.filter((endpoint) => endpoint.access === 'user');

export const byPath = (some: readonly AnyEndpoint[]) => some.map((endpoint) => [endpoint.path, endpoint] as const);

export function send(server: TestServer, endpoint: AnyEndpoint, seed: Seed, as: As): Promise<Answer> {
  const input = endpoint.example(seed) as Record<string, unknown>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
  return endpoint.method === 'GET' ? server.get(path, as) : server.call(path, input, as);
}

/** Sends invalid input: 422 means authorized, and nothing runs. */
export function knock(server: TestServer, endpoint: AnyEndpoint, as: As): Promise<Answer> {
  return server.call(endpoint.path, [], as);
}

export function namesObjects(endpoint: AnyEndpoint, seed: Seed, seen?: string): boolean {
  const input = endpoint.example(seed) as Record<string, unknown>;
  return Object.keys(endpoint.object)
    .flatMap((field) => input[field] ?? [])
    .some((id) => id !== seen);
}

export function markers(seed: Seed): string[] {
  const { network, device, waitingDevice, station, blockedStation, job, message, member, delegation, invitation } =
    seed;
  const { view, group, template, change, password } = seed;
  const terminals = [station.mac, blockedStation.mac];
  const ids = [network.gwid, device.serial, waitingDevice.serial, ...terminals, job.id, message.id];
  return [...ids, member.id, delegation.id, invitation.id, view.id, group.id, template.id, change.id, password.id];
}

/** Returns a number that every change increases. */
export async function logHead(server: TestServer, accountId: string): Promise<number> {
  const { rows } = await server.db.database.systemPool.query<{ seq: number }>(
    'select seq from operation_log_head where account_id = $1',
    [accountId],
  );
  return rows[0]?.seq ?? 0;
}

export async function administer(server: TestServer, personId: string, administers = true): Promise<void> {
  await server.db.database.systemPool.query('update person set administers = $2 where id = $1', [
    personId,
    administers,
  ]);
}
