import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Name } from './fleet-shapes.ts';
import { Empty, Id, ListOf, Version, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;

export const viewLists = ['networks', 'devices'] as const;

/** Query string of the list. */
const Search = Type.Record(Type.String({ pattern: '^[a-z_]{1,32}$' }), Type.String({ maxLength: 200 }), {
  maxProperties: 20,
});

const ViewRow = Type.Object({
  id: Id,
  version: Version,
  name: Type.String(),
  search: Search,
  shared: Type.Boolean(),
  /** Saved by the caller. */
  own: Type.Boolean(),
});

export const viewList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/view/list',
  summary: 'Views of a list that the caller saved, and those that others share with the account.',
  body: Type.Object({ list: Words(viewLists) }),
  data: ListOf(ViewRow),
  example: () => ({ list: 'networks' as const }),
});

export const viewSave = endpoint({
  ...reads,
  effect: 'write',
  object: { id: 'view' },
  path: '/api/v3/view/save',
  summary:
    "Saves a view, or changes one of the caller's own; 4104 when `version` is no longer the newest, 4105 when the caller has one of that name.",
  body: Type.Object({
    id: Type.Optional(Id),
    version: Type.Optional(Version),
    list: Words(viewLists),
    name: Name,
    search: Search,
    shared: Type.Boolean(),
  }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({
    id: seed.view.id,
    version: 1,
    list: 'networks' as const,
    name: 'Offline',
    search: { status: 'offline' },
    shared: false,
  }),
});

export const viewDelete = endpoint({
  ...reads,
  effect: 'write',
  object: { id: 'view' },
  path: '/api/v3/view/delete',
  summary: 'Deletes a view of the caller.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.view.id }),
});
