import { t } from '../../app/i18n.ts';

interface Known {
  newer_version?: string | null;
}

/** Says that the catalogue of images has a newer version for a device than it runs; nothing where it has none. */
export function NewerMark({ row }: { row: Known }) {
  if (!row.newer_version) return null;
  const said = t('fleet.newer', { version: row.newer_version });
  return (
    <span className="newer-mark" title={said}>
      <span aria-hidden="true">↑</span>
      <span className="sr">{said}</span>
    </span>
  );
}

/** The version that a device runs, and what the catalogue has that is newer. */
export function VersionText({ row }: { row: Known & { version: string | null } }) {
  return (
    <>
      {row.version ?? '—'}
      {row.newer_version && <div className="small quiet">{t('fleet.newer', { version: row.newer_version })}</div>}
    </>
  );
}
