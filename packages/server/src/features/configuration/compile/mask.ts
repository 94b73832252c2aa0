export const masked = '••••••••';

const secretNames = new Set([
  'key',
  'password',
  'secret',
  'private-key',
  'system-password',
  'wifi-key',
  'access-token',
]);

export function isSecret(name: string): boolean {
  return secretNames.has(name) || /-(secret|password)$/.test(name);
}

export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecret(name) ? masked : maskSecrets(inner)]),
  );
}
