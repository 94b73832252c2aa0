import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { pushObstacle, subscribeBrowser } from '../../app/push-browser.ts';
import { browserName } from '../../ui/browser-name.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

const maxName = 60;

/** Such as “Chrome 140 · Windows”. */
function usualName(): string {
  const { browser, system } = browserName(navigator.userAgent);
  return [browser, system].filter(Boolean).join(' · ');
}

/** Adds this browser, or says why it cannot show notifications. */
export function BrowserForm({ publicKey, onAdded }: { publicKey: string; onAdded: () => Promise<void> }) {
  const [name, setName] = useState(usualName);
  const [obstacle, setObstacle] = useState(pushObstacle);
  const { wrong, setWrong, busy, fields, send } = useForm<'name' | 'endpoint' | 'p256dh' | 'auth'>();
  if (obstacle)
    return (
      <p className="notice notice-warn">
        <Icon name="info" size={16} />
        <span>{t(`browser.cannot_${obstacle}`)}</span>
      </p>
    );
  const add = () =>
    send(
      { name: fieldError('noQuotes', name) ?? fieldError('required', name) },
      async () => {
        const subscription = await subscribeBrowser(publicKey);
        if (!subscription) {
          // without an answer to its question, the browser asks again
          setWrong({ endpoint: t('browser.not_allowed') });
          return setObstacle(pushObstacle());
        }
        await call('/api/v3/alarm_browser/save', { name, ...subscription });
        notify('ok', t('browser.saved'));
        await onAdded();
      },
      (error) => {
        if (!(error instanceof DOMException)) return false;
        // service workers need a trusted certificate; other errors: no push service, or a private window
        setWrong({ endpoint: t(error.name === 'SecurityError' ? 'browser.untrusted' : 'browser.no_service') });
        return true;
      },
    );
  const refused = wrong.endpoint ?? wrong.p256dh ?? wrong.auth;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <div ref={fields}>
        <TextField
          label={t('browser.name')}
          hint={t('browser.name_hint')}
          value={name}
          maxLength={maxName}
          error={wrong.name}
          onChange={setName}
        />
      </div>
      {refused && (
        <p className="field-error" role="alert">
          {refused}
        </p>
      )}
      <div>
        <Button kind="primary" icon="bell" type="submit" busy={busy}>
          {t('browser.add')}
        </Button>
      </div>
    </form>
  );
}
