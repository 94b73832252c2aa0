import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, CANCELLED } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmailField, MobileField } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Business code: rejected by the provider. */
const REFUSED = 4020;

export function TestSend(props: {
  rule: 'email' | 'mobile';
  label: string;
  initially: string;
  dirty: boolean;
  send: (to: string) => Promise<string>;
}) {
  const client = useQueryClient();
  const [to, setTo] = useState(props.initially);
  const [result, setResult] = useState<{ taken: boolean; words: string } | null>(null);
  const form = useForm<'to'>();
  const send = () => {
    setResult(null);
    return form.send({ to: fieldError('required', to) ?? fieldError(props.rule, to) }, async () => {
      try {
        setResult({ taken: true, words: await props.send(to) });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === CANCELLED || error.code === 422) throw error;
        const { reason } = error.data;
        setResult({ taken: false, words: error.code === REFUSED && reason ? String(reason) : error.message });
      }
      await client.invalidateQueries({ queryKey: ['/api/v3/install/detail'] });
    });
  };
  const To = props.rule === 'email' ? EmailField : MobileField;
  return (
    <Form className="install-test" send={() => !props.dirty && send()}>
      <div ref={form.fields}>
        <To
          label={props.label}
          value={to}
          onChange={setTo}
          error={form.wrong.to}
          after={
            <Button
              type="submit"
              className="install-send"
              busy={form.busy}
              why={props.dirty ? t('install.save_first') : undefined}
            >
              {t('install.test_send')}
            </Button>
          }
        />
      </div>
      <div aria-live="polite">
        {result && (
          <p className={result.taken ? 'notice notice-ok' : 'notice notice-bad'}>
            <Icon name={result.taken ? 'check' : 'alert'} size={16} />
            <span className="install-words">
              {result.taken
                ? t('install.test_taken', { words: result.words })
                : t('install.test_refused', { words: result.words })}
            </span>
          </p>
        )}
      </div>
    </Form>
  );
}
