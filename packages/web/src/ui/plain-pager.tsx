import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';

export function PlainPager(props: { page: number; pages: number; onChange: (page: number) => void }) {
  const { page, pages, onChange } = props;
  if (pages <= 1) return null;
  return (
    <div className="row">
      <Button why={page === 1 ? t('events.first') : undefined} onClick={() => onChange(page - 1)}>
        {t('table.previous')}
      </Button>
      <span className="small dim">{t('table.page', { n: page })}</span>
      <Button why={page === pages ? t('events.last') : undefined} onClick={() => onChange(page + 1)}>
        {t('table.next')}
      </Button>
    </div>
  );
}
