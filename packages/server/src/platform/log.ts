import { type Logger, pino } from 'pino';

export type Log = Logger;

/** The program's log: JSON lines on standard output; `YUNXUN_TEST_LOG` sets the level in tests. */
export function createLog(level = 'info'): Log {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}

/** A log that keeps quiet, for tests. */
export function silentLog(): Log {
  return pino({ level: process.env.YUNXUN_TEST_LOG ?? 'silent' });
}
