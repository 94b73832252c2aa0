import { useState } from 'react';
import type { Data } from '../app/api.ts';
import { ApiError } from '../app/api-error.ts';
import { t } from '../app/i18n.ts';
import { CodeButton } from './code-button.tsx';
import { fieldError } from './field.tsx';
import { CodeField } from './rule-fields.tsx';
import { notify, notifyError } from './toast.tsx';

type Sent = Data<'/api/v3/mobile_login/get_sms_code'>;

/** Returns seconds from a refusal. */
export const waitOf = (error: unknown): number | null =>
  error instanceof ApiError && error.retryAfter !== null && error.retryAfter <= 60 ? error.retryAfter : null;

export function SentCode(props: {
  way: 'mobile' | 'email';
  to: string;
  /** Beyond the rule; null: none. */
  why?: string | null;
  /** Runs on a press with an invalid address. */
  onRefused: (why: string) => void;
  ask: () => Promise<Sent>;
  /** Does not confirm the sending: it would reveal whether the account exists. */
  neutral?: boolean;
  value: string;
  onChange: (code: string) => void;
  error?: string | null | undefined;
}) {
  const [note, setNote] = useState<{ to: string; text: string } | null>(null);
  const send = async (): Promise<number | null> => {
    try {
      const { left_today: left, outbox, retry_after: seconds } = await props.ask();
      setNote({ to: props.to, text: left === null ? t('code.sent_email') : t('code.sent_sms', { left }) });
      if (props.neutral) notify('ok', t('code.sent_neutral'));
      else notify('ok', outbox ? t('code.sent_outbox') : t('code.sent'));
      return seconds;
    } catch (error) {
      notifyError(error);
      // The server's seconds replace the local ones.
      return waitOf(error);
    }
  };
  return (
    <CodeField
      label={props.way === 'mobile' ? t('login.sms_code') : t('register.email_code')}
      value={props.value}
      onChange={props.onChange}
      error={props.error}
      hint={note?.to === props.to ? note.text : null}
      hintStays
      after={
        <CodeButton
          way={props.way}
          to={props.to}
          why={props.why === undefined ? fieldError(props.way, props.to) : props.why}
          onRefused={props.onRefused}
          send={send}
        />
      }
    />
  );
}
