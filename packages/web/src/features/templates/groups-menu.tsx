import { lazy, Suspense, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

const GroupSettings = lazy(async () => ({ default: (await import('./group-settings.tsx')).GroupSettings }));

export function GroupsMenu() {
  const { data } = useRead('/api/v3/ap/group/list', {});
  const [open, setOpen] = useState<{ id: string; name: string } | null>(null);
  const groups = data?.list ?? [];
  if (groups.length === 0) return null;
  return (
    <>
      <Menu
        label={t('group_settings.menu')}
        target={(trigger) => (
          <Button icon="sliders" {...trigger}>
            {t('group_settings.menu')}
          </Button>
        )}
        items={groups.map(({ id, name }) => ({ label: name, act: () => setOpen({ id, name }) }))}
      />
      {open && (
        <Suspense>
          <GroupSettings groupId={open.id} name={open.name} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}
