import type { Data } from '../../app/api.ts';
import { locale } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';

export type Plugin = Data<'/api/v3/plugin/detail'>;
export type PluginDevice = Plugin['devices'][number];

/** Milliseconds between reads of what gateways report. */
export const refreshEvery = 10_000;

export function shownText(text: { zh: string; en: string }): string {
  return locale() === 'zh-CN' ? text.zh : text.en;
}

export async function refreshPlugins(): Promise<void> {
  const paths = ['list', 'detail', 'log'].map((name) => `/api/v3/plugin/${name}`);
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}
