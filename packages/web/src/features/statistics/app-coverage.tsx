import { t } from '../../app/i18n.ts';
import { bytes, percent, shortTime } from '../../ui/format.ts';

/**
 * Says how much of the traffic the shares of applications refer to. Sources count IP packets, also between clients, so
 * they can exceed the uplinks' bytes: then there is no share.
 */
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
