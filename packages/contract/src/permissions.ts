/** The one table of permissions; menus, buttons and endpoints ask `allows`. */
export const permissions = [
  'network.read',
  'network.write',
  'network.reboot',
  'network.bind',
  'config.read',
  'config.write',
  'statistics.read',
  'user.read',
  'user.write',
  'billing.read',
  'log.read',
  'job.read',
  'job.write',
  'message.read',
  'message.write',
  'account.read',
  'account.write',
  'install.admin',
] as const;
export type Permission = (typeof permissions)[number];

/** What an owner may tick when hosting networks: never the account itself, its money or the installation. */
export const grantable = permissions.filter((permission) => !/^(account|billing|install)\./.test(permission));

export const roles = ['owner', 'admin', 'operator', 'marketing', 'auditor', 'billing'] as const;
export type Role = (typeof roles)[number];

const reads: readonly Permission[] = [
  'network.read',
  'config.read',
  'statistics.read',
  'user.read',
  'job.read',
  'message.read',
];
const operates: readonly Permission[] = [
  ...reads,
  'network.write',
  'network.reboot',
  'config.write',
  'user.write',
  'job.write',
  'message.write',
];
const administers: readonly Permission[] = [
  ...operates,
  'network.bind',
  'log.read',
  'account.read',
  'account.write',
  'billing.read',
];

/** Roles are sets of permissions. `install.admin` comes with the installation, never with a role. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: administers,
  admin: administers,
  operator: operates,
  marketing: ['network.read', 'statistics.read', 'user.read', 'message.read'],
  auditor: [...reads, 'log.read', 'account.read', 'billing.read'],
  billing: ['network.read', 'billing.read', 'message.read'],
};

/** What an API token may be limited to: the first word of a permission; `personal` is what needs none. */
export const areas = [
  'network',
  'config',
  'statistics',
  'user',
  'billing',
  'log',
  'job',
  'message',
  'account',
  'install',
  'personal',
] as const;
export type Area = (typeof areas)[number];

/** The area of what an endpoint asks. */
export function areaOf(permission: Permission | null): Area {
  return permission ? (permission.split('.')[0] as Area) : 'personal';
}

/** What an owner ticked when hosting networks to another account. */
export interface HostingGrant {
  permissions: readonly Permission[];
  /** The networks it covers; null covers all of the account. */
  gwids: readonly string[] | null;
  /** The account that they are hosted to, in whose name the person works here. */
  to: string;
}

/** What an API token was limited to when it was made. */
export interface TokenLimits {
  name: string;
  scope: 'read' | 'write';
  /** Null: every area. */
  areas: readonly Area[] | null;
  /** Null: every network that its person may see. */
  gwids: readonly string[] | null;
}

/** Who acts, in which account, and by what right. */
export interface Actor {
  /** The account acted in. */
  accountId: string;
  userId: string;
  /** How the operation log names the person. */
  name: string;
  /** The person's own account. */
  homeAccountId: string;
  /** Right by membership of the account. */
  role: Role | null;
  /** The networks that the membership covers; null covers all. */
  roleGwids: readonly string[] | null;
  /** Right by hosting, when the person is not a member. */
  grant: HostingGrant | null;
  /** Set when the caller is a program with an API token of the person. */
  token: TokenLimits | null;
  /** Looks at the account as somebody else would see it: role and grant are theirs, and nothing may be changed. */
  viewing: boolean;
  installationAdmin: boolean;
}

/** Why a call is refused; `permission` names the one that is missing. */
export interface Refusal {
  permission: Permission | null;
  /**
   * The right does not hold it; the API token is for other areas, or reads only; the account is only looked at as somebody
   * else sees it; the call concerns all networks, and the right covers some; only an owner may do this to an owner.
   */
  reason: 'permission' | 'token_area' | 'token_read_only' | 'viewing' | 'networks' | 'owner';
}

/** Whether the actor may do what the permission names, in the account it acts in. */
export function allows(actor: Actor, permission: Permission): boolean {
  return refusal(actor, { permission, effect: 'read' }) === null;
}

/** Why the actor may not make a call; null when it may. */
export function refusal(
  actor: Actor,
  call: { permission: Permission | null; effect: 'read' | 'write' | 'device' },
): Refusal | null {
  const { permission, effect } = call;
  if (permission && !byRight(actor, permission)) return { permission, reason: 'permission' };
  const { token } = actor;
  if (token?.areas && !token.areas.includes(areaOf(permission))) return { permission, reason: 'token_area' };
  if (token?.scope === 'read' && effect !== 'read') return { permission, reason: 'token_read_only' };
  if (actor.viewing && effect !== 'read') return { permission, reason: 'viewing' };
  return null;
}

function byRight(actor: Actor, permission: Permission): boolean {
  if (permission === 'install.admin') return actor.installationAdmin && !actor.viewing;
  if (actor.role) return rolePermissions[actor.role].includes(permission);
  return grantable.includes(permission) && (actor.grant?.permissions.includes(permission) ?? false);
}

/** The networks that the actor may see in the account it acts in; null: all of them. */
export function networksOf(actor: Actor): readonly string[] | null {
  const mine = actor.role ? actor.roleGwids : (actor.grant?.gwids ?? null);
  const tokens = actor.token?.gwids ?? null;
  if (!mine || !tokens) return mine ?? tokens;
  return tokens.filter((gwid) => mine.includes(gwid));
}
