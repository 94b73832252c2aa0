import { edgeServices, servedServices as names } from '@yunxun/contract/device';
import type { EdgeDocument } from '../document/document.ts';
import { servedServices, services } from '../services/index.ts';
import type { ServedService } from '../services/service.ts';
import { address, device, whole } from './encode.ts';
import { devicesOf, rule } from './firewall.ts';
import type { PlanService } from './plan.ts';
import type { Lan, Wan } from './wiring.ts';

export function planServices(document: EdgeDocument, lans: readonly Lan[]): PlanService[] {
  return lans.flatMap(({ subnet, services: own }) =>
    names.flatMap((service) => {
      const { opens }: ServedService = servedServices[service];
      if (!subnet || !own.includes(service)) return [];
      return [{ service, address: address(subnet.address), port: opens(document).port }];
    }),
  );
}

export function openServices(document: EdgeDocument, wans: readonly Wan[], lans: readonly Lan[]): string[] {
  const closed = [...wans, ...lans.filter(({ vlan }) => vlan !== 0)];
  return edgeServices.flatMap((service) => {
    const { protocol, port } = services[service].opens(document);
    const on = devicesOf(closed.filter((one) => one.services.includes(service)));
    return rule(on, (from) => `iifname ${from} ${protocol} dport ${whole(port)} accept`);
  });
}

export function serviceOptions(lan: Lan): string[] {
  const { subnet, services: own } = lan;
  if (!subnet) return [];
  return names.flatMap((service) => {
    const { dhcpOption } = servedServices[service];
    if (!own.includes(service) || dhcpOption === undefined) return [];
    return [`dhcp-option=tag:${device(lan.device)},option:${dhcpOption},${address(subnet.address)}`];
  });
}
