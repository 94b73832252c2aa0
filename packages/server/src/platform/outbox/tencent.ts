import { createHash, createHmac } from 'node:crypto';
import { type Adapter, DeliveryError } from './message.ts';
import { post, textOf } from './post.ts';
import { codeOf, e164, type TemplateCodes, valuesOf } from './sms.ts';

export interface TencentSettings {
  keyId: string;
  secret: string;
  sender: string;
  appId: string;
  region: string;
  templates: TemplateCodes;
}

export interface TencentRequest {
  host: string;
  service: string;
  body: string;
  /** Unix time in seconds. */
  timestamp: number;
}

const contentType = 'application/json; charset=utf-8';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Signs by v3 (TC3-HMAC-SHA256): https://cloud.tencent.com/document/api/382/52072 */
export function signTencent(request: TencentRequest, keyId: string, secret: string): string {
  const { host, service, body, timestamp } = request;
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${day}/${service}/tc3_request`;
  const signed = 'content-type;host';
  const canonical = ['POST', '/', '', `content-type:${contentType}\nhost:${host}\n`, signed, sha256(body)].join('\n');
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(`TC3${secret}`, day), service), 'tc3_request');
  const signature = hmac(key, toSign).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}

/** Errors that a retry cannot fix (cloud.tencent.com/document/api/382/52075). */
const permanent = new Set([
  'FailedOperation.ContainSensitiveWord',
  'FailedOperation.PhoneNumberInBlacklist',
  'FailedOperation.TemplateParamSetNotMatchApprovedTemplate',
  'InvalidParameterValue.ContentLengthLimit',
  'InvalidParameterValue.IncorrectPhoneNumber',
  'InvalidParameterValue.ProhibitedUseUrlInTemplateParameter',
  'InvalidParameterValue.TemplateParameterFormatError',
  'InvalidParameterValue.TemplateParameterLengthLimit',
  'UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone',
  'UnsupportedOperation.GlobalTemplateToChineseMainlandPhone',
]);

interface Status {
  SerialNo?: unknown;
  Code?: unknown;
  Message?: unknown;
}

/** Uses 2021-01-11. `SessionContext`: outbox id in their reports. */
export function tencentAdapter(settings: TencentSettings, endpoint = 'https://sms.tencentcloudapi.com'): Adapter {
  return {
    async send(message) {
      const body = JSON.stringify({
        PhoneNumberSet: [e164(message.to)],
        SmsSdkAppId: settings.appId,
        SignName: settings.sender,
        TemplateId: codeOf(settings.templates, message),
        TemplateParamSet: valuesOf(message).map(([, value]) => value),
        SessionContext: message.id,
      });
      const { host } = new URL(endpoint);
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        authorization: signTencent({ host, service: 'sms', body, timestamp }, settings.keyId, settings.secret),
        'content-type': contentType,
        'x-tc-action': 'SendSms',
        'x-tc-timestamp': String(timestamp),
        'x-tc-version': '2021-01-11',
        'x-tc-region': settings.region || 'ap-guangzhou',
      };
      const answer = (await post(`${endpoint}/`, headers, body)).body.Response as
        | { Error?: Status; SendStatusSet?: Status[] }
        | undefined;
      const status = answer?.Error ?? answer?.SendStatusSet?.[0];
      const code = textOf(status?.Code);
      const words = [code, textOf(status?.Message)].filter(Boolean).join(': ');
      if (!answer?.Error && code === 'Ok') return [words, textOf(status?.SerialNo)].filter(Boolean).join(' ');
      throw new DeliveryError(words || 'the answer holds no status', permanent.has(code));
    },
  };
}
