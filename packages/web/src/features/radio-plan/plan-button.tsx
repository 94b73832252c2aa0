import { lazy, Suspense, useState } from 'react';
import { loadTexts, t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';

const PlanDialog = lazy(async () => {
  const [module] = await Promise.all([import('./plan-dialog.tsx'), loadTexts('radioPlan')]);
  return { default: module.PlanDialog };
});

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
