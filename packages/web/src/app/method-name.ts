import type { PortalMethodKind } from '@yunxun/contract';
import { methodName as nameIn } from '@yunxun/portal/method-texts';
import { locale } from './i18n.ts';

/** Names a sign-in method of the guest portal, on every screen alike. */
export const methodName = (kind: PortalMethodKind): string => nameIn(locale(), kind);
