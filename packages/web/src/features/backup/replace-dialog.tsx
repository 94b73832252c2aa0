import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { exactTime, mac } from '../../ui/format.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type BackupRow, causeText, type RouterRow } from './labels.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

type Successor = Data<'/api/v3/ap/successors'>['list'][number];

interface Replacing {
  backup: BackupRow;
  from: string;
  to: string;
}

const offered = 50;
const lookEveryMs = 5000;

/** Two steps: choice, review. Nothing changes before the confirmation. */
export function ReplaceDialog({ row, onClose }: { row: RouterRow; onClose: () => void }) {
  const [restoring, setRestoring] = useState<Replacing | null>(null);
  if (restoring) {
    const { backup, ...successor } = restoring;
    return <RestoreDialog row={backup} successor={successor} onClose={onClose} back={() => setRestoring(null)} />;
  }
  return <ChooseDevice row={row} onClose={onClose} next={setRestoring} />;
}

/** Default: a fresh backup, because the last may miss changes. */
const now = 'now';

/** @returns undefined if the network has no settings */
async function backedUp(gwid: string): Promise<BackupRow | undefined> {
  const { made } = await call('/api/v3/cloud_backup/create', { gwids: [gwid], note: t('backup.before_replacing') });
  if (made.length === 0) return undefined;
  await queryClient.invalidateQueries({ queryKey: ['/api/v3/cloud_backup/list'] });
  const { list } = await call('/api/v3/cloud_backup/list', { gwid, page: 1, limit: offered });
  return list.find(({ id }) => id === made[0]?.id);
}

function ChooseDevice(props: { row: RouterRow; onClose: () => void; next: (replacing: Replacing) => void }) {
  const { row, onClose, next } = props;
  const network = useRead('/api/v3/network/detail', { gwid: row.gwid });
  const backups = useRead('/api/v3/cloud_backup/list', { gwid: row.gwid, page: 1, limit: offered });
  const [by, setBy] = useState('');
  const [backup, setBackup] = useState(now);
  const form = useForm<'by' | 'backup'>({}, 'by');
  const old = network.data?.has_gateway ? network.data.sn : null;
  const replacements = useQuery<Data<'/api/v3/ap/successors'>>({
    queryKey: ['/api/v3/ap/successors', old],
    queryFn: ({ signal }) => call('/api/v3/ap/successors', { serial: old! }, { signal }),
    enabled: Boolean(old),
    // the new router may be bound at this moment
    refetchInterval: lookEveryMs,
  });
  const devices = replacements.data?.list ?? [];
  const fresh = devices.find(({ serial }) => serial === by);
  const kept = backups.data?.list ?? [];
  const ready = network.data && (!old || replacements.data) && backups.data;
  const send = () =>
    form.send({ by: by ? null : t('validation.required') }, async () => {
      const chosen = kept.find(({ id }) => id === backup) ?? (await backedUp(row.gwid));
      if (!chosen) return form.setWrong({ backup: t('backup.none') });
      next({ backup: chosen, from: old!, to: by });
    });
  const error = network.error ?? replacements.error ?? backups.error;
  return (
    <Dialog
      title={t('backup.replace_title', { name: row.remark })}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy} disabled={!old || devices.length === 0}>
          {t('backup.replace_next')}
        </SendFoot>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void queryClient.invalidateQueries()} small />
      ) : (
        <Loading until={ready !== undefined} lines={4}>
          <div className="fields" ref={form.fields}>
            <p>{t('backup.replace_body')}</p>
            {!old && <p className="notice">{t('backup.replace_no_router')}</p>}
            {old && devices.length === 0 ? (
              <p className="notice">{t('backup.replace_none')}</p>
            ) : (
              <SelectField
                label={t('backup.replace_by')}
                hint={fresh && <Hint {...fresh} />}
                value={by}
                options={[{ value: '', label: t('backup.choose') }, ...devices.map(optionOf)]}
                onChange={setBy}
                error={form.wrong.by}
              />
            )}
            <SelectField
              label={t('backup.one')}
              value={backup}
              options={[
                { value: now, label: t('backup.as_it_is') },
                ...kept.map((one) => ({
                  value: one.id,
                  label: t('backup.type_because', { type: exactTime(new Date(one.created_at)), why: causeText(one) }),
                })),
              ]}
              onChange={setBackup}
              error={form.wrong.backup}
            />
          </div>
        </Loading>
      )}
    </Dialog>
  );
}

function Hint({ ports, network, status }: Successor) {
  return (
    <>
      {ports.length > 0 && (
        <span className="backup-hint">{t('backup.replace_ports', { ports: ports.join(t('list.between')) })}</span>
      )}
      {status !== 'online' && <span className="backup-hint">{t('backup.replace_offline')}</span>}
      {network !== null && <span className="backup-hint">{t('backup.replace_leaves', { name: network })}</span>}
    </>
  );
}

function optionOf({ serial, remark, model }: Successor) {
  return { value: serial, label: [remark, model, mac(serial)].filter(Boolean).join(' · ') };
}
