import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { ask } from '../../ui/dialog-host.tsx';
import { notify } from '../../ui/toast.tsx';

interface Named {
  id: string;
  name: string;
}

export const templatesChanged = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/auth_template'),
  });

/** Names the networks whose guests get the new page. */
export async function askPublish({ id, name }: Named): Promise<void> {
  const { networks, revision } = await call('/api/v3/auth_template/detail', { id });
  ask({
    title: t('portal.publish_title', { name }),
    body: t('portal.publish_body', { n: networks.length }),
    ...(networks.length > 0 ? { losses: networks.map((network) => network.name) } : {}),
    confirm: t('portal.publish'),
    act: async () => {
      const { version } = await call('/api/v3/auth_template/publish', { id, revision });
      notify('ok', t('portal.published', { name, n: version }));
      await templatesChanged();
    },
  });
}

export function askDelete({ id, name }: Named): void {
  ask({
    title: t('template.delete_title', { name }),
    body: t('template.delete_body'),
    confirm: t('template.delete'),
    danger: true,
    act: async () => {
      await call('/api/v3/auth_template/delete', { id });
      await templatesChanged();
      notify('ok', t('template.deleted', { name }));
    },
  });
}

export function askRestore(template: Named & { revision: number }, version: number, done: () => void): void {
  const { id, revision } = template;
  ask({
    title: t('portal.restore_title', { n: version }),
    body: t('portal.restore_body'),
    confirm: t('portal.restore'),
    act: async () => {
      await call('/api/v3/auth_template/restore', { id, revision, version });
      notify('ok', t('portal.restored', { n: version }));
      await templatesChanged();
      done();
    },
  });
}
