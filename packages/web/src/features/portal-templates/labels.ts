import type { PortalStatus } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import type { Tone } from '../../ui/status.tsx';

export const statusName = (status: PortalStatus): string => t(`portal.status_${status}`);
export const statusTone: Readonly<Record<PortalStatus, Tone>> = { draft: 'none', published: 'ok', changed: 'warn' };
