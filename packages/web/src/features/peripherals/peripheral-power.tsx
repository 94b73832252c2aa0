import { t } from '../../app/i18n.ts';
import { FindPowerDialog } from '../../app/lazy-parts.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';

/** As many as a network may have. */
const limit = 200;

/** For screens that know a peripheral device by its name, which is unique in its network. */
export function PeripheralPower({ gwid, name, onClose }: { gwid: string; name: string; onClose: () => void }) {
  const { data, error, refetch } = useRead('/api/v3/peripheral/list', { gwid, keyword: name, page: 1, limit });
  const found = data?.list.find((row) => row.name === name);
  if (found?.mac) return <FindPowerDialog gwid={gwid} mac={found.mac} name={name} onClose={onClose} />;
  return (
    <Dialog title={t('ports.cycle_of', { name })} onClose={onClose}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={3}>
          <Empty icon="printer" title={t(found ? 'peripherals.no_mac' : 'peripherals.gone')} small>
            {t(found ? 'peripherals.no_mac_body' : 'peripherals.gone_body')}
          </Empty>
        </Loading>
      )}
    </Dialog>
  );
}
