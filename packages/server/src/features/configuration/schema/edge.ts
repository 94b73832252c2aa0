import { edgeLimits } from '@yunxun/contract/device';
import {
  cidr4,
  closed,
  integer,
  ipv4,
  type JsonSchema,
  leaseTime,
  listOf,
  oneOf,
  pattern,
  text,
  uuid,
} from './parts.ts';

const sockets = (source: string) =>
  listOf(closed({ 'select-ports': listOf(pattern(source), { min: 1, max: 1 }) }, ['select-ports']), { min: 1, max: 1 });

const upstream = closed(
  {
    name: text(1, edgeLimits.name),
    role: { const: 'upstream' },
    ethernet: sockets('^WAN([1-9]\\d?|\\*)$'),
    ipv4: closed({ addressing: oneOf('dynamic') }, ['addressing']),
  },
  ['name', 'role', 'ethernet', 'ipv4'],
);

const dhcp = closed({ 'lease-start': ipv4, 'lease-end': ipv4, 'lease-time': leaseTime }, [
  'lease-start',
  'lease-end',
  'lease-time',
]);

const downstream = closed(
  {
    name: text(1, edgeLimits.name),
    role: { const: 'downstream' },
    ethernet: sockets('^LAN\\*$'),
    ipv4: closed({ addressing: { const: 'static' }, subnet: cidr4, dhcp }, ['addressing', 'subnet', 'dhcp']),
  },
  ['name', 'role', 'ethernet', 'ipv4'],
);

/** Documents for gateways on our own agent: what we emit of what it takes, and nothing else. */
export const edgeSchema: JsonSchema = closed(
  {
    uuid,
    unit: closed({ name: text() }, ['name']),
    interfaces: {
      ...listOf({ anyOf: [upstream, downstream] }, { min: 1, max: edgeLimits.interfaces }),
      contains: { type: 'object', properties: { role: { const: 'upstream' } }, required: ['role'] },
    },
    metrics: closed(
      {
        statistics: closed({ interval: integer(60), types: listOf(oneOf('clients')) }, ['interval', 'types']),
        health: closed({ interval: integer(60) }, ['interval']),
        realtime: closed({ types: listOf(oneOf('client', 'wired', 'health', 'unit')) }, ['types']),
      },
      ['statistics', 'health', 'realtime'],
    ),
    'third-party': closed(
      { yunxun: closed({ confirm_s: integer(edgeLimits.confirm.min, edgeLimits.confirm.max) }, ['confirm_s']) },
      ['yunxun'],
    ),
  },
  ['unit', 'interfaces', 'metrics', 'third-party'],
);
