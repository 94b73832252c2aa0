import { lazy, Suspense, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';

const PlanDialog = lazy(async () => ({ default: (await import('./plan-dialog.tsx')).PlanDialog }));

/** Opens the channel plans of a network. */
export function PlanButton({ gwid }: { gwid: string }) {
  const mayRead = useMay('config.read');
  const [open, setOpen] = useState(false);
  if (!mayRead) return null;
  return (
    <>
      <Button icon="wifi" onClick={() => setOpen(true)}>
        {t('plan.title')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <PlanDialog gwid={gwid} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
