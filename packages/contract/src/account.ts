import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Zone } from './identity-shapes.ts';
import { grantable, memberRoles, type Permission, permissions, roles } from './permissions.ts';
import { Empty, FreeText, Id, ListOf, ListQuery, Nullable, Time, Waiting, Words } from './shapes.ts';

const inAccount = { access: 'user', object: {}, method: 'POST' } as const;
const acrossAccounts = { ownTransaction: true } as const;
const reading = { ...inAccount, permission: 'account.read', effect: 'read' } as const;
const writing = { ...inAccount, permission: 'account.write', effect: 'write' } as const;
const mine = { ...inAccount, ...acrossAccounts, permission: null, personal: true } as const;
const perMinute = (max: number) => ({ max, windowSeconds: 60 });

/** By an owner or admin; ownership is set otherwise. */
export const givenRoles = ['admin', 'operator', 'marketing', 'auditor', 'billing', 'reception', 'custom'] as const;

const Login = Type.String({ minLength: 3, maxLength: 254 });
/** Null for the standard ones. */
const RoleName = Nullable(Type.String());
/** With role `custom`, else null or absent. */
const RoleId = Type.Optional(Nullable(Id));
/** Null: all, later ones included. */
const Gwids = Nullable(Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true }));
const Grantable = Type.Array(Type.Unsafe<Permission>({ type: 'string', enum: [...grantable] }), {
  minItems: 1,
  uniqueItems: true,
});

export const list = endpoint({
  ...mine,
  effect: 'read',
  path: '/api/v3/account/list',
  summary: 'The accounts the person can act in: the own one, those it is a member of, those that host networks to it.',
  body: Empty,
  data: ListOf(
    Type.Object({
      account_id: Id,
      name: Type.String(),
      /** Null: access by delegation. */
      role: Nullable(Words(memberRoles)),
      role_name: RoleName,
      own: Type.Boolean(),
      network_count: Nullable(Type.Integer()),
    }),
  ),
  example: () => ({}),
});

export const detail = endpoint({
  ...reading,
  path: '/api/v3/account/detail',
  summary: 'The account acted in.',
  body: Empty,
  data: Type.Object({
    account_id: Id,
    name: Type.String(),
    time_zone: Type.String(),
    /** First day, `YYYY-MM-DD`, counted in this zone alone; null: never changed. */
    time_zone_from: Nullable(Type.String()),
    /** Confirms new devices from a site's address, unless a network overrides it. */
    trust_sites: Type.Boolean(),
    created_at: Time,
  }),
  example: () => ({}),
});

