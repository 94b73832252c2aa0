import { asList, asNumber, asRecord, asText } from '@yunxun/contract/device';
import { type CommandHandler, invalidParameters, status } from './context.ts';

/** Delayed action; the firmware ignores `when`. */
const triggered = status(0, 'triggered command action');

export const reboot: CommandHandler = ({ id }, context) => {
  const may = context.system.mayRestart?.();
  if (may !== undefined && may.error !== 0) return context.reply(id, { status: { ...may } });
  context.reply(id, triggered);
  context.restartSoon('reboot');
};

export const factory: CommandHandler = ({ id, params }, context) => {
  const keep = asNumber(params.keep_redirector) === 1 || params.keep_redirector === true;
  context.reply(id, triggered);
  context.laterDown(() => context.system.factory(keep));
};

export const upgrade: CommandHandler = async ({ id, params }, context) => {
  const uri = asText(params.uri);
  if (uri === null) return context.reply(id, invalidParameters);
  const result = await context.system.upgrade(uri);
  context.reply(id, { status: { ...result } });
  if (result.error === 0) context.restartSoon('upgrade');
};

export const leds: CommandHandler = ({ id, params }, context) => {
  const pattern = asText(params.pattern, 16);
  if (pattern === null || !['on', 'off', 'blink'].includes(pattern)) return context.reply(id, invalidParameters);
  const result = context.system.leds(pattern, asNumber(params.duration) ?? 30);
  context.reply(id, { status: { ...result } });
};

/** Sends no answer on success, like the firmware. */
export const rrm: CommandHandler = ({ params }, context) => {
  context.system.manageRadios(asList(params.actions));
};

/** Answers twice with one id if a package is missing, like the firmware. */
export const packages: CommandHandler = ({ id, params }, context) => {
  const names = asList(params.packages)
    .map((entry) => asText(asRecord<{ name: string }>(entry).name, 128))
    .concat(asText(params.package, 128))
    .filter((name): name is string => name !== null);
  const results = context.system.packages({ op: asText(params.op, 16) ?? 'list', names });
  const missing = results.filter((entry) => entry.result === null);
  const list = results.map((entry) => ({ name: entry.name, result: entry.result ?? 'not found' }));
  if (missing.length > 0) {
    context.reply(id, { status: { error: missing.length, text: 'Failed', packages: list } });
  }
  context.reply(id, {
    status: { error: missing.length, text: missing.length > 0 ? 'Failed' : 'Success', packages: list },
  });
};
