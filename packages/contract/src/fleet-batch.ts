import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceKinds, deviceStatuses, joinRules } from './enums.ts';
import { chosenDevices, chosenNetworks, Name, Removed, Tags } from './fleet-shapes.ts';
import { Empty, Id, ListOf, Nullable, Serial, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'network.write', effect: 'write' } as const;
const binds = { access: 'user', method: 'POST', permission: 'network.bind', effect: 'write' } as const;

const networks = { gwids: 'network' } as const;
const devices = { serials: 'device' } as const;

const Touched = Type.Object({
  total: Type.Integer(),
  online: Type.Integer(),
  /** Clients of the online devices. */
  users: Type.Integer(),
  names: Type.Array(Type.String()),
});

export const networkChosen = endpoint({
  ...reads,
  object: networks,
  path: '/api/v3/network/chosen',
  bodyBytes: 40 * 1024,
  summary: 'Whom an act on these networks, or on every result of the list, would touch.',
  body: Type.Object(chosenNetworks),
  data: Touched,
  example: (seed) => ({ gwids: [seed.network.gwid] }),
});

export const apChosen = endpoint({
  ...reads,
  object: devices,
  path: '/api/v3/ap/chosen',
  bodyBytes: 20 * 1024,
  summary: 'Whom an act on these devices, or on every result of the list, would touch.',
  body: Type.Object(chosenDevices),
  data: Touched,
  example: (seed) => ({ serials: [seed.device.serial] }),
});

export const networkTag = endpoint({
  ...writes,
  object: networks,
  path: '/api/v3/network/tag',
  bodyBytes: 48 * 1024,
  summary: 'Adds tags to networks and takes others off; 4106 where one would have more than 20.',
  body: Type.Object({ ...chosenNetworks, add: Type.Optional(Tags), remove: Type.Optional(Tags) }),
  data: Type.Object({ changed: Type.Integer() }),
  example: (seed) => ({ gwids: [seed.network.gwid], add: ['Hotel'] }),
});

export const apTag = endpoint({
  ...writes,
  object: devices,
  path: '/api/v3/ap/tag',
  bodyBytes: 24 * 1024,
  summary: 'Adds tags to devices and takes others off; 4106 where one would have more than 20.',
  body: Type.Object({ ...chosenDevices, add: Type.Optional(Tags), remove: Type.Optional(Tags) }),
  data: Type.Object({ changed: Type.Integer() }),
  example: (seed) => ({ serials: [seed.device.serial], add: ['Outdoor'] }),
});

export const tagList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/network/tag/list',
  summary: 'Tags in use, with how many networks and devices have each.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(Type.Object({ tag: Type.String(), networks: Type.Integer(), devices: Type.Integer() })),
  }),
  example: () => ({}),
});

export const networkBatchDelete = endpoint({
  ...binds,
  object: networks,
  path: '/api/v3/network/batch_delete',
  bodyBytes: 40 * 1024,
  summary: 'Deletes those of the networks that have no device; the others are kept. 4109 when every one has devices.',
  body: Type.Object(chosenNetworks),
  data: Type.Object({ deleted: Type.Integer(), kept: Type.Integer() }),
  example: (seed) => ({ gwids: [seed.spareNetwork.gwid] }),
});

export const moveLimits = { devices: 2000 } as const;

export const apMove = endpoint({
  ...binds,
  object: { serials: 'device', gwid: 'network' },
  path: '/api/v3/ap/move',
  bodyBytes: 20 * 1024,
  summary:
    'Moves devices into a network; those that are in it already stay. 4109 when one is the gateway of another, 4106 when more than 2,000 would move.',
  body: Type.Object({ ...chosenDevices, gwid: Id }),
  data: Type.Object({ moved: Type.Integer() }),
  example: (seed) => ({ serials: [seed.device.serial], gwid: seed.spareNetwork.gwid }),
});

export const adoptLimits = { devices: 500 } as const;
export const adoptResults = ['assigned', 'gateway', 'placed'] as const;

