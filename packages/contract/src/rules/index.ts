import * as generic from './generic.ts';
import { isPassword, passwordLength } from './password.ts';
import { portRuns } from './port-range.ts';
import type { Rule, RuleError, RuleParams } from './rule.ts';
import { ipv4Pattern, subnet } from './subnet.ts';
import { bytesOf, characterText } from './text.ts';

export {
  between,
  confirmed,
  dateFormat,
  decimal,
  digits,
  fileSize,
  fileType,
  length,
  maxLength,
  maxValue,
  minLength,
  minValue,
  tripleLength,
} from './generic.ts';
export { passwordLength, passwordStrength } from './password.ts';
export { type PortRun, portRuns } from './port-range.ts';
export { type Rule, type RuleError, type RuleParams, ruleErrorOf } from './rule.ts';
export { canonicalSubnet } from './subnet.ts';
export { bytesOf, bytesText, charactersOf, characterText, normaliseMac, sizeText, tripleLengthOf } from './text.ts';

/** Is it a Wi-Fi key in hex? It has no passphrase. */
export const isHexKey = (key: string): boolean => /^[\da-f]{64}$/i.test(key);

/** Names in schemas (`rule: 'nameText'`) and form fields. */
export type RuleKey =
  | 'mobile'
  | 'password'
  | 'passwordFilter'
  | 'printable'
  | 'wifiKey'
  | 'noSpecialCharacters'
  | 'nameText'
  | 'siteLink'
  | 'freeText'
  | 'ssid'
  | 'mac'
  | 'idCard'
  | 'bankCard'
  | 'subnet'
  | 'noQuotes'
  | 'timeBucket'
  | 'portRange'
  | 'withdrawalPassword'
  | 'required'
  | 'email'
  | 'url'
  | 'ip'
  | 'integer'
  | 'numeric'
  | 'image';

const rule = (key: RuleKey, test: Rule['test'], params?: RuleParams): Rule => ({ key, test, params });
const matches = (key: RuleKey, pattern: RegExp): Rule => rule(key, (value) => pattern.test(value));

/** Names the first character that a text may not have. */
function characterError(key: 'ssid' | 'printable' | 'freeText', value: string, allowed: RegExp): RuleError | null {
  const wrong = [...value].find((each) => !allowed.test(each));
  return wrong === undefined ? null : { key: `validation.${key}`, params: { character: characterText(wrong) } };
}

const ssidCharacters = /^[\w!@#^()* \u3000\p{Script=Han}\-\u2013\u2014]+$/u;
/** IEEE 802.11 limit; a Chinese name has at most ten characters. */
const ssidBytes = 32;
const ssid: Rule = {
  key: 'ssid',
  test: (value) => ssidCharacters.test(value) && value.trim() !== '' && bytesOf(value) <= ssidBytes,
  explain: (value): RuleError =>
    characterError('ssid', value, ssidCharacters) ??
    (value.trim() === ''
      ? { key: 'validation.required', params: {} }
      : { key: 'validation.ssidBytes', params: { bytes: bytesOf(value), max: ssidBytes } }),
};

/** Names of people and places in any script; `•` masks the number that a new account is named by. */
const freeCharacters =
  /^[\p{L}\p{M}\p{N} .,\-_'&()#/@+\u2022\uff0c\u3002\u2013\u2014\u2019\u00b7\u30fb\u3000\u3001\uff08\uff09]+$/u;
const freeText: Rule = {
  key: 'freeText',
  test: (value) => freeCharacters.test(value) && value.trim() !== '',
  explain: (value) => characterError('freeText', value, freeCharacters) ?? { key: 'validation.required', params: {} },
};

const printableCharacters = /^[\x20-\x7e]+$/;
const printable: Rule = {
  key: 'printable',
  test: (value) => printableCharacters.test(value),
  explain: (value) => characterError('printable', value, printableCharacters)!,
};
/** IEEE 802.11: a passphrase, or the key itself in hex. */
const wifiKeyLength = { min: 8, max: 63, hex: 64 } as const;
const wifiKey: Rule = {
  key: 'wifiKey',
  params: wifiKeyLength,
  test: (value) =>
    isHexKey(value) ||
    (printable.test(value) && value.length >= wifiKeyLength.min && value.length <= wifiKeyLength.max),
  explain: (value) =>
    characterError('printable', value, printableCharacters) ?? { key: 'validation.wifiKey', params: wifiKeyLength },
};
const isUrl = (value: string): boolean => /^https?:\/\/[^\s/]/i.test(value) && !/\s/.test(value) && URL.canParse(value);
const siteName = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/;

/** Returns a link's host: a name with a dot, or an IPv4 address; else null. */
export function siteHostOf(link: string): string | null {
  if (!isUrl(link)) return null;
  const { hostname, username, password } = new URL(link);
  const isHost = siteName.test(hostname) || ipv4Pattern.test(hostname);
  return isHost && username === '' && password === '' ? hostname : null;
}
const isIp = (value: string): boolean =>
  ipv4Pattern.test(value) || (/^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`));

/** Fixed (docs/adr/0039); shared by server and forms. */
export const rules: Readonly<Record<RuleKey, Rule>> = {
  mobile: matches('mobile', /^1[3-9]\d{9}$/),
  password: rule('password', isPassword, passwordLength),
  passwordFilter: matches('passwordFilter', /^[A-Za-z\d!@#^*()[\]{}_\-+=.?<>:~]+$/),
  noSpecialCharacters: matches('noSpecialCharacters', /^[^()[\]{}%=?^'"‘’“”;/\\\s&*<>$|]*$/),
  freeText,
  printable,
  wifiKey,
  nameText: matches('nameText', /^[\w\p{Script=Han},.\uff0c\u3002\-\u2013\u2014]+$/u),
  ssid,
  mac: matches('mac', /^$|^[\da-f]{2}([:-])([\da-f]{2}\1){4}[\da-f]{2}$/i),
  idCard: matches('idCard', /^(\d{15}|\d{17}[\dXx])$/),
  bankCard: rule('bankCard', (value) => /^[1-9](\d{15}|\d{18})$/.test(value.replace(/ /g, ''))),
  subnet,
  noQuotes: matches('noQuotes', /^[^'"‘’“”]*$/),
  timeBucket: matches('timeBucket', /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/),
  portRange: rule('portRange', (value) => portRuns(value) !== null),
  withdrawalPassword: matches('withdrawalPassword', /^\d{6}$/),
  required: rule('required', (value) => value.trim() !== ''),
  email: matches(
    'email',
    /^(?=[^@]{1,64}@)(?=.{3,254}$)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,}$/i,
  ),
  url: rule('url', isUrl),
  siteLink: rule('siteLink', (value) => siteHostOf(value) !== null),
  ip: rule('ip', isIp),
  integer: matches('integer', /^-?\d+$/),
  numeric: matches('numeric', /^-?\d+(\.\d+)?$/),
  image: generic.image,
};