export const update = endpoint({
  ...writing,
  path: '/api/v3/account/update',
  summary:
    'Renames the account, sets its time zone, by which days are cut from `time_zone_from` on, or whether new devices from the addresses of its sites are trusted.',
  body: Type.Object({
    name: Type.Optional(FreeText(64)),
    time_zone: Type.Optional(Zone),
    trust_sites: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({
    name: Type.String(),
    time_zone: Type.String(),
    time_zone_from: Nullable(Type.String()),
    trust_sites: Type.Boolean(),
  }),
  example: () => ({ name: 'Harbour-Hotels', time_zone: 'Asia/Shanghai' }),
});

export const grantors = endpoint({
  ...inAccount,
  ...acrossAccounts,
  permission: null,
  effect: 'read',
  path: '/api/v3/account/grantors',
  summary: 'Lists people of the active account who can grant a missing permission; none can grant `install.admin`.',
  body: Type.Object({ permission: Words(permissions) }),
  data: Type.Object({ list: Type.Array(Type.Object({ name: Type.String(), role: Words(roles) })) }),
  example: () => ({ permission: 'network.write' as const }),
});

export const memberList = endpoint({
  ...reading,
  ...acrossAccounts,
  path: '/api/v3/account/member/list',
  summary: 'Members of the account.',
  body: ListQuery([], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      name: Type.String(),
      login: Type.String(),
      role: Words(memberRoles),
      role_id: Nullable(Id),
      role_name: RoleName,
      permissions: Type.Array(Words(permissions)),
      gwids: Nullable(Type.Array(Id)),
      self: Type.Boolean(),
      second_factor: Type.Boolean(),
      created_at: Time,
      last_active_at: Nullable(Time),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const memberUpdate = endpoint({
  ...writing,
  ...acrossAccounts,
  path: '/api/v3/account/member/update',
  bodyBytes: 40 * 1024,
  object: { id: 'member', role_id: 'role', gwids: 'network' },
  summary:
    'Changes a member’s role, networks or both: a field that is left out stays; 4018 for the last owner. A caller can change and give only permissions that the caller has. Members who manage members see all networks; only an owner changes or appoints an owner.',
  body: Type.Object({ id: Id, role: Type.Optional(Words(memberRoles)), role_id: RoleId, gwids: Type.Optional(Gwids) }),
  data: Waiting,
  example: (seed) => ({ id: seed.member.id, role: 'auditor' as const, gwids: null }),
});

export const memberRemove = endpoint({
  ...writing,
  ...acrossAccounts,
  path: '/api/v3/account/member/remove',
  object: { id: 'member' },
  summary: 'Ends a membership; open pages of the person leave within seconds. 4018 for the last owner.',
  body: Type.Object({ id: Id }),
  data: Waiting,
  example: (seed) => ({ id: seed.member.id }),
});

export const invite = endpoint({
  ...writing,
  ...acrossAccounts,
  path: '/api/v3/account/member/invite',
  bodyBytes: 40 * 1024,
  object: { role_id: 'role', gwids: 'network' },
  limit: perMinute(20),
  summary:
    'Invites a person by e-mail or mobile, with at most the caller’s permissions; the link is valid for seven days.',
  body: Type.Object({ login: Login, role: Words(givenRoles), role_id: RoleId, gwids: Gwids }),
  data: Type.Object({ id: Id, url: Type.String() }),
  example: (seed) => ({
    login: 'colleague@example.com',
    role: 'operator' as const,
    gwids: [seed.network.gwid],
  }),
});

export const invitationList = endpoint({
  ...reading,
  path: '/api/v3/account/invitation/list',
  summary: 'Invitations that are still open.',
  body: ListQuery([], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      login: Type.String(),
      role: Words(memberRoles),
      role_id: Nullable(Id),
      role_name: RoleName,
      gwids: Nullable(Type.Array(Id)),
      created_at: Time,
      expires_at: Time,
      expired: Type.Boolean(),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const invitationRevoke = endpoint({
  ...writing,
  path: '/api/v3/account/invitation/revoke',
  object: { id: 'invitation' },
  summary: 'Takes an invitation back.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.invitation.id }),
});

const InvitationToken = Type.Object({ token: Type.String({ minLength: 20, maxLength: 100 }) });

export const invitationGreet = endpoint({
  access: 'public',
  permission: null,
  object: {},
  method: 'POST',
  ...acrossAccounts,
  effect: 'read',
  path: '/api/v3/open/invitation',
  limit: perMinute(60),
  summary: 'Describes an invitation by its link, without a sign-in: 4013 used, 4014 expired or withdrawn.',
  body: InvitationToken,
  data: Type.Object({
    account_name: Type.String(),
    invited_by: Type.String(),
    /** Must be used to sign in or register. */
    login: Type.String(),
  }),
  example: (seed) => ({ token: seed.receivedInvitation.token }),
});

export const invitationLook = endpoint({
  ...mine,
  effect: 'read',
  path: '/api/v3/account/invitation/look',
  limit: perMinute(60),
  summary: 'Describes an invitation: 4013 used, 4014 expired, withdrawn or for another person.',
  body: InvitationToken,
  data: Type.Object({
    account_name: Type.String(),
    invited_by: Type.String(),
    role: Words(memberRoles),
    role_name: RoleName,
    permissions: Type.Array(Words(permissions)),
    expires_at: Time,
  }),
  example: (seed) => ({ token: seed.receivedInvitation.token }),
});

export const invitationAccept = endpoint({
  ...mine,
  effect: 'write',
  path: '/api/v3/account/invitation/accept',
  limit: perMinute(60),
  summary: 'Joins the account that invites.',
  body: InvitationToken,
  data: Type.Object({ account_id: Id }),
  example: (seed) => ({ token: seed.receivedInvitation.token }),
});

export const leave = endpoint({
  ...mine,
  effect: 'write',
  path: '/api/v3/account/leave',
  summary: 'Ends the own membership of an account; 4018 for its last owner.',
  body: Type.Object({ account_id: Id }),
  data: Empty,
  example: (seed) => ({ account_id: seed.otherAccount.id }),
});

const DelegationRow = Type.Object({
  id: Id,
  account_name: Type.String(),
  account_id: Id,
  permissions: Type.Array(Words(permissions)),
  gwids: Nullable(Type.Array(Id)),
  network_names: Type.Array(Type.String()),
  created_at: Time,
  last_used_at: Nullable(Time),
});

export const hostingList = endpoint({
  ...reading,
  ...acrossAccounts,
  path: '/api/v3/hosting/list',
  summary: 'Networks that this account hosts to others.',
  body: ListQuery([], {}),
  data: ListOf(DelegationRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const hostingReceived = endpoint({
  ...reading,
  ...acrossAccounts,
  path: '/api/v3/hosting/received',
  summary: 'Networks that others host to this account.',
  body: ListQuery([], {}),
  data: ListOf(DelegationRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const hostingGrant = endpoint({
  ...writing,
  ...acrossAccounts,
  path: '/api/v3/hosting/grant',
  bodyBytes: 40 * 1024,
  object: { gwids: 'network' },
  limit: perMinute(20),
  summary:
    'Hosts networks to another account, found by the e-mail or mobile of its owner, with the given permissions. Replaces an earlier hosting to it.',
  body: Type.Object({ login: Login, permissions: Grantable, gwids: Gwids }),
  /** `replaced`: an existing delegation. */
  data: Type.Object({ id: Id, replaced: Type.Boolean() }),
  example: (seed) => ({
    login: seed.otherAccount.login,
    permissions: ['network.read' as Permission],
    gwids: [seed.network.gwid],
  }),
});

export const hostingUpdate = endpoint({
  ...writing,
  ...acrossAccounts,
  path: '/api/v3/hosting/update',
  bodyBytes: 40 * 1024,
  object: { id: 'grant', gwids: 'network' },
  summary: 'Changes the permissions or the networks of a hosting, or both; a field that is left out stays.',
  body: Type.Object({ id: Id, permissions: Type.Optional(Grantable), gwids: Type.Optional(Gwids) }),
  data: Empty,
  example: (seed) => ({ id: seed.delegation.id, permissions: ['network.read' as Permission], gwids: null }),
});

export const hostingRevoke = endpoint({
  ...writing,
  ...acrossAccounts,
  path: '/api/v3/hosting/revoke',
  object: { id: 'grant' },
  summary: 'Stops hosting; open pages of the other account leave within seconds.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.delegation.id }),
});

export const hostingGiveBack = endpoint({
  ...writing,
  ...acrossAccounts,
  path: '/api/v3/hosting/give_back',
  summary: 'Gives back what another account hosts to the one acted in.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.receivedDelegation.id }),
});