export const adoptMany = endpoint({
  ...binds,
  object: { serials: 'device', gwid: 'network' },
  path: '/api/v3/device/adopt_many',
  summary:
    'Puts waiting devices into a network, in one act. Of each it says `assigned`, `gateway` (assigned, and now the gateway of the network) or `placed` (in a network meanwhile; it stays there).',
  body: Type.Object({
    serials: Type.Array(Serial, { minItems: 1, maxItems: adoptLimits.devices, uniqueItems: true }),
    gwid: Id,
  }),
  data: Type.Object({ list: Type.Array(Type.Object({ serial: Serial, result: Words(adoptResults) })) }),
  example: (seed) => ({ serials: [seed.waitingDevice.serial], gwid: seed.network.gwid }),
});

export const unbindLimits = { devices: 500 } as const;

export const apUnbind = endpoint({
  ...binds,
  object: devices,
  path: '/api/v3/ap/unbind',
  bodyBytes: 20 * 1024,
  summary:
    'Unbinds devices: their certificates are revoked and their connections closed; their networks stay. 4106 above 500.',
  body: Type.Object(chosenDevices),
  data: Removed,
  example: (seed) => ({ serials: [seed.device.serial] }),
});

export const unbindEffects = ['sdwan_centre', 'sdwan_member'] as const;

export const unbindEffectList = endpoint({
  ...reads,
  object: { gwid: 'network', serials: 'device' },
  path: '/api/v3/device/unbind/effects',
  bodyBytes: 20 * 1024,
  summary:
    'What unbinding a network with its devices (`gwid`), or devices, disturbs beside them: SD-WAN networks that lose a centre, and so degrade, or a member.',
  body: Type.Object({ gwid: Type.Optional(Id), ...chosenDevices }),
  data: Type.Object({
    list: Type.Array(Type.Object({ effect: Words(unbindEffects), id: Id, name: Type.String() })),
  }),
  example: (seed) => ({ serials: [seed.device.serial] }),
});

export const apBatchRename = endpoint({
  ...writes,
  object: devices,
  path: '/api/v3/ap/batch_rename',
  bodyBytes: 20 * 1024,
  summary:
    'Names devices one after another: a prefix and a number, in the order given (of all results: by their names).',
  body: Type.Object({
    ...chosenDevices,
    /** May end with a blank. */
    prefix: Type.String({ rule: 'freeText', minLength: 1, maxLength: 56 }),
    start: Type.Integer({ minimum: 0, maximum: 99_999 }),
    digits: Type.Integer({ minimum: 1, maximum: 5 }),
  }),
  data: Type.Object({ renamed: Type.Integer() }),
  example: (seed) => ({ serials: [seed.device.serial], prefix: 'Hall-', start: 1, digits: 2 }),
});

export const apReplace = endpoint({
  ...binds,
  object: { serial: 'device', by: 'device' },
  path: '/api/v3/ap/replace',
  summary:
    "Puts a device in another's place: it takes over name, tags, group, network, the gateway's part, the device's own settings, its templates and its events, and the other is unbound. Both must be of one kind.",
  body: Type.Object({
    serial: Serial,
    by: Serial,
    /** Deletes an empty former network too. */
    delete_empty: Type.Optional(Type.Boolean()),
  }),
  data: Empty,
  example: (seed) => ({ serial: seed.device.serial, by: seed.waitingDevice.serial }),
});

export const apSuccessors = endpoint({
  ...binds,
  effect: 'read',
  object: { serial: 'device' },
  path: '/api/v3/ap/successors',
  summary:
    "Devices that may take a device's place, the newest first: of its kind, and waiting for a network or alone in one (as a gateway is that was just bound). At most 50.",
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        serial: Serial,
        remark: Type.String(),
        model: Nullable(Type.String()),
        status: Words(deviceStatuses),
        /** Null: unassigned. */
        gwid: Nullable(Id),
        network: Nullable(Type.String()),
        ports: Type.Array(Type.String()),
        bound_at: Time,
      }),
    ),
  }),
  example: (seed) => ({ serial: seed.device.serial }),
});

