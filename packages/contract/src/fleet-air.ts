import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { DeviceEvent } from './fleet-shapes.ts';
import { Id, ListOf, ListQuery, Nullable, Serial, Time } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;

/** One value per bucket; null is a gap. */
const Line = Type.Array(Nullable(Type.Number()));
const ByBand = Type.Object({ '2.4G': Line, '5G': Line, '6G': Line });

export const apSeries = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/ap/series',
  summary: '24 hours of one device in buckets of five minutes, as far as they are counted.',
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    from: Time,
    to: Time,
    /** Seconds; the first bucket starts at `from`. */
    step_s: Type.Integer(),
    /** Mean clients; the total includes wired ones. */
    terminals: ByBand,
    all_terminals: Line,
    /** Bytes through the radios, to and from clients. */
    down: Line,
    up: Line,
    /** Percent. */
    utilization: ByBand,
    /** dBm. */
    noise: ByBand,
    /** Percent. */
    cpu: Line,
    memory: Line,
  }),
  example: (seed) => ({ serial: seed.device.serial }),
});

export const deviceEvents = endpoint({
  ...reads,
  object: { serial: 'device', gwid: 'network' },
  path: '/api/v3/device/event/list',
  summary: 'Events of a device, or of the devices of a network, in the last 30 days, newest first.',
  body: ListQuery([], {
    serial: Type.Optional(Serial),
    gwid: Type.Optional(Id),
    /** `wired`, `wifi`, `health`, `unit`. */
    type: Type.Optional(Type.String({ pattern: '^[a-zA-Z._-]{1,64}$', hint: 'word' })),
  }),
  data: ListOf(
    Type.Intersect([Type.Object({ id: Id, serial: Serial, remark: Type.String(), kind: Type.String() }), DeviceEvent]),
  ),
  example: (seed) => ({ serial: seed.device.serial }),
});
