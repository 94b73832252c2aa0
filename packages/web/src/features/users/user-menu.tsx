import { Suspense, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { FindPowerDialog } from '../../app/lazy-parts.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { allow, block, kick, unblock, update } from './actions.ts';
import { nameOf, type UserRow } from './labels.ts';
import { ipv4Of, useReserve } from './reservation.tsx';

export function UserMenu({ row, open }: { row: UserRow; open?: () => void }) {
  const may = useMay('user.write');
  // remark, VIP and allow list apply to all networks
  const why = useUser().gwids ? t('users.all_networks') : undefined;
  const mayConfigure = useMay('config.write');
  const [mayCycle, maySee] = [useMay('network.write'), useMay('config.read')];
  const reserve = useReserve();
  const [powering, setPowering] = useState(false);
  const [writing, setWriting] = useState(false);
  const name = nameOf(row);
  const items: MenuItem[] = open ? [{ label: t('users.open'), icon: 'eye', act: open }] : [];
  if (may) {
    items.push(
      {
        label: t('users.kick'),
        icon: 'unlink',
        why: kickWhy(row),
        act: () => kick([row]),
      },
      { label: t('users.edit_remark'), icon: 'edit', why, act: () => setWriting(true) },
      {
        label: row.vip ? t('users.drop_vip') : t('users.make_vip'),
        icon: 'user',
        why,
        act: () => void update(row, { vip: !row.vip }).catch(notifyError),
      },
    );
    if (row.list)
      items.push({
        label: t('users.unblock'),
        icon: 'undo',
        why: row.list_networks ? undefined : why,
        act: () => void unblock([row]).catch(notifyError),
      });
    if (row.list === null)
      items.push({ label: t('users.allow'), icon: 'check', why, act: () => void allow([row.mac]).catch(notifyError) });
    if (row.list === null)
      items.push({
        label: t('users.block'),
        icon: 'shield',
        danger: true,
        act: () => void block([row]).catch(notifyError),
      });
  }
  if (mayConfigure && row.gwid !== null)
    items.push({
      label: t('users.reserve'),
      icon: 'lock',
      why: ipv4Of(row) === null ? t('users.reserve_no_ip') : undefined,
      act: () => reserve(row),
    });
  if (mayCycle && maySee && row.gwid !== null && row.band === 0)
    items.push({ label: t('users.restart_power'), icon: 'power', act: () => setPowering(true) });
  if (items.length === 0) return null;
  return (
    <div>
      <Menu
        label={t('users.acts', { name })}
        target={(trigger) => <IconButton icon="more" label={t('users.acts', { name })} {...trigger} />}
        items={items}
      />
      {powering && row.gwid !== null && (
        <Suspense>
          <FindPowerDialog gwid={row.gwid} mac={row.mac} name={name} onClose={() => setPowering(false)} />
        </Suspense>
      )}
      {writing && <RemarkDialog row={row} onClose={() => setWriting(false)} />}
    </div>
  );
}

export function kickWhy(row: Pick<UserRow, 'online' | 'band' | 'behind'>): string | undefined {
  if (!row.online) return t('users.kick_offline');
  return row.band === 0 || row.behind ? t('users.kick_wired') : undefined;
}

function RemarkDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const [remark, setRemark] = useState(row.remark);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await update(row, { remark: remark || null });
      onClose();
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={t('users.edit_remark')}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <FreeTextField label={t('users.remark')} value={remark} onChange={setRemark} optional />
    </Dialog>
  );
}
