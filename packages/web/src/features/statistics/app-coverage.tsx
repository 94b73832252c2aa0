import { t } from '../../app/i18n.ts';
import { bytes, percent, shortTime } from '../../ui/format.ts';

/** Sources also count traffic between clients: no share above the uplinks' bytes. */
export function AppCoverage({
  measured,
  since,
  total,
}: {
  measured: number | null;
  since: string | null;
  total: number;
}) {
  if (measured === null || since === null) return null;
  const of = { measured: bytes(measured), since: shortTime(new Date(since)) };
  const isPart = total > 0 && measured <= total;
  return (
    <p className="small dim">
      {isPart
        ? t('home.app_coverage', { ...of, share: percent((measured / total) * 100) })
        : t('home.app_measured', of)}
    </p>
  );
}
