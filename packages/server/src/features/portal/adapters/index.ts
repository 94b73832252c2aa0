import type { PortalGateway } from '@yunxun/contract';
import type { PortalAdapter } from './adapter.ts';
import { edge } from './edge.ts';
import { mikrotik } from './mikrotik.ts';
import { openNds1, openNds3, openNds4 } from './opennds.ts';
import { uam } from './uam.ts';

export const adapters: Readonly<Record<PortalGateway, PortalAdapter>> = {
  edge,
  opennds_1: openNds1,
  opennds_3: openNds3,
  opennds_4: openNds4,
  uam,
  mikrotik,
};

const gateways = Object.keys(adapters) as PortalGateway[];

export const reportingBy = (way: PortalAdapter['reportsBy']): PortalGateway[] =>
  gateways.filter((gateway) => adapters[gateway].reportsBy === way);

export const gatewayPaths = (): string[] => [...new Set(gateways.map((gateway) => adapters[gateway].path))];
