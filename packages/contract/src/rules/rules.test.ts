import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locales, messageByKey } from '../messages/index.ts';
import * as generic from './generic.ts';
import { type Rule, type RuleKey, ruleErrorOf, rules } from './index.ts';

interface Table {
  rule: Rule;
  accepted: string[];
  refused: string[];
}

const named: Record<RuleKey, Omit<Table, 'rule'>> = {
  mobile: {
    accepted: ['13800138000', '19912345678'],
    refused: [
      '12800138000',
      '1380013800',
      '138001380000',
      '23800138000',
      ' 13800138000',
      '1380013800a',
      '13800138000\n',
      '',
    ],
  },
  password: {
    accepted: ['abcd1234', 'ABCDEFG~', '1234567?', 'abcdefgh12345678', 'a!@#$%^&*?~1'],
    refused: [
      'abcdefgh',
      '12345678',
      '!@#$%^&*',
      'abc1234',
      'abcdefgh123456789',
      'abcd 1234',
      'abcd_1234',
      'abcd1234密',
      'abcd-1234',
      '',
    ],
  },
  passwordFilter: {
    accepted: ['abcXYZ09', '!@#^*()[]{}_-+=.?<>:~'],
    refused: ['中文abc123', 'a b', 'a$b', 'a%b', 'a&b', 'a"b', "a'b", 'a;b', 'a/b', 'a|b', 'a,b', 'a\\b', ''],
  },
  siteLink: {
    accepted: ['https://example.com', 'http://menu.example.com:8080/a?b', 'https://192.0.2.7/', 'https://EXAMPLE.com'],
    refused: [
      '',
      'example.com',
      'https://*.com',
      'https://com',
      'https://[::1]/',
      'https://user:pw@example.com',
      "https://x.com';reboot;'.com",
      'https://$(id).com',
      'ftp://example.com',
    ],
  },
  freeText: {
    accepted: [
      'Head Office',
      "O'Neill",
      'Müller',
      'Иванов',
      '12 Market Street, #3',
      '山田',
      'a—b',
      '138••••0000',
      'O\u2019Neill',
      '艾力·买买提',
      '总部\uff08北京\uff09',
      '1号楼、2号楼',
      '東京\u3000支店',
      '田中・花子',
    ],
    refused: ['', '   ', '<b>', 'a"b', 'a;b', 'a\tb', 'a\u202eb', 'a$b', '😀'],
  },
  printable: { accepted: ['a', 'Secret $1', '`~!"#$%'], refused: ['', 'Müller', '密码', 'a\tb', 'a\u00a0b'] },
  wifiKey: {
    accepted: ['Admin$12345', ' 8 signs', 'a&b"c\'d\\', 'x'.repeat(63), '0123456789abcdefABCDEF0123456789'.repeat(2)],
    refused: ['', 'seven 7', 'x'.repeat(64), '密码密码密码密码', 'Café 12345', 'tab\there 1'],
  },
  noSpecialCharacters: {
    accepted: ['', 'Hello-World_1.0', '你好,世界', 'a!@#~+:'],
    refused: [...'()[]{}%=?^\'"“”‘’;/\\ \t\n&*<>$|'].map((character) => `a${character}b`),
  },
  nameText: {
    accepted: ['Lobby-1', '大堂_AP,二楼.东', 'a—b–c', '大堂\uff0c二楼\u3002', '𠮷野家'],
    refused: ['a b', 'a/b', '<b>', 'a!b', 'é', 'a\n', ''],
  },
  ssid: {
    accepted: ['Cafe Guest', '咖啡馆_Guest!@#^()*', 'a', 'x'.repeat(32), `${'馆'.repeat(10)}ab`],
    refused: ['', 'x'.repeat(33), '馆'.repeat(11), 'a$b', 'a"b', 'a\tb', 'a\nb', 'a.b', '😀', '   ', '\u3000'],
  },
  mac: {
    accepted: ['', '00:1a:2B:3c:4D:5e', '00-1A-2B-3C-4D-5E'],
    refused: ['00:1a:2b:3c:4d', '00:1a:2b:3c:4d:5e:6f', '001a2b3c4d5e', '00:1a-2b:3c-4d:5e', 'g0:1a:2b:3c:4d:5e', ' '],
  },
  idCard: {
    accepted: ['110101900101001', '110101199001010011', '11010119900101001X', '11010119900101001x'],
    refused: ['1101011990010100', 'X10101199001010011', '11010190010100X', '11010119900101001XX', ''],
  },
  bankCard: {
    accepted: ['6222021234567890', '6222021234567890123', '6222 0212 3456 7890', '6222 0212 3456 7890 123'],
    refused: ['0222021234567890', '62220212345678', '622202123456789012', '6222-0212-3456-7890', ''],
  },
  subnet: {
    accepted: [
      '192.168.1.0/24',
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.1.1/32',
      '100.64.0.0/10',
      '192.168.1.128/25',
      '169.253.0.0/16',
    ],
    refused: [
      '192.168.1.1/24',
      '192.168.1.0',
      '192.168.1.0/7',
      '192.168.1.0/33',
      '192.168.01.0/24',
      '256.1.1.0/24',
      '169.254.0.0/16',
      '169.254.1.0/24',
      '0.0.0.0/8',
      '127.0.0.0/8',
      '224.0.0.0/8',
      '239.1.0.0/16',
      '1.2.3/24',
      '10.0.0.0/08',
      '10.0.0.0/8/8',
      ' 10.0.0.0/8',
      '10.0.0.0/8 ',
      '10.0.0.0/',
      '::/8',
      '',
    ],
  },
  noQuotes: { accepted: ['', 'plain text 中文 `'], refused: ["it's", '"a"', '“a”', '‘a’'] },
  portRange: {
    accepted: ['0', '1-8,10', '24,1-4', '48-48', '1-8,4'],
    refused: ['', 'x', '8-1', '1-', '-8', '1,,2', '1 - 8', '1，2', '1000', '1-8,', 'Ethernet1'],
  },
  timeBucket: {
    accepted: ['00:00-08:00', '23:59-00:00', '18:30-09:05'],
    refused: ['24:00-08:00', '8:00-09:00', '08:00', '08:60-09:00', '08:00 - 09:00', '08:00-09:00-10:00', ''],
  },
  withdrawalPassword: {
    accepted: ['000000', '123456'],
    refused: ['12345', '1234567', '12345a', '\uff11\uff12\uff13\uff14\uff15\uff16', ''],
  },
  required: { accepted: ['0', ' a'], refused: ['', '   ', '\n'] },
  email: {
    accepted: ['a@b.cn', 'first.last+tag@mail.example.com', "o'neil@example.org", 'x@xn--fiqs8s.xn--fiqs8s'],
    refused: [
      'a',
      'a@b',
      '@b.cn',
      'a@',
      'a b@c.cn',
      'a@b..cn',
      '.a@b.cn',
      'a.@b.cn',
      'a@-b.cn',
      `${'a'.repeat(65)}@b.cn`,
      `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.cn`,
      'a@b.cn\n',
      '',
    ],
  },
  url: {
    accepted: ['http://a.cn', 'https://例子.中国/path?q=1#x', 'http://192.168.1.1:8080/'],
    refused: [
      'a.cn',
      'ftp://a.cn',
      'javascript:alert(1)',
      'http://',
      'http:///a',
      'http://a b.cn',
      'https://a.cn:99999',
      '',
    ],
  },
  ip: {
    accepted: ['192.168.1.1', '0.0.0.0', '255.255.255.255', '::1', '2001:db8::1', '::ffff:1.2.3.4'],
    refused: ['256.1.1.1', '1.2.3', '01.2.3.4', '1.2.3.4/24', '2001:db8::1::2', 'g::1', ':::', ''],
  },
  integer: { accepted: ['0', '-12', '42'], refused: ['1.0', '+1', '1e3', ' 1', '--1', ''] },
  numeric: { accepted: ['0', '-1.5', '3.14'], refused: ['.5', '5.', '1,5', '1e3', 'NaN', ''] },
  image: {
    accepted: ['a.jpg', 'photo.PNG', 'x.y.gif', 'b.jpeg'],
    refused: ['a.svg', 'jpg', 'a.jpg.exe', '.png', 'a/.png', ''],
  },
};

