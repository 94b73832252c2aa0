import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { count, shortTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { Panel } from './panel.tsx';

type Summary = Data<'/api/v3/wireless/summary'>;

export function SummaryPanels({ answer, gwid }: { answer: Answer<Summary>; gwid: string | undefined }) {
  const { data } = answer;
  const list = gwid ? `/network/aps/${gwid}` : '/network/aps';
  return (
    <>
      <Panel title={t('radio.aps')} what={t('radio_what.aps')} answer={answer} height={96}>
        {({ aps }) => (
          <>
            <Link to={list} className="figure radio-link">
              {count(aps.total)}
            </Link>
            <ul className="radio-statuses">
              {aps.statuses.map(({ name, value }) => (
                <li key={name}>
                  <StatusTag status={name} />
                  <Link to={list} search={{ status: name }} className="radio-link">
                    {count(value)}
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </Panel>
      {(data?.bands.map(({ name }) => name) ?? (['2.4G', '5G', '6G'] as const)).map((name) => (
        <Panel key={name} title={name} what={t('radio_what.band')} answer={answer} height={96}>
          {({ bands }) => {
            const band = bands.find((one) => one.name === name);
            return band ? <Band band={band} gwid={gwid} /> : null;
          }}
        </Panel>
      ))}
    </>
  );
}

function Band({ band, gwid }: { band: Summary['bands'][number]; gwid: string | undefined }) {
  const to = gwid ? `/networks/online_users/${gwid}` : '/networks/online_users';
  return (
    <>
      <Link to={to} search={{ band: String(Math.floor(Number.parseFloat(band.name))) }} className="figure radio-link">
        {count(band.online)}
      </Link>
      <p className="small dim">{t('radio.online_now')}</p>
      <p className="small dim">
        {band.peak === null || band.peak_at === null
          ? t('radio.no_peak')
          : band.peak === 0
            ? t('radio.peak_none')
            : t('radio.peak', { n: count(Math.round(band.peak)), time: shortTime(new Date(band.peak_at)) })}
      </p>
    </>
  );
}
