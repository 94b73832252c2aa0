import type { edgeDocument } from '@yunxun/contract/device';
import type { Shaped as ShapedForm } from './reader.ts';

export type Shaped = ShapedForm<typeof edgeDocument>;
export type ShapedInterface = NonNullable<Shaped['interfaces']>[number];
export type ShapedIpv4 = NonNullable<ShapedInterface['ipv4']>;
export type ShapedSection = NonNullable<NonNullable<Shaped['third-party']>['yunxun']>;
