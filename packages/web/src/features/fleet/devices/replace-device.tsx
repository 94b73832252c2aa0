import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { useWrite } from '../../../app/use-call.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { mac } from '../../../ui/format.ts';
import { Loading } from '../../../ui/skeleton.tsx';
import { notify } from '../../../ui/toast.tsx';
import { refreshFleet } from '../batch-actions.ts';
import type { DeviceRow } from './device-actions.ts';

/** Milliseconds: a device may be bound now. */
const lookEvery = 5000;

/**
 * Offers waiting devices, and single ones of other networks. A network created at binding is deleted; others stay,
 * empty.
 */
export function ReplaceDevice({ row, onClose, done }: { row: DeviceRow; onClose: () => void; done: () => void }) {
  const { serial } = row;
  const { data } = useQuery<Data<'/api/v3/ap/successors'>>({
    queryKey: ['/api/v3/ap/successors', serial],
    queryFn: ({ signal }) => call('/api/v3/ap/successors', { serial }, { signal }),
    refetchInterval: lookEvery,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const replace = useWrite('/api/v3/ap/replace', []);
  // never preselect a device with a network: it may be in use
  const by = chosen ?? data?.list.find(({ gwid }) => gwid === null)?.serial;
  const left = data?.list.find((device) => device.serial === by)?.network ?? null;
  const makesNetwork = row.kind === 'gateway';
  const submit = async () => {
    if (!by) return;
    await replace.mutateAsync({ serial, by, delete_empty: makesNetwork });
    notify('ok', t('replace.done', { name: row.remark || mac(row.serial) }));
    onClose();
    done();
    await refreshFleet();
  };
  return (
    <Dialog
      title={t('replace.title', { name: row.remark || mac(row.serial) })}
      onClose={onClose}
      onSubmit={() => void submit().catch(() => undefined)}
      foot={
        <SendFoot onClose={onClose} busy={replace.isPending} disabled={by === undefined}>
          {t('replace.send')}
        </SendFoot>
      }
    >
      <p className="quiet">{t('replace.body')}</p>
      <Loading until={data !== undefined} lines={2}>
        {data?.list.length === 0 ? (
          <Empty icon="inbox" title={t('replace.none')} small>
            {t('replace.none_body', { kind: t(`kind.${row.kind}`) })}
          </Empty>
        ) : (
          <SelectField
            label={t('replace.by')}
            value={by ?? ''}
            onChange={setChosen}
            options={[
              ...(by === undefined ? [{ value: '', label: t('replace.choose') }] : []),
              ...(data?.list ?? []).map((device) => ({
                value: device.serial,
                label: [device.network ?? t('replace.waiting'), device.model, mac(device.serial)]
                  .filter(Boolean)
                  .join(' · '),
              })),
            ]}
            hint={left !== null && t(makesNetwork ? 'replace.leaves_deleted' : 'replace.leaves', { name: left })}
          />
        )}
      </Loading>
      <p className="notice notice-warn">{t('replace.warn')}</p>
    </Dialog>
  );
}
