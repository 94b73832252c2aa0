import { Type } from 'typebox';
import { edgeCaptiveLimits } from './device/edge-captive.ts';
import { edgeLimits } from './device/edge-limits.ts';
import { FreeText, Id, Nullable, Words } from './shapes.ts';

export const captiveReasons = ['no_gateway', 'never_connected', 'not_agent', 'version', 'no_resolver'] as const;
export type CaptiveReason = (typeof captiveReasons)[number];

export const captiveLacks = [
  'rates_version',
  'rates_kernel',
  'away_version',
  'ranges_version',
  'bridge_kernel',
] as const;
export type CaptiveLack = (typeof captiveLacks)[number];

export const ssidObstacles = ['ssid_untagged', 'ssid_no_lan'] as const;

export const captiveLimits = {
  exempt: 100,
  remark: 60,
  ranges: edgeCaptiveLimits.ranges,
  ssids: 16,
  range: 33,
} as const;

const Lan = Type.String({ maxLength: edgeLimits.name });

export const Captive = Type.Object({
  /** LANs whose clients sign in. A VLAN of the gateway is a LAN. */
  lans: Type.Array(Lan, { maxItems: edgeLimits.interfaces, uniqueItems: true }),
  /** Of a LAN with some, only these IPv4 addresses sign in: `first-last`, CIDR or one address. */
  ranges: Type.Array(Type.Object({ lan: Lan, range: Type.String({ minLength: 1, maxLength: captiveLimits.range }) }), {
    maxItems: captiveLimits.ranges,
  }),
  /** Each adds the LAN of its VLAN. */
  ssids: Type.Array(Id, { maxItems: captiveLimits.ssids, uniqueItems: true }),
  exempt_macs: Type.Array(Type.String({ pattern: '^([0-9a-f]{2}:){5}[0-9a-f]{2}$', hint: 'mac' }), {
    maxItems: captiveLimits.exempt,
    uniqueItems: true,
  }),
  exempt_addresses: Type.Array(Type.String({ maxLength: 45 }), { maxItems: captiveLimits.exempt, uniqueItems: true }),
  exempt_remarks: Type.Array(
    Type.Object({ device: Type.String({ maxLength: 45 }), remark: FreeText(captiveLimits.remark) }),
    {
      maxItems: 2 * captiveLimits.exempt,
    },
  ),
});

export const Edge = Type.Object({
  reason: Nullable(Words(captiveReasons)),
  lans: Type.Array(
    Type.Object({ name: Type.String(), vlan: Nullable(Type.Integer()), subnet: Nullable(Type.String()) }),
  ),
  ssids: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      vlan: Nullable(Type.Integer()),
      lan: Nullable(Type.String()),
      obstacle: Nullable(Words(ssidObstacles)),
    }),
  ),
  in_force: Type.Boolean(),
  lacks: Type.Array(Words(captiveLacks)),
});
