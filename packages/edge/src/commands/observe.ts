import { asFlag, asNumber, asText, asTexts } from '@yunxun/contract/device';
import { type CommandHandler, invalidParameters, status } from './context.ts';

export const ping: CommandHandler = ({ id }, context) => {
  const returned = context.system.returnedUuid?.();
  context.reply(id, returned === undefined ? {} : { returned });
};

/** Reports now. Current access points cannot: their script restarts a removed service. */
export const request: CommandHandler = ({ id, params }, context) => {
  const message = asText(params.message, 32);
  const requestId = asText(params.request_uuid, 64);
  if (requestId === null || (message !== 'state' && message !== 'healthcheck')) {
    return context.reply(id, invalidParameters);
  }
  if (!context.firmware.requestWorks) {
    return context.reply(id, status(1, `failed to execute ${message === 'state' ? 'ustats' : 'uhealth'}`));
  }
  context.reply(id, status(0, 'Success'));
  if (message === 'state') context.reports.sendState(requestId);
  else context.reports.sendHealth(requestId);
};

export const script: CommandHandler = async ({ id, params }, context) => {
  const type = asText(params.type, 16);
  const encoded = asText(params.script, 1_048_576);
  if (type === null || (encoded === null && type !== 'diagnostic')) return context.reply(id, invalidParameters);
  const outcome = await context.system.runScript({
    type,
    body: Buffer.from(encoded ?? '', 'base64').toString('utf8'),
    timeoutSeconds: asNumber(params.timeout) ?? 30,
    uri: asText(params.uri, 2048),
  });
  if (outcome.pushes === 'state') context.reports.sendState();
  if (outcome.pushes === 'healthcheck') context.reports.sendHealth();
  context.reply(id, { status: { error: outcome.error, result: outcome.result } });
};

export const wifiscan: CommandHandler = async ({ id }, context) => {
  const scan = await context.system.scan();
  context.reply(id, { status: { error: 0, text: 'Success', scan } });
};

export const trace: CommandHandler = async ({ id, params }, context) => {
  const result = await context.system.trace?.(params);
  context.reply(id, { status: result ?? { error: 1, text: 'this device captures nothing' } });
};

export const tool: CommandHandler = async ({ id, params }, context) => {
  const result = await context.system.useTool?.(params);
  context.reply(id, { status: result ?? { error: 1, text: 'this device has no such tool' } });
};

export const rtty: CommandHandler = ({ id, params }, context) => {
  const result = context.system.rtty?.(params);
  context.reply(id, { status: result ?? { error: 1, text: 'this device has no rtty' } });
};

export const event: CommandHandler = ({ id, params }, context) => {
  context.reply(id, { events: context.events.drain(asTexts(params.types)), ...status(0, 'Success') });
};

const isPeriod = (seconds: number) => seconds >= 1 && seconds <= 86_400;

/** Refuses if the configuration already enables telemetry. */
export const telemetry: CommandHandler = ({ id, params }, context) => {
  const interval = asNumber(params.interval);
  const types = asTexts(params.types);
  if (interval === null || (interval !== 0 && (types.length === 0 || !isPeriod(interval)))) {
    return context.reply(id, invalidParameters);
  }
  if (context.reports.metrics.telemetry !== null) {
    return context.reply(id, status(3, 'periodic telemetry is configured'));
  }
  context.reports.telemetry(interval, types);
  context.reply(id, status(0, 'Success'));
};

export const fingerprint: CommandHandler = ({ id, params }, context) => {
  context.reply(id, { ...status(0, 'Success'), raw: asFlag(params.raw) ?? false, data: context.system.fingerprints() });
};
