import type { configuration } from '@yunxun/contract';
import type { RadiusServer, Ssid } from './compile/index.ts';

/** Keyed by SSID id alone, for compatibility. */
export type SsidSecrets = Record<string, string>;

const names = {
  auth: (ssidId: string) => `${ssidId} radius.auth`,
  acct: (ssidId: string) => `${ssidId} radius.acct`,
  key: (ssidId: string, keyId: string) => `${ssidId} keys.${keyId}`,
};

export function secretsOf(ssids: readonly Ssid[]): SsidSecrets {
  const found: [string, string | null | undefined][] = ssids.flatMap(({ id, key, radius, keys = [] }) => [
    [id, key],
    [names.auth(id), radius?.auth.secret],
    [names.acct(id), radius?.acct?.secret],
    ...keys.map((one): [string, string | null] => [names.key(id, one.id), one.key]),
  ]);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Sets missing secrets to null. */
export function withSecrets(ssids: readonly Ssid[], secrets: SsidSecrets): Ssid[] {
  return ssids.map(({ radius, keys, ...ssid }) => {
    const { id } = ssid;
    const server = (own: RadiusServer, name: string) => ({ ...own, secret: secrets[name] ?? null });
    return {
      ...ssid,
      key: secrets[id] ?? null,
      ...(radius && {
        radius: {
          auth: server(radius.auth, names.auth(id)),
          acct: radius.acct && server(radius.acct, names.acct(id)),
        },
      }),
      ...(keys && { keys: keys.map((one) => ({ ...one, key: secrets[names.key(id, one.id)] ?? null })) }),
    };
  });
}

export function presentSsid({ key, bands, radius, keys, ...ssid }: Ssid): configuration.SsidRow {
  const server = ({ host, port, secret }: RadiusServer) => ({ host, port, secret_set: secret !== null });
  return {
    ...ssid,
    bands: [...bands],
    key_set: key !== null,
    ...(radius && { radius: { auth: server(radius.auth), acct: radius.acct && server(radius.acct) } }),
    ...(keys && { keys: keys.map(({ key: own, ...shown }) => ({ ...shown, key_set: own !== null })) }),
  };
}

/** Keeps secrets, for backups and saves. */
export function ssidInput({ key, bands, radius, keys, ...ssid }: Ssid): configuration.SsidInput {
  const server = ({ host, port, secret }: RadiusServer) => ({ host, port, ...(secret !== null && { secret }) });
  return {
    ...ssid,
    bands: [...bands],
    ...(key !== null && { key }),
    ...(radius && { radius: { auth: server(radius.auth), acct: radius.acct && server(radius.acct) } }),
    ...(keys && { keys: keys.map(({ key: own, ...one }) => ({ ...one, ...(own !== null && { key: own }) })) }),
  };
}

export function changedSecrets(before: readonly Ssid[], after: readonly Ssid[]): string[] {
  const text = (ssid: Ssid) => JSON.stringify(Object.entries(secretsOf([ssid])).toSorted());
  const old = new Map(before.map((ssid) => [ssid.id, text(ssid)]));
  return after.filter((ssid) => old.has(ssid.id) && old.get(ssid.id) !== text(ssid)).map(({ name }) => name);
}
