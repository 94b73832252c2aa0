import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useWrite } from '../../../app/use-call.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError } from '../../../ui/field.tsx';
import { mac } from '../../../ui/format.ts';
import { listed } from '../../../ui/refusal.ts';
import { FreeTextField } from '../../../ui/rule-fields.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { NetworkChoice, useNetworkChoice } from '../networks/network-choice.tsx';
import type { WaitingRow } from './waiting-row.ts';

const NEW = 'new';

/** Assigns waiting devices to a network, a new one included. Names those that another person assigned meanwhile. */
export function Adopt(props: {
  devices: readonly [WaitingRow, ...WaitingRow[]];
  onClose: () => void;
  done?: () => void;
}) {
  const { devices, onClose } = props;
  const [device] = devices;
  const choice = useNetworkChoice();
  const { networks, chosen, settled } = choice;
  const [made, setMade] = useState<{ name: string; gwid: string } | null>(null);
  const [name, setName] = useState('');
  const { wrong, fields, send } = useForm<'remark'>({ 4105: 'remark' });
  const create = useWrite('/api/v3/network/create', [], { quiet: true });
  const adopt = useWrite(
    '/api/v3/device/adopt_many',
    ['/api/v3/device/waiting/list', '/api/v3/network/list', '/api/v3/overview/attention', '/api/v3/ap/list'],
    { quiet: true },
  );
  // preselect the network named at enrolment
  const preferred = chosen ?? device.wanted_gwid;
  const offered = preferred === NEW || networks?.some((row) => row.gwid === preferred) ? preferred : null;
  const to = offered ?? networks?.[0]?.gwid ?? NEW;
  // a retry reuses the network created before
  const createNetwork = async () => {
    const network = made?.name === name ? made : { name, ...(await create.mutateAsync({ remark: name })) };
    setMade(network);
    return network;
  };
  const submit = () =>
    send({ remark: to === NEW ? fieldError('freeText', name) : null }, async () => {
      const network =
        to === NEW ? await createNetwork() : { name: networks?.find((row) => row.gwid === to)?.remark ?? '', gwid: to };
      const { list } = await adopt.mutateAsync({ serials: devices.map(({ serial }) => serial), gwid: network.gwid });
      const placed = list.filter(({ result }) => result === 'placed').map(({ serial }) => mac(serial));
      const n = list.length - placed.length;
      if (n > 0) notify('ok', t('waiting.adopted', { n, serial: mac(device.serial), name: network.name }));
      if (placed.length > 0) notify('info', t('waiting.placed', { n: placed.length, serials: listed(placed) }));
      onClose();
      props.done?.();
    });
  return (
    <Dialog
      title={t('waiting.adopt_title')}
      onClose={onClose}
      onSubmit={() => settled && void submit()}
      foot={
        <SendFoot onClose={onClose} busy={create.isPending || adopt.isPending} disabled={!settled}>
          {t('waiting.adopt')}
        </SendFoot>
      }
    >
      <p className="quiet">
        {devices.length === 1 ? (
          <>
            <span className="mono">{mac(device.serial)}</span> {device.model}
          </>
        ) : (
          t('waiting.adopt_many', { n: devices.length, serials: listed(devices.map(({ serial }) => mac(serial))) })
        )}
      </p>
      <NetworkChoice choice={choice} value={to} more={[{ value: NEW, label: t('waiting.adopt_new') }]} />
      {to === NEW && (
        <div ref={fields}>
          <FreeTextField
            label={t('networks.create_name')}
            value={name}
            onChange={setName}
            error={wrong.remark}
            autoFocus
          />
        </div>
      )}
    </Dialog>
  );
}
