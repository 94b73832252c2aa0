import { type Logger, pino } from 'pino';
import { ConfigError } from './config.ts';

export type Log = Logger;

/** Writes JSON lines to standard error; standard output is for the operator. */
export function createLog(level = 'info'): Log {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}

/** Defaults to warnings. @throws ConfigError */
export function readLevel(text: string | undefined): string {
  const levels = [...Object.keys(pino.levels.values), 'silent'];
  if (text && !levels.includes(text)) throw new ConfigError(`LOG_LEVEL takes ${levels.join(', ')}, not "${text}".`);
  return text || 'warn';
}

export function silentLog(): Log {
  return pino({ level: process.env.YUNXUN_TEST_LOG ?? 'silent' });
}
