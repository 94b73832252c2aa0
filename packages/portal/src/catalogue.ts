export type PageLocale = 'zh-CN' | 'en';

export type TextParams = Readonly<Record<string, string | number>>;

export type Text<K extends string> = (locale: PageLocale, key: K, params?: TextParams) => string;

export function catalogue<K extends string>(texts: {
  'zh-CN': Readonly<Record<K, string>>;
  en: Readonly<Record<NoInfer<K>, string>>;
}): Text<K> {
  return (locale, key, params = {}) =>
    texts[locale][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
