import type { RemoteEndReason, RemoteKind } from '@yunxun/contract';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { ask } from '../../ui/dialog-host.tsx';

export type Session = Row<'/api/v3/remote/list'>;

export type ShownSession = Pick<Session, 'id' | 'target' | 'network' | 'purpose'>;

const pages = { shell: 'terminal', ssh: 'terminal', telnet: 'terminal', web: 'web', vnc: 'screen' } as const;
export const isTerminal = (kind: RemoteKind) => pages[kind] === 'terminal';

export const sessionPath = ({ id, kind }: Pick<Session, 'id' | 'kind'>) => `/remote/${pages[kind]}/${id}`;

export type RemoteTarget = { serial: string } | { peripheral_id: string };

export const refreshSessions = () => queryClient.invalidateQueries({ queryKey: ['/api/v3/remote/list'] });

/** `detail`: words of the device. */
export function endText(reason: RemoteEndReason, detail: string | null = null): string {
  const text = t(`remote.end_${reason}`);
  return detail === null ? text : t('remote.end_detail', { text, detail });
}

/** A session that no device joined showed nothing. */
export const hasRecording = ({ connected_at, recording }: Pick<Session, 'connected_at' | 'recording'>) =>
  connected_at !== null && (recording === 'kept' || recording === 'cut');

export function askToEnd({ id, target }: Pick<Session, 'id' | 'target'>): void {
  ask({
    title: t('remote.end_title', { name: target }),
    body: t('remote.end_body'),
    confirm: t('remote.end'),
    danger: true,
    act: async () => {
      await call('/api/v3/remote/end', { id });
      await refreshSessions();
    },
  });
}
