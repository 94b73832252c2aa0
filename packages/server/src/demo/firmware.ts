import { createHash } from 'node:crypto';
import type { Call } from './call.ts';

/** Version that simulated devices report after the upgrade. */
const version = 'SIM-v5.2.0';
const models = ['Edgecore EAP102', 'YunCore AX840', 'CIG WF-196', 'GL.iNet AX1800'];

/** Adds an image for the account's simulated access points unless it exists. */
export async function addDemoImage(call: Call): Promise<void> {
  const { list } = await call<{ list: object[] }>('/api/v3/firmware/image/list', { page: 1, limit: 10 });
  if (list.length > 0) return;
  // simulated devices download and discard the image: any bytes work
  const image = Buffer.alloc(256 * 1024, `Firmware image of the Yunxun simulator, ${version}\n`);
  const { id } = await call<{ id: string }>('/api/v3/firmware/image/create', {
    version,
    models,
    name: `OpenLAN-${version}-sysupgrade.bin`,
    size: image.length,
    sha256: createHash('sha256').update(image).digest('hex'),
  });
  await call('/api/v3/firmware/image/part', { id, part: 0, data: image.toString('base64') });
  await call('/api/v3/firmware/image/finish', { id });
}
