import type { RemoteEndReason } from '@yunxun/contract';
import { asRecord, edgeToolMethod, remoteErrors, remoteLimits, replyMeaning, replyText } from '@yunxun/contract/device';
import { bySystem } from '../../platform/acting.ts';
import type { Database } from '../../platform/database/index.ts';
import { type DeviceCommands, DeviceError } from '../../uplink/index.ts';
import type { SessionEnds } from './ends.ts';

export interface DeviceRequestDeps {
  database: Database;
  devices: Pick<DeviceCommands, 'call'>;
  ends: SessionEnds;
  server(): { host: string; port: number };
}

export interface DeviceRequest {
  accountId: string;
  id: string;
  serial: string;
  token: string;
  agent: boolean;
}

export async function askDevice(
  { database, devices, ends, server }: DeviceRequestDeps,
  { accountId, id, serial, token, agent }: DeviceRequest,
): Promise<void> {
  const device = { accountId, serial };
  const asked = { accountId, ids: [id], waiting: true } as const;
  const fail = (reason: RemoteEndReason, detail: string | null) =>
    database.withSystem((tx) => ends.end(tx, bySystem(accountId), asked, reason, { detail }));
  const seconds = Math.round(remoteLimits.hard / 1000);
  const { host, port } = server();
  try {
    const result = agent
      ? await devices.call(
          device,
          edgeToolMethod,
          { tool: 'remote', session: id, token, server: host, port, seconds },
          { timeoutMs: remoteLimits.token },
        )
      : await devices.call(
          device,
          'rtty',
          { id: id.replaceAll('-', ''), token, server: host, port, timeout: seconds, user: 'yunxun' },
          { timeoutMs: remoteLimits.token },
        );
    if (replyMeaning(result) === 'done') return;
    const text = replyText(result).slice(0, 200) || null;
    const { error } = asRecord<{ error: unknown }>(result.status);
    await fail(agent && error === remoteErrors.failed ? 'unreachable' : 'refused', text);
  } catch (error) {
    if (error instanceof DeviceError) await fail('refused', error.message.slice(0, 200));
    else await fail('silent', null);
  }
}
