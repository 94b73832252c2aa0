import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Download, Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

/** Each run is a job; results are kept for a week. */

export const offeredTools = [
  'ping',
  'traceroute',
  'dns',
  'tcp_check',
  'http_check',
  'speed',
  'wifiscan',
  'trace',
  'bundle',
  'leds',
] as const;
/** `throughput` begins at its SD-WAN network. */
export const toolNames = [...offeredTools, 'throughput'] as const;
export type ToolName = (typeof toolNames)[number];

export const toolStates = ['queued', 'running', 'uploading', 'done', 'failed', 'skipped'] as const;
export type ToolState = (typeof toolStates)[number];

export const toolGates = ['firmware', 'no_radio', 'agent'] as const;

export const toolLimits = {
  pings: { min: 1, max: 20 },
  traceSeconds: { min: 1, max: 120 },
  tracePackets: { min: 1, max: 50_000 },
  ledSeconds: { min: 1, max: 600 },
  speedTestsPerHour: 30,
  fileBytes: 17 * 1024 * 1024,
} as const;

/** Excludes shell and option syntax. */
const Target = Type.String({
  pattern: '^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$|^::[0-9a-fA-F:]{0,38}$',
  hint: 'hostName',
});
const Address = Type.String({ pattern: '^(\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:]{2,39})$', hint: 'ip' });
/** `WAN`, `LAN1`, `up0v0`. */
const Place = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_. -]{0,30}$', hint: 'placeName' });

const Within = ({ min, max }: { min: number; max: number }) => Type.Integer({ minimum: min, maximum: max });

const toolArguments = {
  /** For `ping`, `traceroute`, `dns`, `tcp_check`. */
  target: Type.Optional(Target),
  /** For `tcp_check`. */
  port: Type.Optional(Within({ min: 1, max: 65_535 })),
  /** For `http_check`. */
  url: Type.Optional(Type.String({ maxLength: 1024, pattern: '^https?://[^\\s/?#@]+([/?#][!-~]*)?$', hint: 'url' })),
  /** For `ping`. */
  count: Type.Optional(Within(toolLimits.pings)),
  /** `dns`; default: each server of the device. */
  server: Type.Optional(Address),
  /** `trace` captures here (default: upstream); edge gateways send from here. */
  place: Type.Optional(Place),
  seconds: Type.Optional(Within({ min: 1, max: 600 })),
  packets: Type.Optional(Within(toolLimits.tracePackets)),
  /** For `trace`: pcap-filter(7). */
  filter: Type.Optional(Type.String({ maxLength: 200, pattern: '^[ -~]*$', hint: 'ascii' })),
  /** For `leds`. */
  pattern: Type.Optional(Words(['on', 'off', 'blink'] as const)),
};
/** Set by the console for SD-WAN networks. */
const usedArguments = {
  ...toolArguments,
  sources: Type.Optional(Type.Array(Type.String())),
  own: Type.Optional(Type.String()),
  peer: Type.Optional(Serial),
  udp: Type.Optional(Type.Boolean()),
  mbps: Type.Optional(Type.Integer()),
  hops: Type.Optional(
    Type.Array(
      Type.Object({
        serial: Serial,
        own: Type.String(),
        peers: Type.Array(Type.String()),
        host: Type.Optional(Type.String()),
      }),
    ),
  ),
};
export type ToolArguments = Static<ReturnType<typeof Type.Object<typeof usedArguments>>>;

/** Null: output not parsed. */
const PingResult = Type.Object({
  sent: Nullable(Type.Integer()),
  received: Nullable(Type.Integer()),
  loss_pct: Nullable(Type.Number()),
  min_ms: Nullable(Type.Number()),
  avg_ms: Nullable(Type.Number()),
  max_ms: Nullable(Type.Number()),
});

const Hop = Type.Object({ hop: Type.Integer(), address: Nullable(Type.String()), ms: Nullable(Type.Number()) });

/** `error`: resolver code, such as ENOTFOUND. */
const Lookup = Type.Object({
  server: Type.String(),
  ms: Nullable(Type.Number()),
  answers: Type.Array(
    Type.Object({ type: Words(['A', 'AAAA', 'PTR'] as const), value: Type.String(), ttl: Nullable(Type.Integer()) }),
  ),
  error: Nullable(Type.String()),
});

