import { closed, flag, integer, listOf, oneOf, pattern, text, uuid } from './parts.ts';

const ports = listOf(pattern('^Ethernet[0-9]{1,3}$'), { min: 1 });

/** Emitted part of schema 5.0.0. */
export const switchSchema = closed(
  {
    uuid,
    unit: closed({ name: text() }, ['name']),
    ethernet: listOf(
      closed(
        {
          'select-ports': ports,
          speed: oneOf(10, 100, 1000, 2500, 5000, 10_000, 25_000, 40_000, 50_000, 100_000, 200_000),
          duplex: oneOf('half', 'full'),
          enabled: flag,
          poe: closed({ 'admin-mode': flag, 'do-reset': flag }, ['admin-mode']),
        },
        ['select-ports', 'speed', 'duplex', 'enabled'],
      ),
      { min: 1 },
    ),
    switch: closed({
      'loop-detection': closed(
        {
          protocol: oneOf('none', 'stp', 'rstp', 'mstp', 'pvstp', 'rpvstp'),
          instances: listOf(closed({ id: integer(1, 4094), enabled: flag }, ['id', 'enabled'])),
        },
        ['protocol'],
      ),
    }),
    interfaces: listOf(
      closed(
        {
          name: text(1, 32),
          role: { const: 'upstream' },
          services: listOf(oneOf('lldp')),
          vlan: closed({ id: integer(1, 4094), proto: oneOf('802.1q') }, ['id']),
          ethernet: listOf(
            closed({ 'select-ports': ports, 'vlan-tag': oneOf('tagged', 'un-tagged') }, ['select-ports', 'vlan-tag']),
          ),
          ipv4: closed({ addressing: oneOf('dynamic') }, ['addressing']),
        },
        ['name', 'role', 'vlan', 'ethernet'],
      ),
      { min: 1 },
    ),
    services: closed({ lldp: closed({}) }),
    metrics: closed(
      {
        statistics: closed({ interval: integer(60), types: listOf(oneOf('lldp', 'clients')) }, ['interval', 'types']),
        health: closed({ interval: integer(60) }, ['interval']),
      },
      ['statistics', 'health'],
    ),
  },
  ['unit', 'ethernet', 'interfaces', 'metrics'],
);
