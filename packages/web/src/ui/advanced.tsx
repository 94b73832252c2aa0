import { type ReactNode, useState } from 'react';
import { t } from '../app/i18n.ts';
import './advanced.css';

/** `wrong`: opens it. */
export function Advanced({ about, wrong, children }: { about?: string; wrong?: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="advanced" open={open || wrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t('action.advanced')}
        {about && <span className="small dim">{about}</span>}
      </summary>
      <div className="advanced-fields">{children}</div>
    </details>
  );
}
