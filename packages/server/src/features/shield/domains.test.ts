import { expect, it } from 'vitest';
import { domainOfLink, parseList } from './domains.ts';

it('reads hosts files and plain domains, sorted and once', () => {
  const hosts = '# a list\n127.0.0.1 localhost\n::1 localhost.localdomain\n0.0.0.0 B.example a.example # two\r\n';
  expect(parseList(hosts)).toEqual(['a.example', 'b.example']);
  expect(parseList('b.example\r\n\r\na.example.\nb.example\n')).toEqual(['a.example', 'b.example']);
});

it.each([
  ['a web page', '<!doctype html>\n<title>Not found</title>\n<p>mail.example</p>\nexample.com\n'],
  ['nothing', '\n\n'],
  ['addresses', '192.0.2.1\n192.0.2.2\n'],
])('takes %s for no list', (_name, text) => {
  expect(parseList(text)).toBeNull();
});

it.each([
  ['https://Bank.example/login?next=a b', null],
  ['https://Bank.example:8443/login', 'bank.example'],
  ['*.cdn.example', 'cdn.example'],
  ['https://*.cdn.example/x', 'cdn.example'],
  ['支付.example', 'xn--bnq875c.example'],
  ['https://192.0.2.1/', null],
  ['ftp://files.example', null],
  ['intranet', null],
  ['javascript:alert(1)', null],
])('finds in %s the domain %s', (link, domain) => {
  expect(domainOfLink(link)).toBe(domain);
});
