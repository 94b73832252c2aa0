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
  /** Viewer: none, owner without devices, owner of a fleet, or installation administrator. */
  as: 'visitor' | 'newcomer' | 'owner' | 'admin';
  /** Contains mocked data, so it is no picture of a real state. */
  answered?: true;
  open(page: Page, stage: Stage): Promise<unknown>;
}
