import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { alarmLevels, deviceStatuses, mapDatums } from './enums.ts';
import { FreeText, Id, Keyword, Nullable, Time, Words } from './shapes.ts';

/** More networks are only counted. */
export const mapLimits = { points: 5000, unplaced: 200 } as const;

/** Degrees; the Mercator map ends near 85. */
const Latitude = Type.Number({ minimum: -85, maximum: 85 });
const Longitude = Type.Number({ minimum: -180, maximum: 180 });
/** Null removes it. */
const Address = Nullable(FreeText(100));

const Point = Type.Object({
  gwid: Id,
  remark: Type.String(),
  tags: Type.Array(Type.String()),
  lat: Type.Number(),
  lng: Type.Number(),
  address: Type.String(),
  status: Words(deviceStatuses),
  status_since: Nullable(Time),
  ap_num: Type.Integer(),
  ap_online_num: Type.Integer(),
  /** Active ones without a cause; null without `message.read`. */
  alarms: Nullable(Type.Object({ total: Type.Integer(), worst: Nullable(Words(alarmLevels)) })),
});

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read', object: {} } as const;
const writes = { access: 'user', method: 'POST', permission: 'network.write', effect: 'write' } as const;

export const list = endpoint({
  ...reads,
  path: '/api/v3/map/list',
  summary:
    'Networks with a place, those of a tag or with a word in their name, and the first by name of those without one.',
  body: Type.Object({
    tag: Type.Optional(Type.String({ maxLength: 32 })),
    keyword: Keyword,
  }),
  data: Type.Object({
    as_of: Time,
    points: Type.Array(Point),
    left_out: Type.Integer(),
    unplaced: Type.Object({
      total: Type.Integer(),
      list: Type.Array(Type.Object({ gwid: Id, remark: Type.String() })),
    }),
    /** URLs with `{z}`, `{x}`, `{y}`; `overlay` has names of places. Null: coastlines only. */
    tiles: Nullable(
      Type.Object({
        url: Type.String(),
        overlay: Nullable(Type.String()),
        attribution: Type.String(),
        datum: Words(mapDatums),
      }),
    ),
  }),
  example: () => ({}),
});

export const place = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/map/place',
  summary: 'Says where a network is: WGS 84, degrees. It is moved where it has a place already.',
  body: Type.Object({ gwid: Id, lat: Latitude, lng: Longitude, address: Type.Optional(Address) }),
  data: Type.Object({ gwid: Id, lat: Type.Number(), lng: Type.Number(), address: Type.String() }),
  example: (seed) => ({ gwid: seed.network.gwid, lat: 30.2741, lng: 120.1551, address: 'West-Lake' }),
});

export const unplace = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/map/unplace',
  summary: 'Takes a network off the map; one that has no place stays as it is.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ removed: Type.Boolean() }),
  example: (seed) => ({ gwid: seed.placedNetwork.gwid }),
});
