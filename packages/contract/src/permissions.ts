/** Checked through `allows`. */
export const permissions = [
  'network.read',
  'network.write',
  'network.reboot',
  'network.bind',
  'remote.use',
  'remote.replay',
  'config.read',
  'config.write',
  'config.secret',
  'statistics.read',
  'user.read',
  'user.write',
  'guest.reception',
  'voucher.read',
  'voucher.write',
  'billing.read',
  'billing.write',
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

/** Permissions that a role of the account's own can hold: never the installation. */
export type AssignablePermission = Exclude<Permission, 'install.admin'>;
export const assignable = permissions.filter(
  (permission): permission is AssignablePermission => permission !== 'install.admin',
);

/** Permissions that a delegation can grant: never account, billing or installation. */
export const grantable = assignable.filter((permission) => !/^(account|billing)\./.test(permission));

export function isGrantable(permission: Permission): boolean {
  return grantable.some((one) => one === permission);
}

export const roles = ['owner', 'admin', 'operator', 'marketing', 'auditor', 'billing', 'reception'] as const;
export type Role = (typeof roles)[number];

/** Role of a member: `custom` is a role that the account defined itself. */
export const memberRoles = [...roles, 'custom'] as const;
export type MemberRole = (typeof memberRoles)[number];

const reads: readonly Permission[] = [
  'network.read',
  'config.read',
  'statistics.read',
  'user.read',
  'voucher.read',
  'job.read',
  'message.read',
];
const operates: readonly Permission[] = [
  ...reads,
  'network.write',
  'network.reboot',
  'remote.use',
  'config.write',
  'user.write',
  'guest.reception',
  'voucher.write',
  'job.write',
  'message.write',
];
const administers: readonly Permission[] = [
  ...operates,
  'config.secret',
  'remote.replay',
  'network.bind',
  'log.read',
  'account.read',
  'account.write',
  'billing.read',
  'billing.write',
];

/** `install.admin` belongs to the installation, never to a role. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: administers,
  admin: administers,
  operator: operates,
  marketing: ['network.read', 'statistics.read', 'user.read', 'voucher.read', 'message.read'],
  auditor: [...reads, 'log.read', 'account.read', 'billing.read'],
  billing: ['network.read', 'billing.read', 'billing.write', 'message.read'],
  reception: ['guest.reception', 'voucher.read', 'voucher.write'],
};

/** API token scopes; `personal` needs no permission. */
export const areas = [
  'network',
  'config',
  'statistics',
  'user',
  'guest',
  'voucher',
  'billing',
  'log',
  'job',
  'message',
  'account',
  'install',
  'personal',
] as const;
export type Area = (typeof areas)[number];

export type AreaOf<P extends Permission> = P extends `remote.${string}`
  ? 'network'
  : P extends `${infer A extends Area}.${string}`
    ? A
    : never;

export function areaOf<P extends Permission>(permission: P): AreaOf<P>;
export function areaOf(permission: Permission | null): Area;
export function areaOf(permission: Permission | null): Area {
  if (permission?.startsWith('remote.')) return 'network';
  return permission ? (permission.split('.')[0] as Area) : 'personal';
}

export interface HostingDelegation {
  permissions: readonly Permission[];
  /** Null: the whole account. */
  gwids: readonly string[] | null;
  /** The account that receives the delegation. */
  to: string;
}

export interface TokenLimits {
  name: string;
  scope: 'read' | 'write';
  areas: readonly Area[] | null;
  /** Null: all of its person. */
  gwids: readonly string[] | null;
}

export interface Actor {
  accountId: string;
  userId: string;
  name: string;
  homeAccountId: string;
  role: MemberRole | null;
  /** What the role allows; empty without a role. */
  rolePermissions: readonly Permission[];
  /** Null: all. */
  roleGwids: readonly string[] | null;
  /** Set if access is by delegation. */
  delegation: HostingDelegation | null;
  /** Set for API token calls. */
  token: TokenLimits | null;
  /** View-as mode: rights of another person, read-only. */
  viewing: boolean;
  installationAdmin: boolean;
}

export interface Refusal {
  permission: Permission | null;
  /** `token_area`, `token_read_only`: token limits; `networks`: needs the whole account; `owner`: needs an owner. */
  reason: 'permission' | 'token_area' | 'token_read_only' | 'viewing' | 'networks' | 'owner';
}

export function allows(actor: Actor, permission: Permission): boolean {
  return refusal(actor, { permission, effect: 'read' }) === null;
}

export function refusal(
  actor: Actor,
  call: { permission: Permission | null; effect: 'read' | 'write' | 'device' },
): Refusal | null {
  const { permission, effect } = call;
  if (permission && !hasRight(actor, permission)) return { permission, reason: 'permission' };
  const { token } = actor;
  if (token?.areas && !token.areas.includes(areaOf(permission))) return { permission, reason: 'token_area' };
  if (token?.scope === 'read' && effect !== 'read') return { permission, reason: 'token_read_only' };
  if (actor.viewing && effect !== 'read') return { permission, reason: 'viewing' };
  return null;
}

/** Checks role, delegation and installation, without token limits. */
export function hasRight(actor: Actor, permission: Permission): boolean {
  if (permission === 'install.admin') return actor.installationAdmin && !actor.viewing;
  if (actor.role) return actor.rolePermissions.includes(permission);
  return isGrantable(permission) && (actor.delegation?.permissions.includes(permission) ?? false);
}

/** Null: all. */
export function networksOf(actor: Actor): readonly string[] | null {
  const mine = actor.role ? actor.roleGwids : (actor.delegation?.gwids ?? null);
  const tokens = actor.token?.gwids ?? null;
  if (!mine || !tokens) return mine ?? tokens;
  return tokens.filter((gwid) => mine.includes(gwid));
}
