import { Type } from 'typebox';
import { PreviewAnswer } from './configuration.ts';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { Id, JobStarted, Nullable, Serial, Time, Words } from './shapes.ts';
import { PortList, PortName, PortRow, usualPort } from './switch-shapes.ts';

export * from './switch-shapes.ts';

export const switchPorts = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.read',
  effect: 'read',
  object: { serial: 'device' },
  path: '/api/v3/switch/port/list',
  summary:
    'The ports of a switch by its last report (link, speed, power, neighbours, counters, devices), and their settings.',
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    serial: Serial,
    status: Words(deviceStatuses),
    /** Null without a report. */
    as_of: Nullable(Time),
    /** A save must name it. */
    version: Type.Integer(),
    /** Carried by ports with `tagged` null. */
    vlans: Type.Array(Type.Integer()),
    /** PoE watts; null without PoE. */
    poe: Nullable(Type.Object({ budget: Type.Number(), consumed: Type.Number() })),
    ports: Type.Array(PortRow),
  }),
  example: (seed) => ({ serial: seed.switchDevice.serial }),
});

export const switchPortFind = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.read',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/switch/port/find',
  summary:
    'The switch port where a MAC address hangs, by the last MAC tables and LLDP; null if no switch of the network reports it.',
  body: Type.Object({ gwid: Id, mac: Type.String({ pattern: '^[0-9a-f]{12}$', hint: 'mac' }) }),
  data: Type.Object({
    found: Nullable(
      Type.Object({
        serial: Serial,
        /** Of the switch. */
        name: Type.String(),
        status: Words(deviceStatuses),
        as_of: Nullable(Time),
        port: PortRow,
      }),
    ),
  }),
  example: (seed) => ({ gwid: seed.network.gwid, mac: '001b21000064' }),
});

export const switchPortPreview = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'read',
  object: { serial: 'device' },
  path: '/api/v3/switch/port/preview',
  bodyBytes: 96 * 1024,
  summary: 'What saving the settings of ports would change on the switch.',
  body: Type.Object({ serial: Serial, ports: PortList }),
  data: PreviewAnswer,
  example: (seed) => ({ serial: seed.switchDevice.serial, ports: [{ ...usualPort('Ethernet1'), vlan: 30 }] }),
});

export const switchPortSave = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'device',
  object: { serial: 'device' },
  path: '/api/v3/switch/port/save',
  bodyBytes: 96 * 1024,
  summary:
    'Saves the settings of the ports of a switch and brings them to it; ports that are not named are as a template says, else as usual. 4104 when `version` is no longer the one in force, 4114 when a port would cut the switch off or does not exist.',
  body: Type.Object({ serial: Serial, version: Type.Integer({ minimum: 0 }), ports: PortList }),
  data: Type.Object({ job_id: Id, version: Type.Integer() }),
  example: (seed) => ({
    serial: seed.switchDevice.serial,
    version: 0,
    ports: [{ ...usualPort('Ethernet1'), label: 'Camera', vlan: 30, tagged: [] }],
  }),
});

export const switchPortCycle = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.write',
  effect: 'device',
  object: { serial: 'device' },
  limit: { max: 60, windowSeconds: 60 },
  path: '/api/v3/switch/port/cycle',
  summary:
    'Takes the power of a port away and gives it back, to restart what it powers. 4102 when the switch is offline, 4114 with `reason` when the port gives no power or is an uplink.',
  body: Type.Object({ serial: Serial, port: PortName }),
  data: JobStarted,
  example: (seed) => ({ serial: seed.switchDevice.serial, port: 'Ethernet1' }),
});
