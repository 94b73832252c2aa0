import type { PortalMethodKind } from '@yunxun/contract';
import { methodName as nameIn } from '@yunxun/portal/method-names';
import { locale } from './i18n.ts';

export const methodName = (kind: PortalMethodKind): string => nameIn(locale(), kind);
