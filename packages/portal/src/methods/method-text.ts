import { catalogue, type Text } from '../catalogue.ts';

/** Of the guest's row and form. */
type Required = 'heading' | 'hint';
export type MethodText = Text<Required>;

export function methodText<K extends string>(texts: {
  'zh-CN': Readonly<Record<K | Required, string>>;
  en: Readonly<Record<NoInfer<K> | Required, string>>;
}): Text<K | Required> {
  return catalogue<K | Required>(texts);
}
