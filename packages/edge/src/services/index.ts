import type { EdgeService, ServedService as ServedName } from '@yunxun/contract/device';
import { ntp } from './ntp.ts';
import type { ServedService, Service } from './service.ts';

export const servedServices: Readonly<Record<ServedName, ServedService>> = { ntp };

export const services: Readonly<Record<EdgeService, Service>> = {
  ssh: { opens: ({ sshPort }) => ({ protocol: 'tcp', port: sshPort }) },
  ...servedServices,
};