export const deviceFacets = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/device/facets',
  summary: 'Models and firmware versions of the devices of a kind, for filters: by how many have them, the first 100.',
  body: Type.Object({ kind: Type.Optional(Words(deviceKinds)), gwid: Type.Optional(Id) }),
  data: Type.Object({ models: Type.Array(Type.String()), versions: Type.Array(Type.String()) }),
  example: (seed) => ({ kind: 'ap' as const, gwid: seed.network.gwid }),
});

const GroupRow = Type.Object({
  id: Id,
  name: Type.String(),
  devices: Type.Integer(),
  online: Type.Integer(),
  networks: Type.Integer(),
});

export const groupList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/ap/group/list',
  summary: 'Groups of devices, by name.',
  body: Empty,
  data: ListOf(GroupRow),
  example: () => ({}),
});

export const groupCreate = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/ap/group/create',
  summary: 'Makes a group; 4105 when the name is taken. Only with a right for all networks: a group spans them.',
  body: Type.Object({ name: Name }),
  data: Type.Object({ id: Id }),
  example: () => ({ name: 'Corridors' }),
});

export const groupUpdate = endpoint({
  ...writes,
  object: { id: 'group' },
  path: '/api/v3/ap/group/update',
  summary: 'Renames a group; 4105 when the name is taken.',
  body: Type.Object({ id: Id, name: Name }),
  data: Empty,
  example: (seed) => ({ id: seed.group.id, name: 'Rooms' }),
});

export const groupDelete = endpoint({
  ...writes,
  object: { id: 'group' },
  path: '/api/v3/ap/group/delete',
  summary: 'Deletes a group; its devices stay and are in none.',
  body: Type.Object({ id: Id }),
  data: Type.Object({ released: Type.Integer() }),
  example: (seed) => ({ id: seed.group.id }),
});

export const groupAssign = endpoint({
  ...writes,
  object: { serials: 'device', id: 'group' },
  path: '/api/v3/ap/group/assign',
  bodyBytes: 20 * 1024,
  summary: 'Puts devices into a group, out of the one they were in; `id` null takes them out of theirs.',
  body: Type.Object({ ...chosenDevices, id: Nullable(Id) }),
  data: Type.Object({ changed: Type.Integer() }),
  example: (seed) => ({ serials: [seed.device.serial], id: null }),
});

const Window = Type.Object({
  /** 1 is Monday. */
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
  start: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', hint: 'timeOfDay' }),
  /** May pass midnight. */
  minutes: Type.Integer({ minimum: 15, maximum: 1440 }),
});

export const windowGet = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/network/window/get',
  summary: 'The weekly maintenance window of a network, whether it is open, and when it opens next.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    window: Nullable(Window),
    time_zone: Type.String(),
    open: Type.Boolean(),
    /** Next opening or closing; null without a window. */
    changes_at: Nullable(Time),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const windowSave = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/network/window/save',
  summary:
    'Sets the weekly maintenance window of a network, or (null) takes it away. A field that is left out stays; 4104 without a window to stay in.',
  body: Type.Object({ gwid: Id, window: Nullable(Type.Partial(Window)) }),
  data: Empty,
  example: (seed) => ({ gwid: seed.network.gwid, window: { weekdays: [7], start: '02:00', minutes: 120 } }),
});

const Contact = {
  /** No first document until settings are saved. */
  left_alone: Type.Boolean(),
  /** Else an existing LAN stays. */
  bridge_lan: Type.Boolean(),
};
/** Confirmed online device of the network, or signed-in owner or administrator. */
const JoinRule = Words(joinRules);

export const contactGet = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/network/first_contact/get',
  summary: 'What happens to new devices of a network before settings are saved, and to the LAN they come with.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    ...Contact,
    join_rule: JoinRule,
    /** Rule of `account`. */
    account_rule: Words(['click', 'site']),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const contactSave = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/network/first_contact/save',
  summary:
    'Sets what happens to new devices of a network before settings are saved, and to the LAN they come with; a field that is left out stays.',
  body: Type.Object({ gwid: Id, ...Type.Partial(Type.Object({ ...Contact, join_rule: JoinRule })).properties }),
  data: Empty,
  example: (seed) => ({ gwid: seed.network.gwid, left_alone: true, bridge_lan: false }),
});
