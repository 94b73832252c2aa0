import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { maxOwn, refreshShield, saved } from './shield.ts';

export function OwnList() {
  const may = useMay('config.write');
  const { data } = useRead('/api/v3/cloud_security/own/detail', {});
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={t('shield.own_title')}
      actions={may && data && <Button onClick={() => setOpen(true)}>{t('shield.own_edit')}</Button>}
    >
      <p className="quiet">{t('shield.own_about', { max: count(maxOwn) })}</p>
      {data && <p>{t('shield.own_count', { n: data.domains.length })}</p>}
      {isOpen && data && <OwnDialog domains={data.domains} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function OwnDialog({ domains, onClose }: { domains: readonly string[]; onClose: () => void }) {
  const [text, setText] = useState(domains.join('\n'));
  const { wrong, busy, fields, send } = useForm<'domains'>();
  const submit = () =>
    send({}, async () => {
      const lines = text.split('\n').flatMap((line) => line.trim() || []);
      const { job_id: jobId } = await call('/api/v3/cloud_security/own/save', { domains: lines });
      saved(jobId);
      onClose();
      await refreshShield();
    });
  return (
    <Dialog
      title={t('shield.own_edit')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields}>
        <TextAreaField
          label={t('shield.own_domains')}
          hint={t('shield.own_about', { max: count(maxOwn) })}
          error={wrong.domains}
          rows={12}
          mono
          placeholder="games.example"
          value={text}
          onChange={setText}
        />
      </div>
    </Dialog>
  );
}
