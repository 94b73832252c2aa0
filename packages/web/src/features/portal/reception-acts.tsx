import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ExtendDialog } from './reception-extend.tsx';
import { type ActedGuest, askToSignOut } from './reception-guest.ts';
import { GuestTries } from './reception-guest-tries.tsx';
import { MoveDialog } from './reception-move.tsx';

export function GuestActs({ gwid, guest }: { gwid: string; guest: ActedGuest }) {
  const [open, setOpen] = useState<'extend' | 'move' | 'tries' | null>(null);
  const { id } = guest;
  const signOut = () => askToSignOut(guest, () => call('/api/v3/portal/reception/guest/sign_out', { gwid, id }));
  const hindrance = guest.extend_hindrance;
  const close = () => setOpen(null);
  return (
    <div className="row nowrap acts-foot reception-acts">
      <Button
        kind="link"
        why={hindrance ? t(`reception.extend_${hindrance}`) : undefined}
        onClick={() => setOpen('extend')}
      >
        {t('reception.extend')}
      </Button>
      <Button kind="link" onClick={() => setOpen('move')}>
        {t('reception.move')}
      </Button>
      <Button kind="link" onClick={() => setOpen('tries')}>
        {t('reception.tries')}
      </Button>
      <Button
        kind="link"
        className="btn-bad"
        why={guest.signs_out ? undefined : t('site_portal.kick_unsupported')}
        onClick={signOut}
      >
        {t('site_portal.kick')}
      </Button>
      {open === 'extend' && <ExtendDialog gwid={gwid} guest={guest} onClose={close} />}
      {open === 'move' && <MoveDialog gwid={gwid} guest={guest} onClose={close} />}
      {open === 'tries' && <GuestTries gwid={gwid} guest={guest} onClose={close} />}
    </div>
  );
}
