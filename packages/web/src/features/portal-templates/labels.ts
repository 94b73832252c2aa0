import type { PortalStatus } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import type { Tone } from '../../ui/status.tsx';
import type { MethodKind } from './draft.ts';

export const methodName = (kind: MethodKind): string => t(`portal.method_${kind}`);
export const statusName = (status: PortalStatus): string => t(`portal.status_${status}`);
export const statusTone: Readonly<Record<PortalStatus, Tone>> = { draft: 'none', published: 'ok', changed: 'warn' };
