import { useRouter } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { t } from '../i18n.ts';
import { isPlanned } from '../routes.ts';
import { useCurrentRow } from './current.ts';

export function PlannedScreen() {
  const row = useCurrentRow();
  const router = useRouter();
  if (!row || !isPlanned(row)) return null;
  const Frame = row.section ? 'div' : 'main';
  return (
    <Frame className={row.section ? 'hero' : 'lost'}>
      <section className="card planned-card">
        <span className="label">{t('planned.badge')}</span>
        <h1>{t(row.title)}</h1>
        <p className="quiet">{t('planned.lead')}</p>
        <blockquote>{t(row.screen.planned)}</blockquote>
        <Button icon="arrow_left" onClick={() => router.history.back()}>
          {t('planned.back')}
        </Button>
      </section>
    </Frame>
  );
}
