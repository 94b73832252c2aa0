import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Download, Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

/** What an operator does on one device to find out what is wrong: each use is a job, and its result is kept for a week. */

/** Names of the tools. */
export const toolNames = ['ping', 'traceroute', 'wifiscan', 'trace', 'bundle', 'leds'] as const;
export type ToolName = (typeof toolNames)[number];

/** How one use of a tool stands. */
export const toolStates = ['queued', 'running', 'uploading', 'done', 'failed', 'skipped'] as const;
export type ToolState = (typeof toolStates)[number];

/** Why a tool is not offered on a device: its firmware does not know it, it has no radios, its owner must allow it. */
export const toolGates = ['firmware', 'no_radio'] as const;

/** Bounds of what is asked for. */
export const toolLimits = {
  pings: { min: 1, max: 20 },
  traceSeconds: { min: 1, max: 120 },
  tracePackets: { min: 1, max: 50_000 },
  ledSeconds: { min: 1, max: 600 },
  /** Bytes of a capture or a support bundle. */
  fileBytes: 17 * 1024 * 1024,
} as const;

/** A host name, IPv4 or IPv6 address: what no shell and no option parser acts on. */
const Target = Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$|^::[0-9a-fA-F:]{0,38}$' });
/** A socket or interface of the device: `WAN`, `LAN1`, `up0v0`. */
const Place = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_. -]{0,30}$' });

const Within = ({ min, max }: { min: number; max: number }) => Type.Integer({ minimum: min, maximum: max });

/** What a tool is used with; each tool takes its own of these. */
const toolArguments = {
  /** `ping`, `traceroute`. */
  target: Type.Optional(Target),
  /** `ping`. */
  count: Type.Optional(Within(toolLimits.pings)),
  /** `trace`: a socket or interface; without it the side of the internet. */
  place: Type.Optional(Place),
  seconds: Type.Optional(Within({ min: 1, max: 600 })),
  packets: Type.Optional(Within(toolLimits.tracePackets)),
  /** `trace`: an expression of pcap-filter(7). */
  filter: Type.Optional(Type.String({ maxLength: 200, pattern: '^[ -~]*$' })),
  /** `leds`. */
  pattern: Type.Optional(Words(['on', 'off', 'blink'] as const)),
};
export type ToolArguments = Static<ReturnType<typeof Type.Object<typeof toolArguments>>>;

/** What `ping` counted; null where the device printed something else. */
const PingResult = Type.Object({
  sent: Nullable(Type.Integer()),
  received: Nullable(Type.Integer()),
  loss_pct: Nullable(Type.Number()),
  min_ms: Nullable(Type.Number()),
  avg_ms: Nullable(Type.Number()),
  max_ms: Nullable(Type.Number()),
});

const Hop = Type.Object({ hop: Type.Integer(), address: Nullable(Type.String()), ms: Nullable(Type.Number()) });

/** A network that the device heard. */
export const Neighbour = Type.Object({
  bssid: Type.String(),
  ssid: Nullable(Type.String()),
  channel: Nullable(Type.Integer()),
  /** MHz */
  frequency: Nullable(Type.Integer()),
  /** dBm */
  signal: Nullable(Type.Integer()),
  /** Use of the channel in percent and terminals, as the neighbour itself says. */
  util_pct: Nullable(Type.Number()),
  stations: Nullable(Type.Integer()),
  /** The device of the same network that sends it; null for a stranger's. */
  own: Nullable(Serial),
});

const ToolRun = {
  id: Id,
  serial: Serial,
  remark: Type.String(),
  tool: Words(toolNames),
  arguments: Type.Object(toolArguments),
  state: Words(toolStates),
  /** A key of the catalogue or the device's own words; null where there is nothing to say. */
  reason: Nullable(Type.String()),
  job_id: Id,
  created_at: Time,
  finished_at: Nullable(Time),
  operator: Type.String(),
  /** Bytes of the file that came; null without one. */
  file_size: Nullable(Type.Integer()),
};

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;

export const toolRun = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.write',
  effect: 'device',
  object: { serial: 'device' },
  limit: { max: 60, windowSeconds: 60 },
  path: '/api/v3/network/tool/run',
  summary:
    'Uses a tool on a device, as a job: ping, traceroute, wifiscan, packet trace, support bundle, lights. 4102 when it is offline, 4103 when its firmware does not know the tool.',
  body: Type.Object({ serial: Serial, tool: Words(toolNames), ...toolArguments }),
  data: Type.Object({ id: Id, job_id: Id }),
  example: (world) => ({ serial: world.toolDevice.serial, tool: 'ping' as const, target: '192.0.2.1' }),
});

export const toolOffer = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/network/tool/offer',
  summary: 'The tools that a device has, and why it lacks the others.',
  body: Type.Object({ serial: Serial }),
  data: Type.Object({ list: Type.Array(Type.Object({ tool: Words(toolNames), why: Nullable(Words(toolGates)) })) }),
  example: (world) => ({ serial: world.device.serial }),
});

export const toolList = endpoint({
  ...reads,
  object: { serial: 'device', gwid: 'network' },
  path: '/api/v3/network/tool/list',
  summary: 'Uses of tools on a device, or on the devices of a network, in the last seven days; the newest first.',
  body: ListQuery([], {
    serial: Type.Optional(Serial),
    gwid: Type.Optional(Id),
    tool: Type.Optional(Words(toolNames)),
  }),
  data: ListOf(Type.Object(ToolRun)),
  example: (world) => ({ serial: world.device.serial }),
});

export const toolDetail = endpoint({
  ...reads,
  object: { id: 'tool' },
  path: '/api/v3/network/tool/detail',
  summary: 'One use of a tool with its result.',
  body: Type.Object({ id: Id }),
  data: Type.Intersect([
    Type.Object(ToolRun),
    Type.Object({
      /** What the device printed. */
      output: Nullable(Type.String()),
      ping: Nullable(PingResult),
      hops: Nullable(Type.Array(Hop)),
      /** By signal, the strongest first. */
      neighbours: Nullable(Type.Array(Neighbour)),
    }),
  ]),
  example: (world) => ({ id: world.tool.id }),
});

export const toolFile = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.write',
  effect: 'write',
  object: { id: 'tool' },
  limit: { max: 20, windowSeconds: 60 },
  path: '/api/v3/network/tool/file',
  summary:
    'The capture or the bundle of a use of a tool. The address works once, for 60 s, and the operation log says who fetched it.',
  body: Type.Object({ id: Id }),
  data: Download,
  example: (world) => ({ id: world.tool.id }),
});
