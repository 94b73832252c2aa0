import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { notify, notifyError } from '../../ui/toast.tsx';

type Sent = Data<'/api/v3/mobile_login/get_sms_code'>;

/** Asks for a code by SMS or e-mail and keeps what the server said about it. */
export function useCode() {
  const [note, setNote] = useState<string | null>(null);
  const send = async (ask: () => Promise<Sent>): Promise<number | null> => {
    try {
      const sent = await ask();
      const left = sent.left_today;
      setNote(left === null ? t('code.sent_email') : t('code.sent_sms', { left }));
      notify('ok', sent.outbox ? t('code.sent_outbox') : t('code.sent'));
      return sent.retry_after;
    } catch (error) {
      notifyError(error);
      // The server holds the interval too: its seconds go on the button.
      return error instanceof ApiError && error.retryAfter !== null && error.retryAfter <= 60 ? error.retryAfter : null;
    }
  };
  return {
    note,
    send,
    toMobile: (mobile: string) => send(() => call('/api/v3/mobile_login/get_sms_code', { mobile })),
    toEmail: (email: string) => send(() => call('/api/v3/register/get_email_code', { email })),
  };
}
