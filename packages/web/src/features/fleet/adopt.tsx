import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { complaint } from '../../ui/field.tsx';
import { mac } from '../../ui/format.ts';
import { NameField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { NetworkChoice, useNetworkChoice } from './network-choice.tsx';
import type { WaitingRow } from './waiting.tsx';

const NEW = 'new';

/** Puts a waiting device into a network that exists, or into a new one. */
export function Adopt({ device, onClose }: { device: WaitingRow; onClose: () => void }) {
  const choice = useNetworkChoice();
  const { networks, chosen, settled } = choice;
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
  const offered = chosen === NEW || networks?.some((row) => row.gwid === chosen) ? chosen : null;
  const to = offered ?? networks?.[0]?.gwid ?? NEW;
  const submit = async () => {
    if (!settled) return;
    const said = to === NEW ? complaint('nameText', name) : null;
    setWrong(said);
    if (said) return;
    // a network that was made before putting the device there failed is not made twice
    const fresh = async () => (made?.name === name ? made : { name, ...(await create.mutateAsync({ remark: name })) });
    const network =
      to === NEW ? await fresh() : { name: networks?.find((row) => row.gwid === to)?.remark ?? '', gwid: to };
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
      <NetworkChoice choice={choice} value={to} more={[{ value: NEW, label: t('waiting.adopt_new') }]} />
      {to === NEW && (
        <NameField label={t('networks.create_name')} value={name} onChange={setName} error={wrong} autoFocus />
      )}
    </Dialog>
  );
}
