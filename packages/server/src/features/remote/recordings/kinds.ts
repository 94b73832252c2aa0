import type { RemoteKind } from '@yunxun/contract';

export const isTerminal = (kind: RemoteKind) => kind !== 'web' && kind !== 'vnc';
