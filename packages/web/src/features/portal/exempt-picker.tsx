import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type ExemptDraft, longestRemark, plainDevice } from './captive-draft.ts';

const shown = 50;

interface Choice extends ExemptDraft {
  ip: string | null;
}

export function ExemptPicker(props: {
  gwid: string;
  taken: readonly ExemptDraft[];
  onChoose: (devices: readonly ExemptDraft[]) => void;
  onClose: () => void;
}) {
  const { gwid, taken, onChoose, onClose } = props;
  const [keyword, setKeyword] = useState('');
  const [chosen, setChosen] = useState<readonly ExemptDraft[]>([]);
  const asked = { gwid, keyword, limit: shown };
  const clients = useRead('/api/v3/user_online/list', { ...asked, tab: 'history' }, { keepPrevious: true });
  const peripherals = useRead('/api/v3/peripheral/list', asked, { keepPrevious: true });
  const error = clients.error ?? peripherals.error;
  const isReady = clients.data && peripherals.data;
  const choices = new Map<string, Choice>();
  for (const { mac, ip, name } of peripherals.data?.list ?? []) {
    const device = mac === null ? ip : plainDevice(mac);
    choices.set(device, { device, remark: name, ip: mac === null ? null : ip });
  }
  for (const { mac, ip, remark, hostname } of clients.data?.list ?? []) {
    const device = plainDevice(mac);
    if (!choices.has(device)) choices.set(device, { device, remark: remark || (hostname ?? ''), ip });
  }
  const offered = [...choices.values()].filter(({ device }) => !taken.some((one) => one.device === device));
  const toggle = ({ device, remark }: Choice, on: boolean) =>
    setChosen(
      on
        ? [...chosen, { device, remark: remark.slice(0, longestRemark) }]
        : chosen.filter((one) => one.device !== device),
    );
  return (
    <Dialog
      title={t('site_portal.exempt_pick_title')}
      onClose={onClose}
      onSubmit={() => onChoose(chosen)}
      foot={
        <SendFoot onClose={onClose} disabled={chosen.length === 0}>
          {t('site_portal.exempt_pick_done', { n: chosen.length })}
        </SendFoot>
      }
    >
      <div className="stack">
        <TextField
          label={t('site_portal.exempt_pick_search')}
          value={keyword}
          onChange={setKeyword}
          maxLength={100}
          autoFocus
        />
        {error && !isReady && (
          <Failed
            small
            error={error}
            retry={() => {
              void clients.refetch();
              void peripherals.refetch();
            }}
          />
        )}
        {!error && !isReady && <Skeleton height={160} />}
        {isReady && offered.length === 0 && <Empty small icon="users" title={t('site_portal.exempt_pick_none')} />}
        {isReady && (
          <div className="stack stack-s portal-choices">
            {offered.map((one) => (
              <CheckField
                key={one.device}
                checked={chosen.some(({ device }) => device === one.device)}
                onChange={(on) => toggle(one, on)}
              >
                <span className="reception-reason">
                  <span>{one.remark === '' ? one.device : one.remark}</span>
                  <span className="small dim mono">
                    {[one.remark === '' ? null : one.device, one.ip].filter(Boolean).join(' · ')}
                  </span>
                </span>
              </CheckField>
            ))}
          </div>
        )}
      </div>
    </Dialog>
  );
}
