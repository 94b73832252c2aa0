import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Serial } from './shapes.ts';

export const deviceConfirm = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.bind',
  effect: 'write',
  object: { serials: 'device' },
  path: '/api/v3/device/confirm',
  summary: 'Confirms devices in the networks that they are in: they get the settings, Wi-Fi keys included.',
  body: Type.Object({ serials: Type.Array(Serial, { minItems: 1, maxItems: 200, uniqueItems: true }) }),
  data: Type.Object({ confirmed: Type.Integer() }),
  example: (seed) => ({ serials: [seed.unconfirmedDevice.serial] }),
});
