import { type Logger, pino } from 'pino';
import { ConfigError } from './config.ts';

export type Log = Logger;

/** The program's log: JSON lines on standard error, so that they do not stand among the sentences for the operator. */
export function createLog(level = 'info'): Log {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}

/** What `LOG_LEVEL` asks for; warnings and worse without it. @throws ConfigError */
export function readLevel(text: string | undefined): string {
  const levels = [...Object.keys(pino.levels.values), 'silent'];
  if (text && !levels.includes(text)) throw new ConfigError(`LOG_LEVEL takes ${levels.join(', ')}, not "${text}".`);
  return text || 'warn';
}

/** A log that keeps quiet, for tests; `YUNXUN_TEST_LOG` sets its level. */
export function silentLog(): Log {
  return pino({ level: process.env.YUNXUN_TEST_LOG ?? 'silent' });
}
