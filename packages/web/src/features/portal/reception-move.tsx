import { useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { ago } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { useNow } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type ActedGuest, closedBy, nameOf, refreshGuests } from './reception-guest.ts';
import { failureText, systemText } from './reception-words.ts';

const path = '/api/v3/portal/reception/waiting/list';
type Waiting = Row<typeof path>;

const refetchMs = 5000;
const shown = 50;

export function MoveDialog({ gwid, guest, onClose }: { gwid: string; guest: ActedGuest; onClose: () => void }) {
  const [chosen, choose] = useState<string | null>(null);
  const { data, error, refetch } = useRead(path, { gwid, limit: shown }, { refetchMs });
  const form = useForm<'visit'>();
  const submit = () =>
    form.send(
      { visit: chosen === null ? t('reception.move_choose') : null },
      async () => {
        const input = { gwid, id: guest.id, visit: chosen! };
        const { result, old_ends } = await call('/api/v3/portal/reception/guest/move', input);
        const isMoved = result === 'online' || result === 'ready';
        notify(isMoved ? 'ok' : 'bad', t(`reception.moved_${result}`));
        if (isMoved && !old_ends) notify('bad', t('reception.old_stays'));
        await refreshGuests();
        onClose();
      },
      (error) => closedBy(error, onClose),
    );
  return (
    <Dialog
      title={t('reception.move_title', { name: nameOf(guest) })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('reception.move_here')}
        </SendFoot>
      }
    >
      <div className="stack" ref={form.fields}>
        <p>{t('reception.move_about')}</p>
        {error && !data && <Failed small error={error} retry={() => void refetch()} />}
        {!error && !data && <Skeleton height={120} />}
        {data?.list.length === 0 && (
          <Empty small icon="users" title={t('reception.waiting_empty')}>
            {t('reception.waiting_empty_body')}
          </Empty>
        )}
        {data && data.list.length > 0 && (
          <fieldset className="reception-waiting" aria-invalid={form.wrong.visit ? true : undefined} tabIndex={-1}>
            <legend className="field-label">{t('reception.waiting')}</legend>
            {data.list.map((device) => (
              <WaitingDevice
                key={device.id}
                device={device}
                checked={device.id === chosen}
                onChoose={() => choose(device.id)}
              />
            ))}
          </fieldset>
        )}
        {form.wrong.visit && (
          <p className="field-error" role="alert">
            {form.wrong.visit}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function WaitingDevice(props: { device: Waiting; checked: boolean; onChoose: () => void }) {
  const { system, mac, ip, at, verified, reason } = props.device;
  const now = useNow();
  return (
    <label className="reception-device">
      <input type="radio" name="visit" checked={props.checked} onChange={props.onChoose} />
      <span>
        <strong>{systemText(system)}</strong> {ago(new Date(at), now)}
        <span className="small dim">
          <span className="mono nowrap">{mac}</span> <span className="mono nowrap">{ip}</span>
        </span>
        {!verified && <Tag tone="none">{t('site_portal.guest_claimed')}</Tag>}
        {reason !== null && <span className="small">{failureText(reason)}</span>}
      </span>
    </label>
  );
}
