import { type ReactNode, useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useRead } from '../../../app/use-call.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { exactTime } from '../../../ui/format.ts';
import type { Selection } from '../../../ui/table/columns.ts';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { chosenNetworks } from '../chosen.ts';
import {
  groupWrong,
  type RestartScope,
  ScopeFields,
  usualWeekly,
  WeeklyFields,
  weeklyWrong,
} from '../weekly-fields.tsx';

interface Props {
  selection: Omit<Selection<unknown>, 'rows'>;
  /** One of the networks, if known: its account's time zone counts. */
  gwid: string | undefined;
  head: ReactNode;
  onClose: () => void;
  done: () => void;
}

const named = 3;

export function RestartNetworks({ selection, gwid = '', head, onClose, done }: Props) {
  const [of, setOf] = useState<RestartScope>({ scope: 'aps' });
  const [weekly, setWeekly] = useState(usualWeekly);
  const { wrong, setWrong, busy, fields, send } = useForm<'scope' | 'group_id' | 'weekdays' | 'start'>();
  const { data } = useRead('/api/v3/network/restart/list', { gwid }, { enabled: gwid !== '' });
  const submit = () =>
    send({ ...weeklyWrong(weekly), group_id: groupWrong(of) }, async () => {
      const input = { ...chosenNetworks(selection), ...of, ...weekly };
      const { list, next_at } = await call('/api/v3/network/restart/create', input);
      const without = list.filter(({ result }) => result === 'no_device').map(({ name }) => name);
      if (without.length === list.length) return setWrong({ scope: t('restart.no_device') });
      notify('ok', t('restart.saved', { time: exactTime(new Date(next_at)) }));
      if (without.length > 0)
        notify('info', t('restart.left_out', { n: without.length, names: without.slice(0, named).join(', ') }));
      onClose();
      done();
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/network/restart/list'] });
    });
  return (
    <Dialog
      title={t('restart.networks', { n: selection.count })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      {head}
      <div ref={fields} className="stack">
        <ScopeFields value={of} onChange={setOf} wrong={wrong} />
        <WeeklyFields
          value={weekly}
          onChange={(changed) => setWeekly({ ...weekly, ...changed })}
          wrong={wrong}
          zone={data?.time_zone ?? t('restart.account_zone')}
        />
        <p className="small dim">{t('restart.note')}</p>
      </div>
    </Dialog>
  );
}
