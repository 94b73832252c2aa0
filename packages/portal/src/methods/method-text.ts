import { catalogue, type Text } from '../catalogue.ts';

/** `name` is for operators, on every screen; `heading` stands over the form of the guest's page. */
type Required = 'name' | 'heading';
export type MethodText = Text<Required>;

/** Declares the texts of a sign-in method, which both languages have. */
export function methodText<K extends string>(texts: {
  'zh-CN': Readonly<Record<K | Required, string>>;
  en: Readonly<Record<NoInfer<K> | Required, string>>;
}): Text<K | Required> {
  return catalogue<K | Required>(texts);
}
