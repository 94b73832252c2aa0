import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type Language, looks, type Theme } from './browser.ts';
import { shrinkPng } from './png.ts';
import { settled } from './screens.ts';

const root = resolve(import.meta.dirname, '../..');
const album = join(root, 'docs/look');
const folder = process.env.LOOK_TO ?? album;
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();

/** A look that pictures are taken in. */
export interface Look {
  language: Language;
  theme: Theme;
  suffix: string;
}

const all: readonly Look[] = looks.map(([language, theme]) => ({
  ...{ language, theme },
  suffix: `${language === 'en' ? 'en' : 'zh'}-${theme}`,
}));

/** Looks to take pictures in: all four when they go to a folder of one's own (`LOOK_TO`), in docs/look two of them. */
export const pictured: readonly Look[] = process.env.LOOK_TO
  ? all
  : all.filter(({ suffix }) => ['zh-light', 'en-dark'].includes(suffix));

/** Keeps what a page shows once nothing is loading any more. */
export async function takePicture(page: Page, name: string, suffix: string): Promise<void> {
  await settled(page);
  const picture = shrinkPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}-${suffix}.png`), picture);
  console.log(`${name}-${suffix}.png ${Math.round(picture.length / 1024)} KiB`);
}

/** Writes the rows of a part of docs/look, with where they come from, in place of what stood there of that part. */
export function writeRows(title: string, from: string, names: readonly string[]): void {
  if (folder !== album) return;
  const file = join(album, 'README.md');
  const rows = names.map((name) => `| ${name} | ![](${name}-zh-light.png) | ![](${name}-en-dark.png) |`);
  const taken = `Taken on ${new Date().toISOString().slice(0, 10)} at commit ${commit} ${from}`;
  const part = [`## ${title}`, '', taken, '', '| | zh-CN, light | en, dark |', '|---|---|---|', ...rows, ''].join('\n');
  const [lead, ...parts] = (existsSync(file) ? readFileSync(file, 'utf8') : '').split(/^(?=## )/m);
  const others = parts.filter((each) => !each.startsWith(`## ${title}\n`)).map((each) => `${each.trimEnd()}\n`);
  const mine =
    others.length < parts.length ? parts.findIndex((each) => each.startsWith(`## ${title}\n`)) : others.length;
  writeFileSync(file, `${lead!.trimEnd()}\n\n${others.toSpliced(mine, 0, part).join('\n')}`);
}
