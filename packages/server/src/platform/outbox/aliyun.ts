import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type Adapter, DeliveryError } from './message.ts';
import { post, textOf } from './post.ts';
import { codeOf, type TemplateCodes, valuesOf } from './sms.ts';

export interface AliyunSettings {
  keyId: string;
  secret: string;
  sender: string;
  /** Empty or a mainland region: the central endpoint. */
  region: string;
  templates: TemplateCodes;
}

export interface AliyunRequest {
  host: string;
  action: string;
  version: string;
  query: Readonly<Record<string, string>>;
  date: string;
  nonce: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Encodes RFC 3986, with `!'()*`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export function aliyunQuery(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .toSorted()
    .map((name) => `${encode(name)}=${encode(query[name]!)}`)
    .join('&');
}

/**
 * Signs by V3 (ACS3-HMAC-SHA256), without a body:
 * https://help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
 */
export function signAliyun(request: AliyunRequest, keyId: string, secret: string): Record<string, string> {
  const empty = sha256('');
  const headers: Record<string, string> = {
    host: request.host,
    'x-acs-action': request.action,
    'x-acs-content-sha256': empty,
    'x-acs-date': request.date,
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  };
  const names = Object.keys(headers).toSorted();
  const lines = names.map((name) => `${name}:${headers[name]!.trim()}\n`).join('');
  const signed = names.join(';');
  const canonical = ['POST', '/', aliyunQuery(request.query), lines, signed, empty].join('\n');
  const signature = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex');
  const { host: _sentByFetch, ...sent } = headers;
  return {
    ...sent,
    authorization: `ACS3-HMAC-SHA256 Credential=${keyId},SignedHeaders=${signed},Signature=${signature}`,
  };
}

/** Errors that a retry cannot fix (help.aliyun.com/document_detail/101346.html). */
const permanent = new Set([
  'isv.MOBILE_NUMBER_ILLEGAL',
  'isv.DOMESTIC_NUMBER_NOT_SUPPORTED',
  'isv.BLACK_KEY_CONTROL_LIMIT',
  'isv.SMS_CONTENT_ILLEGAL',
  'isv.PARAM_LENGTH_LIMIT',
  'isv.PARAM_NOT_SUPPORT_URL',
  'isv.INVALID_PARAMETERS',
]);

function endpointOf(region: string): string {
  return region === '' || region.startsWith('cn-')
    ? 'https://dysmsapi.aliyuncs.com'
    : `https://dysmsapi.${region}.aliyuncs.com`;
}

/** Uses Dysmsapi 2017-05-25. `OutId`: outbox id in their records. */
export function aliyunAdapter(settings: AliyunSettings, endpoint = endpointOf(settings.region)): Adapter {
  return {
    async send(message) {
      const query = {
        PhoneNumbers: message.to,
        SignName: settings.sender,
        TemplateCode: codeOf(settings.templates, message),
        TemplateParam: JSON.stringify(Object.fromEntries(valuesOf(message))),
        OutId: message.id,
      };
      const headers = signAliyun(
        {
          host: new URL(endpoint).host,
          action: 'SendSms',
          version: '2017-05-25',
          query,
          date: new Date().toISOString().replace(/\.\d{3}Z$/, 'Z'),
          nonce: randomUUID(),
        },
        settings.keyId,
        settings.secret,
      );
      const { body } = await post(`${endpoint}/?${aliyunQuery(query)}`, headers, '');
      const code = textOf(body.Code);
      const words = [code, textOf(body.Message)].filter(Boolean).join(': ');
      if (code === 'OK') return [words, textOf(body.BizId)].filter(Boolean).join(' ');
      throw new DeliveryError(words || 'the answer holds no code', permanent.has(code));
    },
  };
}
