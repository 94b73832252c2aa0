import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabConsole } from './lab-console.ts';

/** A box with a host in its LAN, in an account that allows remote access. */
export interface RemoteBox {
  gwid: string;
  /** Address of the host `a`. */
  device: string;
  /** Replaces what is registered. @returns its id */
  register(host: { name: string; type: string } & Partial<Record<`${string}_port`, number>>): Promise<string>;
}

/** Only inside a test. */
export async function startRemoteBox(lab: LabConsole): Promise<RemoteBox> {
  const { ask, folder, owner } = lab;
  execFileSync('chmod', ['755', folder]);
  const { gwid } = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).data;
  await lab.lab.run('gw', 'sh', '-c', lab.line(owner.bindingCode, gwid));
  const identity = readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8');
  const { serial } = JSON.parse(identity) as { serial: string };
  lab.startAgent();
  await lab.online(serial);
  await lab.configure(gwid);
  const device = (await lab.lab.lease('a')).address;
  await ask('/api/v3/remote/settings/save', { enabled: true, version: 1 });
  return {
    gwid,
    device,
    async register(host) {
      const { data: known } = await ask<{ list: { id: string }[] }>('/api/v3/peripheral/list', { page: 1, limit: 50 });
      if (known.list.length > 0) await ask('/api/v3/peripheral/delete', { ids: known.list.map(({ id }) => id) });
      const ports = { detect_port: null, web_port: null, shell_port: null };
      const asked = { gwid, ip: device, mode: 'icmp', ...ports, ...host };
      return (await ask<{ id: string }>('/api/v3/peripheral/create', asked)).data.id;
    },
  };
}
