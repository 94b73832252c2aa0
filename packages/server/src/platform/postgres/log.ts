import type { Log } from '../log.ts';

export type LauncherLog = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;
