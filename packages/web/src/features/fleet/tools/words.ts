import type { fleetTools } from '@yunxun/contract';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { duration } from '../../../ui/format.ts';

export type ToolName = fleetTools.ToolName;
export type Run = Data<'/api/v3/network/tool/list'>['list'][number];
export type RunDetail = Data<'/api/v3/network/tool/detail'>;

/** What a use was made with, in a line. */
export function usedWith({ tool, arguments: used }: Run): string {
  const parts = [
    used.target,
    used.place ?? (tool === 'trace' ? t('tools.uplink') : undefined),
    used.filter,
    used.pattern && t(`tools.pattern_${used.pattern}`),
    tool === 'trace' || tool === 'leds' ? used.seconds && duration(used.seconds) : undefined,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Whether a use still goes on. */
export const isOpen = ({ state }: Pick<Run, 'state'>) =>
  state === 'queued' || state === 'running' || state === 'uploading';
