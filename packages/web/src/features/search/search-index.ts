/** Path of a screen's row, and the tab that shows the form. */
export type Place = readonly [path: string, tab: string | null];

/** Label in both languages, pinyin of the Chinese one, indexes of places. */
export type SettingLabel = readonly [zh: string, en: string, readings: string, places: readonly number[]];

export interface SettingIndex {
  places: readonly Place[];
  labels: readonly SettingLabel[];
}

/** Filled by the build (vite.config.ts): a dictionary is too large for a page. */
export const settingIndex: SettingIndex = { places: [], labels: [] };

/** Pinyin of screens, settings and acts by the key of their text. */
export const readings: Readonly<Record<string, string>> = {};
