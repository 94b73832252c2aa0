import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { gatherAll } from '../../ui/table/gather.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

async function readHosted() {
  const [hostings, networks] = await Promise.all([
    gatherAll(
      (page, limit) => call('/api/v3/hosting/list', { page, limit }),
      ({ id }) => id,
    ),
    gatherAll(
      (page, limit) => call('/api/v3/network/list', { page, limit, sort: 'remark', order: 'asc' }),
      ({ gwid }) => gwid,
    ),
  ]);
  return { hostings, networks };
}

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const [hosting, setHosting] = useState('');
  const [gwid, setGwid] = useState('');
  const [percent, setPercent] = useState('');
  const { data, error, refetch } = useQuery({ queryKey: ['/api/v3/hosting/list', 'to share'], queryFn: readHosted });
  const { wrong, busy, fields, send } = useForm<'hosting_id' | 'gwid' | 'percent'>();
  const chosen = data?.hostings.find(({ id }) => id === hosting);
  const hosted = (data?.networks ?? []).filter((network) => chosen?.gwids?.includes(network.gwid) ?? true);
  const choose = { value: '', label: t('share.choose') };
  const submit = () =>
    send(
      {
        hosting_id: hosting ? null : t('validation.required'),
        gwid: gwid ? null : t('validation.required'),
        percent: fieldError(whole(1, 100), percent),
      },
      async () => {
        await call('/api/v3/billing/share/grant', { gwid, hosting_id: hosting, percent: Number(percent) });
        await queryClient.invalidateQueries({ queryKey: ['/api/v3/billing/share/list'] });
        notify('ok', t('share.saved'));
        onClose();
      },
    );
  return (
    <Dialog
      title={t('share.set')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        {error && !data ? <Failed small error={error} retry={() => void refetch()} /> : null}
        <SelectField
          label={t('share.host')}
          value={hosting}
          options={[
            choose,
            ...(data?.hostings ?? []).map(({ id, account_name }) => ({ value: id, label: account_name })),
          ]}
          onChange={(id) => {
            setHosting(id);
            setGwid('');
          }}
          error={wrong.hosting_id}
        />
        <SelectField
          label={t('share.network')}
          value={gwid}
          options={[choose, ...hosted.map((network) => ({ value: network.gwid, label: network.remark }))]}
          onChange={setGwid}
          disabled={!chosen}
          error={wrong.gwid}
        />
        <NumberField
          label={t('share.percent')}
          hint={t('share.percent_hint')}
          min={1}
          max={100}
          value={percent}
          onChange={setPercent}
          error={wrong.percent}
        />
      </div>
    </Dialog>
  );
}
