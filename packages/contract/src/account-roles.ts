import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { assignable, type Permission, permissions } from './permissions.ts';
import { Empty, Id, ListOf, ListQuery, Time, Waiting, Words } from './shapes.ts';

const inAccount = { access: 'user', method: 'POST', ownTransaction: true } as const;
const reading = { ...inAccount, permission: 'account.read', effect: 'read' } as const;
const writing = { ...inAccount, permission: 'account.write', effect: 'write' } as const;

const Name = Type.String({ minLength: 1, maxLength: 32 });
const Assignable = Type.Array(Type.Unsafe<Permission>({ type: 'string', enum: [...assignable] }), {
  minItems: 1,
  uniqueItems: true,
});

export const roleList = endpoint({
  ...reading,
  object: {},
  path: '/api/v3/account/role/list',
  summary: 'Roles that the account defined itself, by name. Searches in names.',
  body: ListQuery(['member_num', 'invitation_num'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      name: Type.String(),
      permissions: Type.Array(Words(permissions)),
      member_num: Type.Integer(),
      /** Open invitations with the role. */
      invitation_num: Type.Integer(),
      updated_at: Time,
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const roleCreate = endpoint({
  ...writing,
  object: {},
  path: '/api/v3/account/role/create',
  summary:
    'Defines a role with at most the own permissions. 4105: the name is in use; 4106: the account has fifty roles.',
  body: Type.Object({ name: Name, permissions: Assignable }),
  data: Type.Object({ id: Id }),
  example: () => ({ name: 'Front desk', permissions: ['network.read', 'network.reboot'] as Permission[] }),
});

export const roleUpdate = endpoint({
  ...writing,
  object: { id: 'role' },
  path: '/api/v3/account/role/update',
  summary:
    'Changes name or permissions of a role, at once for its members; a field that is left out stays. It may contain only permissions that the caller has, before and after.',
  body: Type.Object({ id: Id, name: Type.Optional(Name), permissions: Type.Optional(Assignable) }),
  data: Waiting,
  example: (seed) => ({ id: seed.role.id, name: 'Night shift', permissions: ['network.read'] as Permission[] }),
});

export const roleDelete = endpoint({
  ...writing,
  object: { id: 'role' },
  path: '/api/v3/account/role/delete',
  summary: 'Deletes a role. 4109 while members or open invitations have it; `data` names them.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.role.id }),
});
