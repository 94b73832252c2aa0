import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { complaint, SelectField, TextField } from '../../ui/field.tsx';
import { mac } from '../../ui/format.ts';
import { NameField } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { useRested } from '../../ui/use-rested.ts';
import type { WaitingRow } from './waiting.tsx';

const NEW = 'new';
/** Networks that the choice holds; of more, those whose name is looked for. */
const listed = 200;

/** Puts a waiting device into a network that exists, or into a new one. */
export function Adopt({ device, onClose }: { device: WaitingRow; onClose: () => void }) {
  const [word, setWord] = useState('');
  const keyword = useRested(word.trim());
  const { data, isPlaceholderData } = useRead(
    '/api/v3/network/list',
    { page: 1, limit: listed, sort: 'remark', ...(keyword && { keyword }) },
    { keepPrevious: true },
  );
  // what the choice shows is what was looked for
  const settled = data !== undefined && !isPlaceholderData && word.trim() === keyword;
  const many = keyword !== '' || (data?.total ?? 0) > listed;
  const [chosen, setChosen] = useState<string | null>(null);
  const [made, setMade] = useState<{ name: string; gwid: string } | null>(null);
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const create = useWrite('/api/v3/network/create', []);
  const adopt = useWrite('/api/v3/device/adopt', [
    '/api/v3/device/waiting/list',
    '/api/v3/network/list',
    '/api/v3/overview/attention',
    '/api/v3/ap/list',
  ]);
  const offered = chosen === NEW || data?.list.some((row) => row.gwid === chosen) ? chosen : null;
  const to = offered ?? data?.list[0]?.gwid ?? NEW;
  const submit = async () => {
    if (!settled) return;
    const said = to === NEW ? complaint('nameText', name) : null;
    setWrong(said);
    if (said) return;
    // a network that was made before putting the device there failed is not made twice
    const fresh = async () => (made?.name === name ? made : { name, ...(await create.mutateAsync({ remark: name })) });
    const network =
      to === NEW ? await fresh() : { name: data?.list.find((row) => row.gwid === to)?.remark ?? '', gwid: to };
    if (to === NEW) setMade(network);
    await adopt.mutateAsync({ serial: device.serial, gwid: network.gwid });
    notify('ok', t('waiting.adopted', { serial: mac(device.serial), name: network.name }));
    onClose();
  };
  return (
    <Dialog
      title={t('waiting.adopt_title')}
      onClose={onClose}
      onSubmit={() => void submit().catch(() => undefined)}
      foot={
        <SendFoot onClose={onClose} busy={create.isPending || adopt.isPending} disabled={!settled}>
          {t('waiting.adopt')}
        </SendFoot>
      }
    >
      <p className="quiet">
        <span className="mono">{mac(device.serial)}</span> {device.model}
      </p>
      {many && <TextField label={t('pick.find')} maxLength={100} value={word} onChange={setWord} />}
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
