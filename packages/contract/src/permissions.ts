/** The one table of permissions; menus, buttons and endpoints ask `allows`. */
export const permissions = [
  'network.read',
  'network.write',
  'network.reboot',
  'network.bind',
  'config.read',
  'config.write',
  'statistics.read',
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

export const roles = ['owner', 'admin', 'operator', 'marketing', 'auditor', 'billing'] as const;
export type Role = (typeof roles)[number];

const reads: readonly Permission[] = ['network.read', 'config.read', 'statistics.read', 'job.read', 'message.read'];
const operates: readonly Permission[] = [
  ...reads,
  'network.write',
  'network.reboot',
  'config.write',
  'job.write',
  'message.write',
];
const administers: readonly Permission[] = [...operates, 'network.bind', 'log.read', 'account.read', 'account.write'];

/** Roles are sets of permissions. `install.admin` comes with the installation, never with a role. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: administers,
  admin: administers,
  operator: operates,
  marketing: ['network.read', 'statistics.read', 'message.read'],
  auditor: [...reads, 'log.read', 'account.read'],
  billing: ['network.read', 'message.read'],
};

/** What an owner ticked when hosting networks to another account. */
export interface HostingGrant {
  permissions: readonly Permission[];
  /** The networks it covers; null covers all of the account. */
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
  /** Right by hosting, when the person is not a member. */
  grant: HostingGrant | null;
  installationAdmin: boolean;
}

/** Whether the actor may do what the permission names, in the account it acts in. */
export function allows(actor: Actor, permission: Permission): boolean {
  if (permission === 'install.admin') return actor.installationAdmin;
  if (actor.role) return rolePermissions[actor.role].includes(permission);
  return actor.grant?.permissions.includes(permission) ?? false;
}
