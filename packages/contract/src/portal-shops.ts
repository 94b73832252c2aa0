import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Nullable } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const writes = { ...reads, permission: 'config.write', effect: 'write' } as const;
const object = { gwid: 'network' } as const;

export const shopLimits = { name: 60, phone: 32 } as const;

const Shop = {
  /** Empty: the name of the network. */
  name: Type.String({ maxLength: shopLimits.name, trim: true }),
  phone: Type.String({ maxLength: shopLimits.phone, trim: true }),
  /** Takes the place of the template's logo. */
  logo: Nullable(Id),
};

export const detail = endpoint({
  ...reads,
  object,
  path: '/api/v3/auth_template/shop/detail',
  summary: 'Name, phone number and logo that a network puts into the texts of its portal template.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    ...Shop,
    network: Type.String(),
    /** Of the logo. */
    picture: Nullable(Type.Object({ id: Id, url: Type.String(), bytes: Type.Integer() })),
  }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const save = endpoint({
  ...writes,
  object,
  path: '/api/v3/auth_template/shop/save',
  summary:
    'Saves what a network puts in place of `{shop_name}` and `{shop_phone}`, and its logo; a field that is left out stays. Guests see it at once.',
  body: Type.Object({ gwid: Id, ...Type.Partial(Type.Object(Shop)).properties }),
  data: Empty,
  example: ({ portalNetwork: { gwid } }) => ({ gwid, name: 'Cafe 7', phone: '010-1234567', logo: null }),
});
