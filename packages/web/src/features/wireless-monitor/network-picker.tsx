import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { TextField } from '../../ui/field.tsx';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Popup } from '../../ui/popup.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusSign } from '../../ui/status.tsx';

const SHOWN = 20;

interface Place {
  gwid: string | undefined;
  base: '/wireless_monitor' | '/flow_monitor' | '/topology' | '/asset';
  all?: boolean;
}

export function NetworkPicker({ gwid, base, all = false }: Place) {
  const { data } = useRead('/api/v3/network/detail', { gwid: gwid ?? '' }, { enabled: gwid !== undefined });
  const name =
    gwid === undefined ? t(all ? 'radio.all_networks' : 'radio.choose') : (data?.remark ?? t('radio.this_network'));
  return (
    <Popup
      kind="dialog"
      label={t('radio.choose')}
      width={300}
      trigger={(trigger) => (
        <Button {...trigger} icon="network" className="radio-picker">
          <span className="ellipsis">{name}</span>
          <Icon name="chevron_down" size={14} />
        </Button>
      )}
    >
      {(close) => <Networks gwid={gwid} base={base} all={all} close={close} />}
    </Popup>
  );
}

function Networks({ gwid, base, all, close }: Place & { close: () => void }) {
  const [keyword, setKeyword] = useState('');
  const { data, error, refetch } = useRead(
    '/api/v3/network/list',
    { page: 1, limit: SHOWN, sort: 'remark', order: 'asc', ...(keyword ? { keyword } : {}) },
    { keepPrevious: true },
  );
  const more = data ? data.total - data.list.length : 0;
  return (
    <div className="radio-networks">
      <TextField
        label={t('radio.find')}
        hideLabel
        placeholder={t('radio.find')}
        value={keyword}
        onChange={setKeyword}
      />
      {data === undefined && Boolean(error) && <Failed error={error} retry={() => void refetch()} small />}
      {data === undefined && !error && <Skeleton height={120} />}
      {data && (
        // a click on a link closes the popup
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
        <ul onClick={close}>
          {all && keyword === '' && (
            <li>
              <Link to={base} className="menu-item" current={gwid === undefined}>
                {t('radio.all_networks')}
              </Link>
            </li>
          )}
          {data.list.map((row) => (
            <li key={row.gwid}>
              <Link to={`${base}/${row.gwid}`} className="menu-item" current={row.gwid === gwid}>
                <StatusSign status={row.status} />
                <span className="ellipsis">{row.remark}</span>
              </Link>
            </li>
          ))}
          {data.list.length === 0 && <li className="small dim">{t('empty.no_hits')}</li>}
        </ul>
      )}
      {more > 0 && <p className="small dim">{t('radio.more_networks', { n: count(more) })}</p>}
    </div>
  );
}
