import type { Log } from '../log.ts';

/** What the launcher needs of the program's log. */
export type LauncherLog = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;