const parametrised: Table[] = [
  { rule: generic.length(2, 4), accepted: ['ab', '中文', '😀😀😀😀'], refused: ['a', 'abcde', ''] },
  { rule: generic.tripleLength(3, 9), accepted: ['abc', '中', '中文字', '中文abc'], refused: ['ab', '中文字a', ''] },
  { rule: generic.minLength(3), accepted: ['abc', '中文字'], refused: ['ab', '😀😀', ''] },
  { rule: generic.maxLength(3), accepted: ['', 'abc', '😀😀😀'], refused: ['abcd'] },
  { rule: generic.minValue(5), accepted: ['5', '5.1'], refused: ['4.9', 'six', '-6', ''] },
  { rule: generic.maxValue(5), accepted: ['5', '-6'], refused: ['5.1', 'a', ''] },
  { rule: generic.between(1, 4094), accepted: ['1', '4094'], refused: ['0', '4095', 'x', ''] },
  { rule: generic.confirmed('abcd1234'), accepted: ['abcd1234'], refused: ['abcd123', 'ABCD1234', ''] },
  { rule: generic.digits(4), accepted: ['0000', '1234'], refused: ['123', '12345', '12a4', ''] },
  { rule: generic.decimal(2), accepted: ['1', '1.5', '-1.25'], refused: ['1.255', '1.', 'a', ''] },
  { rule: generic.decimal(0), accepted: ['1'], refused: ['1.0', ''] },
  {
    rule: generic.dateFormat('YYYY-MM-DD'),
    accepted: ['2024-02-29', '2000-02-29', '1999-12-31', '0096-02-29'],
    refused: [
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-04-31',
      '2024-04-00',
      '2024-4-1',
      '2024/04/01',
      '',
    ],
  },
  {
    rule: generic.dateFormat('YYYY-MM-DD HH:mm:ss'),
    accepted: ['2024-01-01 23:59:59'],
    refused: ['2024-01-01 24:00:00', '2024-01-01 00:60:00', '2024-01-01 00:00:60', '2024-01-01'],
  },
  { rule: generic.dateFormat('DD.MM.YYYY'), accepted: ['29.02.2024'], refused: ['29x02x2024', '02.29.2024'] },
  { rule: generic.dateFormat('HH:mm'), accepted: ['00:00'], refused: ['24:00', '00:00:00'] },
  {
    rule: generic.fileType(['xls', 'xlsx']),
    accepted: ['a.xls', 'B.XLSX'],
    refused: ['a.csv', 'xls', 'a.xls.txt', ''],
  },
  { rule: generic.fileSize(2048), accepted: ['0', '2097152'], refused: ['2097153', '-1', '1.5', 'x', ''] },
];

