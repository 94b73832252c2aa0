import { isMissing } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useOptionalParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import { AsOf } from '../../ui/time.tsx';
import { Charts } from './charts.tsx';
import { NetworkPicker } from './network-picker.tsx';
import { ScorePanel } from './score.tsx';
import { SummaryPanels } from './summary.tsx';
import { WorstPanel } from './worst.tsx';
import './wireless-monitor.css';

const REFRESH_MS = 60_000;
/** Age in seconds beyond which data is outdated; the last closed five minutes are normal. */
const STALE_S = 900;

export function WirelessMonitorScreen() {
  const gwid = useOptionalParam('gwid');
  const mayNetworks = useMay('network.read');
  const [search, change] = useSearch();
  const step = oneOf(search.step, ['5m', '1h']) ?? '5m';
  const of = gwid ? { gwid } : {};
  const options = { refetchMs: REFRESH_MS, keepPrevious: true };
  const summary = useRead('/api/v3/wireless/summary', of, options);
  const score = useRead('/api/v3/wireless/score', of, options);
  const worst = useRead('/api/v3/wireless/worst', of, options);
  const series = useRead('/api/v3/wireless/series', { ...of, step }, options);
  const nothing = summary.data?.aps.total === 0 && !summary.isPlaceholderData;
  const missing = gwid !== undefined && isMissing(summary.error);
  return (
    <Page
      title={t('home.wireless_monitor')}
      crumb={gwid && <SiteCrumb gwid={gwid} />}
      extra={score.data && !nothing && <AsOf at={score.data.as_of} staleAfterSeconds={STALE_S} />}
      actions={mayNetworks && <NetworkPicker gwid={gwid} base="/wireless_monitor" all />}
    >
      {missing ? (
        <Missing />
      ) : nothing ? (
        <Nothing narrowed={gwid !== undefined} />
      ) : (
        <div className="stack">
          <div className="radio-top">
            <ScorePanel answer={score} />
            <div className="radio-sums">
              <SummaryPanels answer={summary} gwid={gwid} />
            </div>
          </div>
          <WorstPanel answer={worst} />
          <div className="spread radio-day">
            <div>
              <h2>{t('radio.day')}</h2>
              <p className="small dim">{t('radio.day_note')}</p>
            </div>
            <Choice
              label={t('radio.step')}
              hideLabel
              value={step}
              options={[
                { value: '5m', label: t('radio.step_5m') },
                { value: '1h', label: t('radio.step_1h') },
              ]}
              onChange={(value) => change({ step: value === '5m' ? undefined : value })}
            />
          </div>
          <div className="radio-charts">
            <Charts answer={series} />
          </div>
        </div>
      )}
    </Page>
  );
}

/** Unknown network: shown once instead of in every panel. */
function Missing() {
  return (
    <Card>
      <Empty
        icon="search"
        title={t('radio.missing')}
        actions={
          <Link to="/wireless_monitor" className="btn">
            {t('radio.all_networks')}
          </Link>
        }
      >
        {t('radio.missing_body')}
      </Empty>
    </Card>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  return (
    <Card>
      {narrowed ? (
        <Empty
          icon="search"
          title={t('radio.empty_network')}
          actions={
            <Link to="/wireless_monitor" className="btn">
              {t('radio.all_networks')}
            </Link>
          }
        >
          {t('radio.empty_network_body')}
        </Empty>
      ) : (
        <Empty
          icon="wifi"
          title={t('radio.empty')}
          actions={
            <Link to="/waiting_devices" className="btn btn-primary">
              {t('radio.empty_act')}
            </Link>
          }
        >
          {t('radio.empty_body')}
        </Empty>
      )}
    </Card>
  );
}
