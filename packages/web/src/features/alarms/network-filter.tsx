import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { NetworkPick } from '../../ui/networks-field.tsx';
import { Popup } from '../../ui/popup.tsx';

/** For more networks than a list holds: the server searches. */
export function NetworkFilter() {
  const [search, change] = useSearch();
  const gwid = search.gwid;
  const { data } = useRead('/api/v3/network/detail', { gwid: gwid ?? '' }, { enabled: gwid !== undefined });
  const chosen = gwid === undefined ? null : { gwid, remark: data?.remark ?? t('alarm.network_this') };
  return (
    <Popup
      kind="dialog"
      label={t('alarm.network')}
      width={300}
      trigger={(trigger) => (
        <Button icon="network" {...trigger}>
          <span className="ellipsis">{chosen?.remark ?? t('alarm.network_all')}</span>
        </Button>
      )}
    >
      {(close) => (
        <NetworkPick
          label={t('alarm.network')}
          value={chosen}
          onChange={(network) => {
            change({ page: undefined, gwid: network.gwid });
            close();
          }}
        />
      )}
    </Popup>
  );
}
