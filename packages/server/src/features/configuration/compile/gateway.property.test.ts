import type { gateway } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { type Facts, readDocument } from '../../../../../edge/src/document/index.ts';
import { Invalid } from '../../../platform/failure.ts';
import { checkGateway } from '../gateway-check.ts';
import { findSchemaErrors } from '../schema/check.ts';
import { diff } from './diff.ts';
import { compile, fingerprint, withUuid } from './index.ts';
import { anySettings, sockets } from './testing/gateway.ts';
import { input } from './testing/samples.ts';

const facts: Facts = {
  ports: Object.fromEntries(sockets.map((socket, index) => [socket, `eth${index}`])),
  abilities: { vlan: true, shaping: true, ifb: true, fqCodel: true, dhcpClient: true, dnsmasq: true },
  mtus: Object.fromEntries(sockets.map((socket) => [socket, { min: 68, max: 9194 }])),
  folders: { run: '/run/yunxun-edge', state: '/var/lib/yunxun-edge' },
};
const capabilities: Capabilities = {
  platform: 'olg',
  compress_cmd: true,
  network: Object.fromEntries(sockets.map((socket, index) => [socket, [`eth${index}`]])),
  yunxun: {
    agent: '0.1.0',
    abilities: { ...facts.abilities, wanRoutes: true, ntp: true },
    mtus: { ...facts.mtus },
    missing: [],
    allowed: { reboot: true, scripts: false },
  },
};
const compiled = (settings: gateway.GatewaySettings) =>
  compile({ ...input({}, { kind: 'gateway', routes: true, capabilities }), gateway: settings });

function isAccepted(settings: gateway.GatewaySettings): boolean {
  try {
    checkGateway(settings);
    return true;
  } catch (error) {
    if (error instanceof Invalid) return false;
    throw error;
  }
}

const accepted = anySettings.filter(isAccepted);

describe('any settings of a gateway that are accepted', () => {
  it('are a good part of those that are tried', () => {
    const tried = fc.sample(anySettings, { numRuns: 400, seed: 5 });
    const share = tried.filter(isAccepted).length / tried.length;
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.9);
  });

  it('are a document that our schema and the agent itself take whole', () => {
    fc.assert(
      fc.property(accepted, (settings) => {
        const { document, findings } = compiled(settings);
        expect(findings).toEqual([]);
        expect(findSchemaErrors(withUuid(document, 5), 'edge')).toEqual([]);
        expect(readDocument(withUuid(document, 5), facts)).toMatchObject({ rejected: [] });
      }),
      runs(50, 200),
    );
  });

  it('are the same document in whatever order what has no rank comes', () => {
    fc.assert(
      fc.property(accepted, (settings) => {
        const turned = {
          ...settings,
          networks: settings.networks.toReversed().map((network) => ({
            ...network,
            ports: network.ports.toReversed(),
            tagged: network.tagged.toReversed(),
            leases: network.leases.toReversed(),
          })),
          forwards: settings.forwards.toReversed(),
          routes: settings.routes.toReversed(),
          limits: settings.limits.toReversed(),
          reboot: settings.reboot && { ...settings.reboot, days: settings.reboot.days.toReversed() },
        };
        const [one, other] = [compiled(settings).document, compiled(turned).document];
        expect(fingerprint(other)).toBe(fingerprint(one));
        expect(diff(one, other)).toEqual([]);
      }),
      runs(25, 100),
    );
  });

  it('reach the agent without a loss', () => {
    fc.assert(
      fc.property(accepted, (settings) => {
        const read = readDocument(compiled(settings).document, facts);
        if ('refused' in read) throw new Error(read.refused.join('\n'));
        const { uplinks, networks, routes, wanRoutes, limits, reboot, confirmS, timeZone } = read.document;
        expect(uplinks.map(({ name, port }) => `${name} ${port.name}`)).toEqual(
          settings.lines.map(({ name, port }) => `${name} ${port}`),
        );
        expect(uplinks.map(({ vlan, mtu, mac }) => [vlan, mtu, mac])).toEqual(
          settings.lines.map(({ vlan, mtu, mac }) => [vlan ?? 0, mtu ?? null, mac ?? null]),
        );
        expect(uplinks.map(({ services, metered }) => [services.includes('ssh'), metered])).toEqual(
          settings.lines.map(({ ssh, metered }) => [ssh, metered]),
        );
        expect(
          networks
            .filter(({ services }) => services.includes('ssh'))
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(settings.networks.flatMap(({ name, ssh, vlan }) => (ssh && vlan !== null ? [name] : [])).toSorted());
        expect(networks.filter(({ services }) => services.includes('ntp'))).toHaveLength(
          settings.networks.filter(({ ntp }) => ntp).length,
        );
        expect(uplinks.map(({ downKbps }) => downKbps)).toEqual(
          settings.lines.map(({ down_mbps: down }) => down && down * 1000),
        );
        const count = (of: (network: (typeof networks)[number]) => readonly unknown[]) =>
          networks.reduce((sum, network) => sum + of(network).length, 0);
        expect(count(({ leases }) => leases)).toBe(settings.networks.flatMap(({ leases }) => leases).length);
        expect(count(({ forwards }) => forwards)).toBe(settings.forwards.length);
        expect(networks.map(({ dhcp }) => dhcp && dhcp.last - dhcp.first + 1).toSorted()).toEqual(
          settings.networks.map(({ pool }) => pool?.count ?? null).toSorted(),
        );
        expect([routes.length + wanRoutes.length, limits.length]).toEqual([
          settings.routes.length,
          settings.limits.length,
        ]);
        const names = settings.lines.map(({ name }) => name);
        expect(wanRoutes.map(({ uplink }) => uplink).toSorted()).toEqual(
          settings.routes.flatMap(({ via }) => (names.includes(via) ? [via] : [])).toSorted(),
        );
        expect(confirmS).toBe(settings.confirm_s);
        expect([reboot?.days.length, timeZone]).toEqual([
          settings.reboot?.days.length,
          settings.reboot?.time_zone ?? null,
        ]);
      }),
      runs(50, 200),
    );
  });
});