const Throughput = Type.Object({
  mbps: Type.Number(),
  retransmits: Nullable(Type.Integer()),
  loss_pct: Nullable(Type.Number()),
  jitter_ms: Nullable(Type.Number()),
});

const TcpCheck = Type.Object({
  address: Nullable(Type.String()),
  ms: Nullable(Type.Number()),
  error: Nullable(Type.String()),
});

const HttpCheck = Type.Object({
  steps: Type.Array(
    Type.Object({
      url: Type.String(),
      address: Nullable(Type.String()),
      status: Nullable(Type.Integer()),
      dns_ms: Nullable(Type.Number()),
      connect_ms: Nullable(Type.Number()),
      tls_ms: Nullable(Type.Number()),
      first_byte_ms: Nullable(Type.Number()),
      error: Nullable(Type.String()),
    }),
  ),
  certificate: Nullable(
    Type.Object({
      subject: Type.String(),
      issuer: Type.String(),
      until: Nullable(Time),
      error: Nullable(Type.String()),
    }),
  ),
  bytes: Type.Integer(),
  more: Type.Boolean(),
});

/** Payload bytes; Mbit/s of 10^6 bits. */
const SpeedSample = Type.Object({ bytes: Type.Integer(), seconds: Type.Number(), mbps: Type.Number() });

export const Neighbour = Type.Object({
  bssid: Type.String(),
  ssid: Nullable(Type.String()),
  channel: Nullable(Type.Integer()),
  /** MHz */
  frequency: Nullable(Type.Integer()),
  /** dBm */
  signal: Nullable(Type.Integer()),
  /** Percent and clients, from the beacon. */
  util_pct: Nullable(Type.Number()),
  stations: Nullable(Type.Integer()),
  /** Sender in the same network. */
  own: Nullable(Serial),
});

const ToolRun = {
  id: Id,
  serial: Serial,
  remark: Type.String(),
  tool: Words(toolNames),
  arguments: Type.Object(usedArguments),
  state: Words(toolStates),
  /** Catalogue key or device wording. */
  reason: Nullable(Type.String()),
  job_id: Id,
  created_at: Time,
  finished_at: Nullable(Time),
  operator: Type.String(),
  /** Bytes; null without a file. */
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
    'Uses a tool on a device, as a job: ping, traceroute, DNS look-up, TCP and HTTP checks, speed test to this console, wifiscan, packet trace, support bundle, lights. 4102 when it is offline, 4114 when it does not know the tool.',
  body: Type.Object({ serial: Serial, tool: Words(offeredTools), ...toolArguments }),
  data: Type.Object({ id: Id, job_id: Id }),
  example: (seed) => ({ serial: seed.toolDevice.serial, tool: 'ping' as const, target: '192.0.2.1' }),
});

export const toolOffer = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/network/tool/offer',
  summary: 'The tools that a device has, and why it lacks the others.',
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    list: Type.Array(Type.Object({ tool: Words(offeredTools), why: Nullable(Words(toolGates)) })),
    /** If the device supports a choice. */
    places: Type.Array(Type.String()),
  }),
  example: (seed) => ({ serial: seed.device.serial }),
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
  example: (seed) => ({ serial: seed.device.serial }),
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
      output: Nullable(Type.String()),
      ping: Nullable(PingResult),
      hops: Nullable(Type.Array(Hop)),
      lookups: Nullable(Type.Array(Lookup)),
      tcp: Nullable(TcpCheck),
      http: Nullable(HttpCheck),
      /** To the peer, and from it. */
      throughput: Nullable(Type.Object({ up: Nullable(Throughput), down: Nullable(Throughput) })),
      /** Speed between device and console. */
      speed: Nullable(Type.Object({ down: Nullable(SpeedSample), up: Nullable(SpeedSample) })),
      /** Strongest signal first. */
      neighbours: Nullable(Type.Array(Neighbour)),
    }),
  ]),
  example: (seed) => ({ id: seed.tool.id }),
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
    'The capture or the bundle of a use of a tool. The address works once, for 60 s; the operation log records the download.',
  body: Type.Object({ id: Id }),
  data: Download,
  example: (seed) => ({ id: seed.tool.id }),
});
