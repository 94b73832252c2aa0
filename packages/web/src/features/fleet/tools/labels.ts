import type { fleetTools } from '@yunxun/contract';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { duration } from '../../../ui/format.ts';

export type ToolName = (typeof fleetTools.offeredTools)[number];
export type Run = Data<'/api/v3/network/tool/list'>['list'][number];
export type RunDetail = Data<'/api/v3/network/tool/detail'>;

export function usedWith({ tool, arguments: used }: Run): string {
  const parts = [
    used.target && tool === 'tcp_check' ? `${used.target}:${used.port}` : used.target,
    used.url,
    used.udp && 'UDP',
    used.server && t('tools.at_server', { server: used.server }),
    used.place ?? (tool === 'trace' ? t('tools.uplink') : undefined),
    used.filter,
    used.pattern && t(`tools.pattern_${used.pattern}`),
    tool === 'trace' || tool === 'leds' ? used.seconds && duration(used.seconds) : undefined,
  ];
  return parts.filter(Boolean).join(' · ');
}

export const isOpen = ({ state }: Pick<Run, 'state'>) =>
  state === 'queued' || state === 'running' || state === 'uploading';
