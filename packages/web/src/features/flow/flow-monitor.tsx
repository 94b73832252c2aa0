import type { ApplicationCategory } from '@yunxun/contract';
import { isMissing } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useOptionalParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { mac as macText } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import { AsOf } from '../../ui/time.tsx';
import { NetworkPicker } from '../wireless-monitor/index.ts';
import { categories, spans } from './choices.ts';
import { Categories, SeriesCard } from './series-card.tsx';
import { Coverage, SourcesCard } from './sources-card.tsx';
import { TopCard } from './top-card.tsx';
import './flow.css';

const LIVE_MS = 10_000;
const REFRESH_MS = 60_000;
/** Gateways report once a minute. */
const STALE_S = 300;

export function FlowMonitorScreen() {
  const gwid = useOptionalParam('gwid');
  const mayNetworks = useMay('network.read');
  const [search, change] = useSearch();
  const span = oneOf(search.span, spans) ?? '24h';
  const category = oneOf(search.category, categories);
  const mac = /^[0-9a-f]{12}$/.test(search.mac ?? '') ? search.mac : undefined;
  const of = gwid ? { gwid } : {};
  const narrowed = { ...of, span, ...(category ? { category } : {}), ...(mac ? { mac } : {}) };
  const options = { refetchMs: span === 'live' ? LIVE_MS : REFRESH_MS, keepPrevious: true };
  const sources = useRead('/api/v3/flow/sources', of, options);
  const series = useRead('/api/v3/flow/series', narrowed, options);
  const missing = gwid !== undefined && isMissing(sources.error);
  return (
    <Page
      title={t('home.flow_monitor')}
      crumb={gwid && <SiteCrumb gwid={gwid} />}
      extra={series.data && <AsOf at={series.data.as_of} staleAfterSeconds={STALE_S} />}
      actions={mayNetworks && <NetworkPicker gwid={gwid} base="/flow_monitor" all />}
    >
      {missing ? (
        <Card>
          <Empty icon="search" title={t('radio.missing')} actions={<AllNetworks />}>
            {t('radio.missing_body')}
          </Empty>
        </Card>
      ) : sources.data?.total === 0 && !sources.isPlaceholderData ? (
        <Card>
          <Empty icon="activity" title={t('flow.none')} {...(gwid ? { actions: <AllNetworks /> } : {})}>
            {t('flow.none_body')}
          </Empty>
        </Card>
      ) : (
        <div className="stack">
          <div className="spread flow-head">
            <Choice
              label={t('flow.span')}
              hideLabel
              value={span}
              options={spans.map((value) => ({ value, label: t(`flow.span_${value}`) }))}
              onChange={(value) => change({ span: value === '24h' ? undefined : value })}
            />
            <Coverage answer={sources} />
          </div>
          <Narrowed category={category} mac={mac} onClear={(name) => change({ [name]: undefined }, true)} />
          <SeriesCard answer={series} span={span} />
          <div className="flow-tables">
            <Categories answer={series} onPick={(name) => change({ category: name }, true)} />
            <TopCard of={narrowed} options={options} onClient={(key) => change({ mac: key }, true)} />
          </div>
          <SourcesCard answer={sources} />
        </div>
      )}
    </Page>
  );
}

const AllNetworks = () => (
  <Link to="/flow_monitor" className="btn">
    {t('radio.all_networks')}
  </Link>
);

interface NarrowedProps {
  category: ApplicationCategory | undefined;
  mac: string | undefined;
  onClear: (name: 'category' | 'mac') => void;
}

function Narrowed({ category, mac, onClear }: NarrowedProps) {
  const mayUsers = useMay('user.read');
  if (!category && !mac) return null;
  return (
    <div className="flow-narrowed">
      {category && (
        <Button icon="close" onClick={() => onClear('category')}>
          {t('flow.only_category', { name: t(`app_category.${category}`) })}
        </Button>
      )}
      {mac && (
        <Button icon="close" onClick={() => onClear('mac')}>
          {t('flow.only_client', { mac: macText(mac) })}
        </Button>
      )}
      {mac && mayUsers && (
        <Link to="/networks/online_users" search={{ user: mac }}>
          {t('flow.client_details')}
        </Link>
      )}
    </div>
  );
}
