import { useState } from 'react';
import { call, callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import type { RequestOptionsJson } from '../../app/passkey.ts';
import { signIn } from '../../app/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { useAfterSignIn } from './after-sign-in.ts';

/** Requires a host name, not an IP address. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

/** Passkey sign-in: both factors at once, without typing a name. */
export function PasskeyButton({ remember }: { remember: boolean }) {
  const [busy, setBusy] = useState(false);
  const enter = useAfterSignIn();
  const use = async () => {
    setBusy(true);
    const passkeys = await import('../../app/passkey.ts').catch(() => null);
    if (!passkeys) {
      notify('bad', t('screen.not_loaded'));
      return setBusy(false);
    }
    const { passkeyRefusal, signWithPasskey } = passkeys;
    try {
      const { ticket, options } = await call('/api/v3/login/passkey_options', {});
      const response = await signWithPasskey(options as RequestOptionsJson);
      await signIn(() => callForToken('/api/v3/login/passkey', { ticket, response, remember }), remember);
      await enter();
    } catch (error) {
      const refusal = passkeyRefusal(error);
      if (refusal === null) notifyError(error);
      else notify('info', refusal === 'address' ? t('passkey.elsewhere') : t('passkey.cancelled'));
    }
    setBusy(false);
  };
  return (
    <Button className="gate-passkey" icon="key" large busy={busy} onClick={() => void use()}>
      {t('login.passkey')}
    </Button>
  );
}
