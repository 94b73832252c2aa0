import type { EdgeService, ServedService as ServedName } from '@yunxun/contract/device';
import type { ServedService, Service } from './service.ts';

export const servedServices: Readonly<Record<ServedName, ServedService>> = {};

export const services: Readonly<Record<EdgeService, Service>> = {
  ssh: { opens: ({ sshPort }) => ({ protocol: 'tcp', port: sshPort }) },
  ...servedServices,
};
