import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { notify, notifyError } from '../../ui/toast.tsx';

type Sent = Data<'/api/v3/mobile_login/get_sms_code'>;

/** Seconds to wait that a refusal names, when the button can count them. */
export const waitOf = (error: unknown): number | null =>
  error instanceof ApiError && error.retryAfter !== null && error.retryAfter <= 60 ? error.retryAfter : null;

/** Asks for a code by SMS or e-mail and keeps what the server said about it. */
export function useCode() {
  const [note, setNote] = useState<string | null>(null);
  const send = async (ask: () => Promise<Sent>, neutral = false): Promise<number | null> => {
    try {
      const { left_today: left, outbox, retry_after: seconds } = await ask();
      const life = left === null ? t('code.sent_email') : t('code.sent_sms', { left });
      setNote(life);
      // whether the account exists is nobody's business: then this does not say that anything was sent
      if (neutral) notify('ok', t('code.sent_neutral'));
      else notify('ok', outbox ? t('code.sent_outbox') : t('code.sent'));
      return seconds;
    } catch (error) {
      notifyError(error);
      // The server holds the interval too: its seconds go on the button.
      return waitOf(error);
    }
  };
  return {
    note,
    send,
    toMobile: (mobile: string) => send(() => call('/api/v3/mobile_login/get_sms_code', { mobile })),
    toEmail: (email: string) => send(() => call('/api/v3/register/get_email_code', { email })),
    /** For a new password; says the same whether or not an account uses the mobile. */
    forMobile: (mobile: string) => send(() => call('/api/v3/password/forgot', { mobile }), true),
  };
}
