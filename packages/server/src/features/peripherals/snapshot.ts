import type { DataOf, peripheralScan, RemoteReason } from '@yunxun/contract';
import {
  asRecord,
  asText,
  type EdgeToolResult,
  edgeSnapshotLimits,
  edgeSnapshotReasons,
  edgeToolMethod,
} from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import { DeviceError, DeviceOffline, DeviceTimeout } from '../../uplink/index.ts';
import { fleetGateways } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { ableGateway, type ScanDeps } from './scan.ts';
import { peripheralTarget } from './service.ts';

type Snapshot = DataOf<typeof peripheralScan.snapshot>;

const commandMs = edgeSnapshotLimits.ms + 5000;
const maxText = Math.ceil(edgeSnapshotLimits.bytes / 3) * 4;

export interface SnapshotDeps extends Pick<ScanDeps, 'clock' | 'devices'> {
  /** Whether an account allows remote access. */
  allowsRemote(tx: Tx, accountId: string): Promise<boolean>;
}

export function createSnapshot({ clock, devices, allowsRemote }: SnapshotDeps) {
  async function begin(tx: Tx, acting: Acting, id: string) {
    const found = await peripheralTarget(tx, acting.accountId, id);
    if (!found) throw new Failure('notFound');
    if (!(await allowsRemote(tx, acting.accountId)))
      throw new Failure('unsupported', { data: { reason: 'off' satisfies RemoteReason } });
    const { gwid, name, type, ip: address } = found;
    if (type !== 'camera') invalid('id', 'peripheral.no_camera');
    const port = found.web_port ?? invalid('id', 'peripheral.no_web_port');
    const { serial } = ableGateway((await fleetGateways.probing(tx, [gwid])).get(gwid), 'snapshot');
    await record(tx, acting, {
      action: 'peripheral.snapshot',
      object: { type: 'peripheral', id, name },
      gwid,
      command: true,
    });
    return { serial, address, port };
  }

  /** @throws Failure notFound, deviceOffline, unsupported; Invalid */
  return async (acting: Acting, inTenant: InTenant, id: string): Promise<Snapshot> => {
    const { serial, address, port } = await inTenant((tx) => begin(tx, acting, id));
    const ref = { accountId: acting.accountId, serial };
    const params = { tool: 'snapshot', address, port } as const;
    try {
      const reply = await devices.call(ref, edgeToolMethod, params, { timeoutMs: commandMs });
      const { error, text, tool } = asRecord<{ error: unknown; text: unknown; tool: unknown }>(reply.status);
      if (error !== 0) throw new Failure('unsupported', { data: { reason: asText(text, 200) || 'refused' } });
      return { at: clock.now().toISOString(), ...readSnapshot(asRecord<EdgeToolResult>(tool).snapshot) };
    } catch (error) {
      if (error instanceof DeviceOffline || error instanceof DeviceTimeout)
        return { at: clock.now().toISOString(), picture: null, reason: 'gateway' };
      if (error instanceof DeviceError)
        throw new Failure('unsupported', { data: { reason: error.message.slice(0, 200) } });
      throw error;
    }
  };
}

function readSnapshot(given: unknown): Pick<Snapshot, 'picture' | 'reason'> {
  const { picture, reason } = asRecord<{ picture: unknown; reason: unknown }>(given);
  if (typeof picture === 'string' && picture.length <= maxText) {
    const bytes = Buffer.from(picture, 'base64');
    if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff)
      return { picture: bytes.toString('base64'), reason: null };
  }
  return { picture: null, reason: edgeSnapshotReasons.find((one) => one === reason) ?? 'wrong' };
}
