import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/sign-in.ts';
import { CheckField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { Notice } from './frame.tsx';
import { useQrSignIn } from './qr-sign-in.ts';
import type { WayIn } from './way-in.ts';

export function QrForm({ remember, setRemember }: Pick<WayIn, 'remember' | 'setRemember'>) {
  const enter = useAfterSignIn();
  const { state, again } = useQrSignIn(remember, async (token) => {
    await signIn(() => Promise.resolve(token), remember);
    await enter();
  });
  const url = 'url' in state ? state.url : null;
  const host = url && unreachable(url);
  const over = { expired: t('qr.expired'), refused: t('qr.refused'), failed: 'why' in state ? state.why : '' };
  const why = state.at in over ? over[state.at as keyof typeof over] : null;
  return (
    <div className="qr-form">
      <div className="qr" data-loading={state.at === 'starting' || undefined}>
        {url ? <QrCode text={url} label={t('qr.picture')} size={200} /> : <Icon name="spinner" size={24} spin />}
        {why !== null && (
          <button type="button" className="qr-over" onClick={again}>
            <span>{why}</span>
            <span className="qr-again">
              <Icon name="refresh" size={16} />
              {t('qr.refresh')}
            </span>
          </button>
        )}
      </div>
      <p className="quiet">{state.at === 'confirmed' ? t('qr.confirmed') : t('qr.body')}</p>
      <div className="sr" role="status">
        {state.at === 'confirmed' ? t('qr.confirmed') : why}
      </div>
      {host && <Notice tone="warn">{t('qr.unreachable', { host })}</Notice>}
      <CheckField checked={remember} onChange={setRemember}>
        {t('login.remember')}
      </CheckField>
    </div>
  );
}

/** Returns a host that only this computer reaches, else null. */
function unreachable(url: string): string | null {
  const { hostname, host } = new URL(url);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? host : null;
}
