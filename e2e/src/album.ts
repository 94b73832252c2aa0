import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type Language, looks, type Theme } from './browser.ts';
import { shrinkPng } from './png.ts';
import { settled } from './screens.ts';

/** Output folder: `LOOK_TO`, else a git-ignored one. */
const folder = process.env.LOOK_TO ?? resolve(import.meta.dirname, '../../.build/look');

export interface Look {
  language: Language;
  theme: Theme;
  suffix: string;
}

export const pictured: readonly Look[] = looks.map(([language, theme]) => ({
  language,
  theme,
  suffix: `${language === 'en' ? 'en' : 'zh'}-${theme}`,
}));

export async function takePicture(page: Page, name: string, suffix: string): Promise<void> {
  await settled(page);
  const picture = shrinkPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}-${suffix}.png`), picture);
  console.log(`${name}-${suffix}.png ${Math.round(picture.length / 1024)} KiB`);
}
