import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { allow, type Blockable, block, maxAtOnce } from './actions.ts';
import { typedMacs } from './typed-macs.ts';

export function AddDialog({ list, onClose }: { list: 'blocked' | 'allowed'; onClose: () => void }) {
  const [text, setText] = useState('');
  const { wrong, busy, fields, send } = useForm<'macs'>({}, 'macs');
  const { macs, wrong: none } = typedMacs(text);
  const macsError = () => {
    if (none.length > 0) return t('users.add_wrong', { words: none.slice(0, 3).join(' ') });
    if (macs.length === 0) return t('users.add_none');
    return macs.length > maxAtOnce ? t('users.add_many', { n: maxAtOnce }) : null;
  };
  const put = async () => {
    if (list === 'allowed') await allow(macs);
    else await block(await Promise.all(macs.map((mac) => (macs.length > maxAsked ? bare(mac) : known(mac)))));
    onClose();
  };
  return (
    <Dialog
      title={t(`users.add_${list}`)}
      onClose={onClose}
      onSubmit={() => void send({ macs: macsError() }, put)}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(list === 'blocked' ? 'users.block' : 'users.allow')}
        </SendFoot>
      }
    >
      <div ref={fields}>
        <TextAreaField
          label={t('users.mac')}
          error={wrong.macs}
          hint={t('users.add_hint')}
          className="users-macs"
          rows={4}
          mono
          value={text}
          onChange={setText}
        />
      </div>
    </Dialog>
  );
}

/** Bit of the first byte that marks a locally administered (random) address (IEEE 802). */
const ownMaking = 2;

const maxAsked = 20;

function bare(mac: string): Blockable {
  const random_mac = (Number.parseInt(mac.slice(0, 2), 16) & ownMaking) !== 0;
  return { mac, remark: '', hostname: null, list: null, vip: false, random_mac, gwid: null, network: null };
}

async function known(mac: string): Promise<Blockable> {
  const { list } = await call('/api/v3/user_online/list', { tab: 'history', page: 1, limit: 10, keyword: mac });
  return list.find((row) => row.mac === mac) ?? bare(mac);
}
