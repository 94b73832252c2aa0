import { createHash } from 'node:crypto';
import { backup, type DataOf } from '@yunxun/contract';
import { documents } from '../configuration/index.ts';

type Content = backup.BackupContent;
type Diff = DataOf<typeof backup.diff>;

/** Writes equal contents as equal bytes. */
export function textOf(content: Content): string {
  return documents.canonical(content);
}

/** Includes keys, so it never leaves the database. */
export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Matches by serial; masks secrets. */
export function difference(before: Content | null, after: Content | null): Diff {
  const changes = documents.diff(before && comparable(before), after && comparable(after));
  const max = backup.backupLimits.changes;
  return { changes: changes.slice(0, max), more: Math.max(0, changes.length - max) };
}

export function shown(content: Content): unknown {
  return documents.maskSecrets(content);
}

function comparable({ wireless, gateway, devices, templates }: Content): object {
  return {
    wireless,
    gateway,
    devices: Object.fromEntries(devices.map((device) => [device.serial, device])),
    templates: Object.fromEntries(
      (templates ?? []).map(({ serial, kind, name, version }) => [`${serial ?? 'network'} ${kind}`, { name, version }]),
    ),
  };
}

export function merged(base: Content, over: Content, sections: readonly backup.BackupSection[]): Content {
  const picked = Object.fromEntries(sections.map((section) => [section, over[section]])) as Partial<Content>;
  const present = Object.fromEntries(
    Object.entries(picked).filter(([, value]) => value !== null && value !== undefined),
  );
  return { ...base, ...present };
}

/** Replaces one device by another in a content. */
export function succeeded(content: Content, { from, to }: { from: string; to: string }): Content {
  const moved = <T extends { serial: string | null }>(list: readonly T[]) =>
    list.filter(({ serial }) => serial !== to).map((one) => (one.serial === from ? { ...one, serial: to } : one));
  return {
    ...content,
    devices: moved(content.devices).toSorted((a, b) => (a.serial < b.serial ? -1 : 1)),
    ...(content.templates && { templates: moved(content.templates) }),
  };
}
