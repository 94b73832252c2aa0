import { catalogue, type Text } from '../catalogue.ts';

/** `name`: for operators; `heading`: over the guest's form. */
type Required = 'name' | 'heading';
export type MethodText = Text<Required>;

export function methodText<K extends string>(texts: {
  'zh-CN': Readonly<Record<K | Required, string>>;
  en: Readonly<Record<NoInfer<K> | Required, string>>;
}): Text<K | Required> {
  return catalogue<K | Required>(texts);
}
