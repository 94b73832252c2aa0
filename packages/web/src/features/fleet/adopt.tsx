import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { complaint, SelectField } from '../../ui/field.tsx';
import { mac } from '../../ui/format.ts';
import { NameField } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import type { WaitingRow } from './waiting.tsx';

const NEW = 'new';

/** Puts a waiting device into a network that exists, or into a new one. */
export function Adopt({ device, onClose }: { device: WaitingRow; onClose: () => void }) {
  const { data } = useRead('/api/v3/network/list', { page: 1, limit: 200, sort: 'remark' });
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const create = useWrite('/api/v3/network/create', []);
  const adopt = useWrite('/api/v3/device/adopt', [
    '/api/v3/device/waiting/list',
    '/api/v3/network/list',
    '/api/v3/overview/attention',
    '/api/v3/ap/list',
  ]);
  const to = chosen ?? data?.list[0]?.gwid ?? NEW;
  const submit = async () => {
    const said = to === NEW ? complaint('nameText', name) : null;
    setWrong(said);
    if (said) return;
    const gwid = to === NEW ? (await create.mutateAsync({ remark: name })).gwid : to;
    await adopt.mutateAsync({ serial: device.serial, gwid });
    const network = to === NEW ? name : (data?.list.find((row) => row.gwid === gwid)?.remark ?? '');
    notify('ok', t('waiting.adopted', { serial: mac(device.serial), name: network }));
    onClose();
  };
  return (
    <Dialog
      title={t('waiting.adopt_title')}
      onClose={onClose}
      onSubmit={() => void submit().catch(() => undefined)}
      foot={
        <SendFoot onClose={onClose} busy={create.isPending || adopt.isPending} disabled={!data}>
          {t('waiting.adopt')}
        </SendFoot>
      }
    >
      <p className="quiet">
        <span className="mono">{mac(device.serial)}</span> {device.model}
      </p>
      <Loading until={data !== undefined} lines={2}>
        <SelectField
          label={t('waiting.adopt_to')}
          value={to}
          onChange={setChosen}
          options={[
            ...(data?.list ?? []).map((row) => ({ value: row.gwid, label: row.remark })),
            { value: NEW, label: t('waiting.adopt_new') },
          ]}
        />
      </Loading>
      {to === NEW && (
        <NameField label={t('networks.create_name')} value={name} onChange={setName} error={wrong} autoFocus />
      )}
    </Dialog>
  );
}
