import type { Page } from 'playwright-core';
import type { Text } from './browser.ts';

export interface Stage {
  t: Text;
  url: string;
  gwid: string;
  remark: string;
  serial: string;
}

export interface BuiltScreen {
  name: string;
  /** A page of its own, though its name continues that of another screen. */
  page?: true;
  /** None, owner without devices, owner of a fleet, or administrator of the installation. */
  as: 'visitor' | 'newPerson' | 'owner' | 'admin';
  /** Mocked: no picture of a real state. */
  answered?: true;
  open(page: Page, stage: Stage): Promise<unknown>;
}

/** Returns the screens without the states of other screens: `jobs-empty` is a state of `jobs`. */
export function pagesOf(screens: readonly BuiltScreen[]): BuiltScreen[] {
  const names = new Set(screens.map(({ name }) => name));
  return screens.filter(({ name, page }) => {
    const words = name.split('-');
    return page || !words.some((_word, at) => at > 0 && names.has(words.slice(0, at).join('-')));
  });
}
