import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceKinds } from './enums.ts';
import { Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;

/** `power`: booted meanwhile. `link`: kept running. `console`: console down. `planned`: by the console. */
export const outageCauses = ['power', 'link', 'console', 'planned', 'unknown'] as const;
export type OutageCause = (typeof outageCauses)[number];

export const availabilityHours = [24, 168, 720] as const;

const Cause = Words(outageCauses);

export const outageList = endpoint({
  ...reads,
  object: { serial: 'device', gwid: 'network' },
  path: '/api/v3/outage/list',
  summary:
    'When a device, or the devices that are in a network today, had no connection: of the last 400 days, the newest first.',
  body: ListQuery([], {
    serial: Type.Optional(Serial),
    gwid: Type.Optional(Id),
    cause: Type.Optional(Cause),
  }),
  data: ListOf(
    Type.Object({
      serial: Serial,
      remark: Type.String(),
      kind: Words(deviceKinds),
      began_at: Time,
      ended_at: Nullable(Time),
      seconds: Type.Integer(),
      /** Console downtime; device state unknown. */
      unheard_s: Type.Integer(),
      cause: Cause,
      /** `coldboot`, `crashlog` …; null without a boot or reason. */
      boot_reason: Nullable(Type.String()),
    }),
  ),
  example: (seed) => ({ serial: seed.device.serial }),
});

const Span = Type.Object({ from: Time, to: Time });

export const outageAvailability = endpoint({
  ...reads,
  object: { serial: 'device', gwid: 'network' },
  path: '/api/v3/outage/availability',
  summary:
    'For what share of 24 hours, 7 and 30 days a device or a network was connected. A network is out when its gateway is; one without a gateway, when all its devices are.',
  /** Exactly one. */
  body: Type.Object({ serial: Type.Optional(Serial), gwid: Type.Optional(Id) }),
  data: Type.Object({
    as_of: Time,
    /** First connection; null without one. */
    since: Nullable(Time),
    windows: Type.Array(
      Type.Object({
        hours: Type.Integer(),
        /** Without console downtime. */
        measured_s: Type.Integer(),
        out_s: Type.Integer(),
        /** Restarts, upgrades, pushes. */
        planned_s: Type.Integer(),
        outages: Type.Integer(),
        /** 100 only without outage; null: unmeasured. */
        percent: Nullable(Type.Number()),
      }),
    ),
    /** Newest 200, oldest first. */
    out: Type.Array(Span),
    console: Type.Array(Span),
  }),
  example: (seed) => ({ serial: seed.device.serial }),
});
