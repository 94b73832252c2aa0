import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './shapes.ts';

/** Rows of a file, and its bytes before base64 encoding. */
export const fileLimits = { rows: 100, bytes: 5 * 1024 * 1024 } as const;

/** Larger than the base64 of the largest file: its size is refused, not its characters. */
const uploadBytes = 7 * 1024 * 1024;

/** Columns of the file. */
export const importColumns = [
  'name',
  'type',
  'network',
  'group',
  'ip',
  'mac',
  'mode',
  'detect_port',
  'web_port',
  'shell_port',
] as const;
export type ImportColumn = (typeof importColumns)[number];

const Cell = Type.String({ maxLength: 200, raw: true });
const Row = Type.Object({
  /** The header is line 1. */
  line: Type.Integer({ minimum: 1, maximum: 100_000 }),
  name: Cell,
  type: Cell,
  network: Cell,
  group: Type.Optional(Cell),
  ip: Cell,
  mac: Cell,
  mode: Cell,
  detect_port: Cell,
  web_port: Cell,
  shell_port: Cell,
});

const calls = { access: 'user', method: 'POST', permission: 'network.write' } as const;

export const read = endpoint({
  ...calls,
  effect: 'read',
  object: {},
  path: '/api/v3/peripheral/import/read',
  bodyBytes: uploadBytes + 1024,
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Reads a file of peripheral devices (xls or xlsx, base64) by its column heads. 4111 beyond 100 rows or 5 MB.',
  body: Type.Object({
    file: Type.String({ minLength: 1, maxLength: uploadBytes, contentEncoding: 'base64' }),
  }),
  data: Type.Object({ rows: Type.Array(Row) }),
  example: (seed) => ({ file: seed.peripheralSite.file }),
});

export const run = endpoint({
  ...calls,
  effect: 'write',
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/import',
  bodyBytes: 608 * 1024,
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Adds peripheral devices from rows of text, all or none. 422 names each wrong cell as `rows.<index>.<column>`. An empty network means `gwid`. `dry` only checks.',
  body: Type.Object({
    rows: Type.Array(Row, { minItems: 1, maxItems: fileLimits.rows }),
    gwid: Type.Optional(Id),
    dry: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({
    /** With `dry`: how many would be added. */
    created: Type.Integer(),
    ids: Type.Array(Id),
  }),
  example: (seed) => ({
    gwid: seed.network.gwid,
    rows: [
      {
        line: 2,
        name: 'Till-Printer',
        type: 'printer',
        network: '',
        ip: '192.168.1.70',
        mac: '',
        mode: 'tcp',
        detect_port: '9100',
        web_port: '80',
        shell_port: '',
      },
    ],
  }),
});
