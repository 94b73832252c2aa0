import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Words } from './shapes.ts';

/** Bytes before base64 encoding. */
export const importLimits = {
  rows: 500,
  bytes: 1_000_000,
  /** Accounts in a call: each password is hashed slowly on purpose. */
  members: 50,
} as const;

/** In this order; satisfied ones are skipped. */
export const importActions = ['create_network', 'adopt', 'move', 'rename', 'tag'] as const;
export type ImportAct = (typeof importActions)[number];

/** `would`: dry run. */
export const importResults = ['would', 'done', 'same', 'failed'] as const;

const Cell = Type.String({ maxLength: 200, raw: true });

const ImportRow = Type.Object({
  /** The header is line 1. */
  line: Type.Integer({ minimum: 1, maximum: 100_000 }),
  serial: Cell,
  name: Cell,
  network: Cell,
  tags: Cell,
});

/** Of a call that reads a file. */
const reading = {
  effect: 'read',
  bodyBytes: 1400 * 1024,
  limit: { max: 20, windowSeconds: 60 },
  body: Type.Object({ file: Type.String({ minLength: 1, maxLength: 1_400_000, contentEncoding: 'base64' }) }),
} as const;

/** Why a row failed: localized, and the business code if there is one. */
const failure = { why: Nullable(Type.String()), code: Nullable(Type.Integer()) };

const counts = { done: Type.Integer(), same: Type.Integer(), failed: Type.Integer() };

const calls = { access: 'user', method: 'POST', permission: 'network.write', object: {} } as const;

export const read = endpoint({
  ...calls,
  ...reading,
  path: '/api/v3/device/import/read',
  summary:
    'Reads a file of devices (CSV or xlsx, base64): columns serial or MAC, name, network, tags, by their heads. 4111 beyond 500 rows or 1 MB.',
  data: Type.Object({ rows: Type.Array(ImportRow) }),
  example: () => ({ file: Buffer.from('serial,name\n').toString('base64') }),
});

export const run = endpoint({
  ...calls,
  effect: 'write',
  ownTransaction: true,
  path: '/api/v3/device/import',
  bodyBytes: 1280 * 1024,
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Puts devices that are bound to the account into networks, names and tags them, row by row: each row is done, or not and why. Networks are found by name, and made where `create_networks` says so. `dry` says what would be done.',
  body: Type.Object({
    rows: Type.Array(ImportRow, { minItems: 1, maxItems: importLimits.rows }),
    create_networks: Type.Optional(Type.Boolean()),
    dry: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        line: Type.Integer(),
        serial: Type.String(),
        result: Words(importResults),
        acts: Type.Array(Words(importActions)),
        ...failure,
      }),
    ),
    ...counts,
  }),
  example: (seed) => ({
    rows: [{ line: 2, serial: seed.device.serial, name: 'Imported-AP', network: '', tags: '' }],
  }),
});

const MemberRow = Type.Object({
  line: Type.Integer({ minimum: 1, maximum: 100_000 }),
  name: Cell,
  password: Cell,
  /** Empty: 1. */
  devices: Cell,
  /** A day, `2026-12-31`; empty: without end. */
  until: Cell,
  /** Both or neither. */
  real_name: Cell,
  id_card: Cell,
});

const memberCalls = { access: 'user', method: 'POST', permission: 'user.write' } as const;

export const membersRead = endpoint({
  ...memberCalls,
  ...reading,
  object: {},
  path: '/api/v3/portal/member/import/read',
  summary:
    'Reads a file of accounts for guests (CSV or xlsx, base64): columns name, password, devices, until, real name, ID card, by their heads. 4111 beyond 500 rows or 1 MB.',
  data: Type.Object({ rows: Type.Array(MemberRow) }),
  example: () => ({ file: Buffer.from('name,password\n').toString('base64') }),
});

export const members = endpoint({
  ...memberCalls,
  object: { gwid: 'network' },
  effect: 'write',
  ownTransaction: true,
  path: '/api/v3/portal/member/import',
  bodyBytes: 192 * 1024,
  limit: { max: 60, windowSeconds: 60 },
  summary:
    'Creates accounts for guests of a network, row by row: each is done, or not and why. Accounts that exist stay as they are (`same`). `dry` says what would be done.',
  body: Type.Object({
    gwid: Id,
    rows: Type.Array(MemberRow, { minItems: 1, maxItems: importLimits.members }),
    dry: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        line: Type.Integer(),
        name: Type.String(),
        result: Words(importResults),
        ...failure,
      }),
    ),
    ...counts,
  }),
  example: (seed) => ({
    gwid: seed.portalNetwork.gwid,
    rows: [{ line: 2, name: 'Imported', password: 'open4guests', devices: '2', until: '', real_name: '', id_card: '' }],
  }),
});