const tables: Table[] = [
  ...Object.entries(named).map(([key, table]) => ({ rule: rules[key as RuleKey], ...table })),
  ...parametrised,
];

describe('validation rules', () => {
  it.each(Object.keys(rules) as RuleKey[])('%s is filed under its own key', (key) => {
    expect(rules[key].key).toBe(key);
  });

  describe.each(tables)('$rule.key $rule.params', ({ rule, accepted, refused }) => {
    it.each(accepted)('accepts %j', (value) => {
      expect(rule.test(value)).toBe(true);
      expect(ruleErrorOf(rule, value)).toBeNull();
    });

    it.each(refused)('refuses %j with a text in every language', (value) => {
      expect(rule.test(value)).toBe(false);
      const error = ruleErrorOf(rule, value);
      for (const locale of locales) {
        const text = messageByKey(locale, error?.key ?? '', error?.params);
        expect(text).not.toBe(error?.key);
        expect(text).not.toMatch(/[{}]|undefined|NaN/);
        const own = text.replace(String(error?.params.character ?? ''), '');
        expect(/\p{Script=Han}/u.test(own)).toBe(locale === 'zh-CN');
      }
    });
  });

  it('answers any text without throwing, and twice the same', () => {
    const all = tables.map(({ rule }) => rule);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(...all), (value, rule) => {
        expect(rule.test(value)).toBe(rule.test(value));
        expect(ruleErrorOf(rule, value) === null).toBe(rule.test(value));
      }),
      { numRuns: 3000 },
    );
  });

  it('says what is wrong more exactly where it can', () => {
    expect(ruleErrorOf(rules.subnet, '192.168.1.77/24')).toEqual({
      key: 'validation.subnetHostBits',
      params: { canonical: '192.168.1.0/24' },
    });
    expect(ruleErrorOf(rules.subnet, '127.0.0.0/8')?.key).toBe('validation.subnetUnusable');
    expect(ruleErrorOf(rules.subnet, '169.254.1.1/16')?.key).toBe('validation.subnetUnusable');
    expect(ruleErrorOf(rules.ssid, '馆'.repeat(11))).toEqual({
      key: 'validation.ssidBytes',
      params: { bytes: 33, max: 32 },
    });
    expect(ruleErrorOf(rules.ssid, 'a$')).toEqual({ key: 'validation.ssid', params: { character: '$' } });
    expect(ruleErrorOf(rules.wifiKey, 'Admin12345\u202e')).toEqual({
      key: 'validation.printable',
      params: { character: 'U+202E' },
    });
    expect(ruleErrorOf(rules.mobile, '')?.key).toBe('validation.required');
  });
});
