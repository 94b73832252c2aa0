import { expect, it } from 'vitest';
import { uam } from '../adapters/uam.ts';
import { contentWith, newClient, uamRedirect } from '../testing/guest.ts';
import { gatewaySettings } from './gateway-settings.ts';

const site = { gateway: 'uam' as const, key: 'k'.repeat(22) };
const captiveOf = (auth: number | null) =>
  JSON.parse(
    gatewaySettings('https://guests.example.org', site, 's', null, {
      radius: { host: 'radius.example.org', auth, acct: 1646 },
      addresses: [],
    }),
  ).services.captive;

it('names the RADIUS server by its own address and ports, or says that it is off', () => {
  expect(captiveOf(1645)).toMatchObject({
    'auth-server': 'radius.example.org',
    'auth-port': 1645,
    'acct-server': 'radius.example.org',
    'acct-port': 1646,
    'acct-interval': 300,
  });
  expect(captiveOf(null)).toMatchObject({ 'auth-server': '<RADIUS is switched off>', 'auth-port': null });
});

const whitelist = [
  'https://Shop.example.com/a?b',
  'http://menu.example.org:8080',
  'https://192.0.2.9/x',
  'https://shop.example.com',
];
const listed = contentWith([], { whitelist: whitelist.map((link) => ({ name: 'Link', link })) });
const radius = { host: 'radius.example.org', auth: 1645, acct: 1646 };
const known = { radius, addresses: ['198.51.100.7'] };
const openNds = (origin: string, addresses: readonly string[]) =>
  gatewaySettings(origin, { ...site, gateway: 'opennds_3' }, 's', listed, { radius, addresses });

it('opens the hosts of the whitelist on openNDS, each name once, for HTTPS only', () => {
  const settings = gatewaySettings('https://guests.example.org', { ...site, gateway: 'opennds_3' }, 's', listed, known);
  expect(settings.split('\n').filter((line) => line.includes('walledgarden'))).toEqual([
    'uci -q delete opennds.@opennds[0].walledgarden_fqdn_list',
    'uci -q delete opennds.@opennds[0].walledgarden_port_list',
    "uci add_list opennds.@opennds[0].walledgarden_fqdn_list='menu.example.org'",
    "uci add_list opennds.@opennds[0].walledgarden_fqdn_list='shop.example.com'",
    "uci add_list opennds.@opennds[0].walledgarden_port_list='443'",
  ]);
});

it('names the address of the page beside its name, which openNDS up to 10.1 does not look up', () => {
  expect(openNds('https://guests.example.org', ['198.51.100.7'])).toContain(
    "fasremoteip='198.51.100.7'\nuci set opennds.@opennds[0].fasremotefqdn='guests.example.org'",
  );
  const literal = openNds('http://192.0.2.7:8081', ['192.0.2.7']);
  expect(literal).toContain("fasremoteip='192.0.2.7'");
  expect(literal).not.toContain('fasremotefqdn=');
  expect(openNds('https://guests.example.org', [])).toContain("fasremoteip='<IPv4 address of guests.example.org>'");
});

it('opens a page with several addresses by its name too, but never port 80', () => {
  const several = ['198.51.100.7', '198.51.100.8'];
  const garden = (origin: string) =>
    openNds(origin, several)
      .split('\n')
      .filter((line) => /add_list.*(guests\.example\.org|port_list)/.test(line))
      .map((line) => /'(.*)'/.exec(line)![1]);
  expect(garden('https://guests.example.org:8443')).toEqual(['guests.example.org', '443', '8443']);
  expect(garden('http://guests.example.org')).toEqual(['guests.example.org', '443']);
});

it('opens the hosts of the whitelist on UAM, beside the page itself', () => {
  const { captive } = JSON.parse(gatewaySettings('https://guests.example.org', site, 's', listed, known)).services;
  expect(captive).toMatchObject({
    'walled-garden-fqdn': ['guests.example.org', 'menu.example.org', 'shop.example.com'],
    'walled-garden-ipaddr': ['192.0.2.9'],
  });
});

it.each(['http://guests.example.org:80', 'https://guests.example.org:443', 'https://guests.example.org'])(
  'verifies a redirect that was signed for %s',
  (origin) => {
    const address = uamRedirect(`${origin}/p/key/uam`, newClient(), 's');
    const url = address.slice(origin.length);
    const query = new URLSearchParams(url.slice(url.indexOf('?')));
    expect(uam.arrival({ url, host: 'guests.example.org', query }, 's')?.verified).toBe(true);
  },
);
