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
  /** None, owner without devices, owner of a fleet, or administrator of the installation. */
  as: 'visitor' | 'newPerson' | 'owner' | 'admin';
  /** Mocked: no picture of a real state. */
  answered?: true;
  open(page: Page, stage: Stage): Promise<unknown>;
}
