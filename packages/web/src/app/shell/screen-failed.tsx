import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { t } from '../i18n.ts';

/** The failed screen may be wider. */
function fitPhone(node: HTMLElement | null) {
  const shell = node?.closest('.shell:not([data-phone])');
  shell?.setAttribute('data-phone', 'true');
  return () => shell?.removeAttribute('data-phone');
}

/** Error boundary of a screen whose code failed to load or threw; offers a retry. */
export function ScreenFailed({ error }: { error: unknown }) {
  const missing = error instanceof Error && /import|chunk|fetch/i.test(error.message);
  return (
    <div className="hero" ref={fitPhone}>
      <Empty
        page
        icon="alert"
        title={missing ? t('screen.not_loaded') : t('screen.broken')}
        actions={
          <Button icon="refresh" onClick={() => location.reload()}>
            {t('action.retry')}
          </Button>
        }
      >
        {missing ? t('screen.not_loaded_body') : t('screen.broken_body')}
      </Empty>
    </div>
  );
}
