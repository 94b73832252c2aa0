import { Type } from 'typebox';
import { Change, EffectiveRadio } from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { Name } from './fleet-shapes.ts';
import { LayerInput, LayerShown, templateKinds } from './layer-shapes.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'write' } as const;
const of = { id: 'template' } as const;

const guests = {
  enabled: true,
  name: 'Guests',
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: true,
  maximum_clients: null,
  down_mbps: 20,
  up_mbps: 5,
} as const;
const content = () => ({ ssids: [{ ...guests, bands: [...guests.bands] }], radios: [], locks: ['ssids.Guests'] });

export const templateList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/wireless_template/list',
  summary: 'Wireless templates of a kind, with how many devices run them.',
  body: ListQuery(['name', 'updated_at', 'devices'], { kind: Words(templateKinds) }),
  data: ListOf(
    Type.Object({
      id: Id,
      kind: Words(templateKinds),
      name: Type.String(),
      version: Type.Integer(),
      ssids: Type.Array(Type.Object({ name: Type.String(), security: Type.String(), vlan: Nullable(Type.Integer()) })),
      country: Nullable(Type.String()),
      /** Assigned; on the newest version; in sync. */
      devices: Type.Integer(),
      newest: Type.Integer(),
      in_sync: Type.Integer(),
      /** Their new devices inherit it. */
      networks: Type.Integer(),
      groups: Type.Integer(),
      updated_at: Time,
      updated_by: Type.String(),
    }),
  ),
  example: () => ({ kind: 'wireless' as const, page: 1, limit: 10 }),
});

export const templateDetail = endpoint({
  ...reads,
  object: of,
  path: '/api/v3/wireless_template/detail',
  summary: 'A template as it is, or as it was in a version; keys are not given out.',
  body: Type.Object({ id: Id, version: Type.Optional(Type.Integer({ minimum: 1 })) }),
  data: Type.Object({
    id: Id,
    kind: Words(templateKinds),
    name: Type.String(),
    /** A save must name it. */
    version: Type.Integer(),
    shown: Type.Integer(),
    ...LayerShown,
    /** Values inherited where `radios` has null. */
    defaults: Type.Array(EffectiveRadio),
    updated_at: Time,
    updated_by: Type.String(),
  }),
  example: (seed) => ({ id: seed.template.id }),
});

export const templateDefaults = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/wireless_template/defaults',
  summary: 'What radios do where no layer says anything.',
  body: Empty,
  data: Type.Object({ defaults: Type.Array(EffectiveRadio) }),
  example: () => ({}),
});

export const templateCreate = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/wireless_template/create',
  bodyBytes: 544 * 1024,
  summary: 'Makes a template; 4105 when its name is taken. Nothing is sent to any device.',
  body: Type.Object({ kind: Words(templateKinds), name: Name, ...LayerInput }),
  data: Type.Object({ id: Id, version: Type.Integer() }),
  example: () => ({ kind: 'wireless' as const, name: 'Hotels', ...content() }),
});

export const templateUpdate = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/wireless_template/update',
  bodyBytes: 544 * 1024,
  summary:
    'Saves the next version of a template; 4104 when `version` is no longer the newest. Devices get it by `apply`.',
  body: Type.Object({ id: Id, version: Type.Integer({ minimum: 1 }), name: Name, ...LayerInput }),
  data: Type.Object({ version: Type.Integer() }),
  example: (seed) => ({ id: seed.template.id, version: 1, name: 'Shops-2', ...content() }),
});

export const templateCopy = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/wireless_template/copy',
  summary: 'Makes a template of what another says, keys included.',
  body: Type.Object({ id: Id, name: Name }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({ id: seed.template.id, name: 'Shops-copy' }),
});

export const templateDelete = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/wireless_template/delete',
  summary: 'Deletes a template with its versions; 4109 with their numbers while devices, networks or groups have it.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.template.id }),
});

export const templateVersions = endpoint({
  ...reads,
  object: of,
  path: '/api/v3/wireless_template/versions',
  summary: 'Versions of a template, newest first, with how many devices are to run each.',
  body: Type.Object({ id: Id }),
  data: ListOf(
    Type.Object({ version: Type.Integer(), created_at: Time, created_by: Type.String(), devices: Type.Integer() }),
  ),
  example: (seed) => ({ id: seed.template.id }),
});

export const templateDiff = endpoint({
  ...reads,
  object: of,
  path: '/api/v3/wireless_template/diff',
  summary: 'What differs between two versions of a template; keys are masked.',
  body: Type.Object({
    id: Id,
    from: Type.Integer({ minimum: 1 }),
    to: Type.Integer({ minimum: 1 }),
  }),
  data: Type.Object({ changes: Type.Array(Change) }),
  example: (seed) => ({ id: seed.template.id, from: 1, to: 1 }),
});
