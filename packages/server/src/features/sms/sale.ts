import type { Database } from '../../platform/database/index.ts';
import { installationSettings } from '../installation/index.ts';

/** Fen a message. */
export const smsPriceFen = 10;

export const soldSetting = 'sms_sold';

/** Returns whether accounts of this installation pay for SMS; initially they do not. */
export async function areSmsSold(database: Database): Promise<boolean> {
  return (await installationSettings.readSetting<boolean>(database.system, soldSetting)) ?? false;
}

export function saveSmsSold(database: Database, sold: boolean): Promise<void> {
  return database.withSystem((tx) => installationSettings.writeSetting(tx, soldSetting, sold));
}
