import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { percent } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Tag } from '../../ui/status.tsx';
import { bandName, weakSignal } from './labels.ts';

type Detail = Data<'/api/v3/user_online/detail'>;

/** Thresholds of a warning: channel utilization in percent, and roams per day. */
const busyAir = 60;
const manyRoams = 6;

export function Verdict({ data }: { data: Detail }) {
  if (!data.online || data.band === 0 || data.behind) return null;
  const util = data.access_points.find((ap) => ap.own)?.util_pct ?? null;
  const causes = [
    ...(data.rssi !== null && data.rssi <= weakSignal ? [t('users.verdict_weak', { n: data.rssi })] : []),
    ...(util !== null && util >= busyAir ? [t('users.verdict_busy', { n: Math.round(util) })] : []),
    ...(data.roams >= manyRoams ? [t('users.verdict_roams', { n: data.roams })] : []),
  ];
  if (causes.length === 0) {
    // unmeasured is not good
    return data.rssi === null || util === null ? null : <p className="notice notice-ok">{t('users.verdict_fine')}</p>;
  }
  return (
    <div className="notice notice-warn">
      <div>
        <strong>{t('users.verdict')}</strong>
        <ul>
          {causes.map((cause) => (
            <li key={cause}>{cause}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const number = (value: number | null, write: (value: number) => string) => (value === null ? '—' : write(value));

export function Compare({ data }: { data: Detail }) {
  const { access_points: aps, gwid } = data;
  if (data.band === 0 || data.behind) return null;
  return (
    <section>
      <h3 className="users-title">{t('users.compare', { band: data.band === null ? '—' : bandName(data.band) })}</h3>
      {aps.length === 0 ? (
        <p className="small dim">{t('users.compare_none')}</p>
      ) : (
        <>
          <div className="table-scroll">
            <table className="plain-table users-compare">
              <thead>
                <tr>
                  <th>{t('users.ap')}</th>
                  <th className="wraps">{t('users.util')}</th>
                  <th className="wraps">{t('users.noise')}</th>
                  <th className="wraps">{t('users.clients')}</th>
                  <th className="wraps">{t('users.rssi_mean')}</th>
                  <th className="wraps">{t('users.weak_share')}</th>
                </tr>
              </thead>
              <tbody>
                {aps.map((ap) => (
                  <tr key={ap.serial} className={ap.own ? 'users-own' : undefined}>
                    <td>
                      <Link to={`/network/aps/${gwid}`} search={{ device: ap.serial }}>
                        {ap.device || ap.serial}
                      </Link>{' '}
                      {ap.own && <Tag tone="brand">{t('users.own')}</Tag>}
                    </td>
                    <td>{number(ap.util_pct, percent)}</td>
                    <td className="nowrap">{number(ap.noise_dbm, (n) => t('users.dbm', { n: Math.round(n) }))}</td>
                    <td>{number(ap.clients, (n) => n.toFixed(n % 1 === 0 ? 0 : 1))}</td>
                    <td className="nowrap">{number(ap.rssi, (n) => t('users.dbm', { n: Math.round(n) }))}</td>
                    <td>{number(ap.weak_pct, percent)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {data.more > 0 && <p className="small dim">{t('users.compare_more', { n: data.more })}</p>}
        </>
      )}
    </section>
  );
}
