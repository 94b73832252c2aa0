import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { minuteTime } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { useForm } from '../../ui/use-form.ts';

type State = Data<'/api/v3/portal/reception/code'>;

export function CodeState({ gwid }: { gwid: string }) {
  const [code, setCode] = useState('');
  const [found, setFound] = useState<State | null>(null);
  const form = useForm<'code'>();
  const submit = () =>
    form.send({ code: code.trim() === '' ? t('validation.required') : null }, async () => {
      setFound(await call('/api/v3/portal/reception/code', { gwid, code }));
    });
  return (
    <Card title={t('reception.code')}>
      <form
        noValidate
        className="stack stack-s"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="row reception-code" ref={form.fields}>
          <TextField
            label={t('site_portal.voucher_code')}
            value={code}
            onChange={(value) => {
              setCode(value);
              setFound(null);
            }}
            error={form.wrong.code}
            maxLength={64}
          />
          <Button type="submit" busy={form.busy}>
            {t('reception.code_check')}
          </Button>
        </div>
        <p aria-live="polite">{found && stateText(found)}</p>
      </form>
    </Card>
  );
}

function stateText({ state, batch, until, devices }: State): string {
  const params = {
    batch: batch ?? '',
    until: until === null ? t('site_portal.guest_unlimited') : minuteTime(new Date(until)),
    online: devices.online,
    of: devices.of,
  };
  const isFull = state === 'running' && devices.online >= devices.of;
  return t(isFull ? 'reception.code_full' : `reception.code_${state}`, params);
}
