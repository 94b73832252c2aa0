import { backupAlarms } from '../backup/alarm-source.ts';
import { billingAlarms } from '../billing/alarm-source.ts';
import { configurationAlarms } from '../configuration/alarm-source.ts';
import { firmwareAlarms } from '../firmware/alarm-source.ts';
import { installationAlarms } from '../installation/alarm-source.ts';
import { peripheralAlarms } from '../peripherals/alarm-source.ts';
import { portalAlarms } from '../portal/alarm-source.ts';
import { sdwanAlarms } from '../sdwan/alarm-source.ts';
import { smsAlarms } from '../sms/alarm-source.ts';
import type { AlarmSource } from './observations.ts';

/** Alarm kinds of other features. */
export const sources: readonly AlarmSource<never>[] = [
  backupAlarms,
  configurationAlarms,
  firmwareAlarms,
  peripheralAlarms,
  portalAlarms,
  sdwanAlarms,
  installationAlarms,
  smsAlarms,
  billingAlarms,
];

/** Values of their main rules. */
export const sourceKinds = {
  ...backupAlarms.kinds,
  ...configurationAlarms.kinds,
  ...firmwareAlarms.kinds,
  ...peripheralAlarms.kinds,
  ...portalAlarms.kinds,
  ...sdwanAlarms.kinds,
  ...installationAlarms.kinds,
  ...smsAlarms.kinds,
  ...billingAlarms.kinds,
};
