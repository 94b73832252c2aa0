import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { readTileAddress } from './tile-address.ts';

describe('settings', () => {
  it('have defaults that start everything on this machine', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ httpPort: 8080, devicePort: 15002, portalPort: 8081, deviceHost: 'localhost' });
    expect(config).toMatchObject({ remotePort: 5912, remotePortIsChosen: false });
    expect(config.publicUrl).toBe('http://localhost:8080');
    expect(config.roles).toContain('gateway');
  });

  it('switch RADIUS off by 0, and tell a chosen port from a default one', () => {
    expect(readConfig({})).toMatchObject({ radiusAuthPort: { port: 1812, isChosen: false } });
    const config = readConfig({ YUNXUN_RADIUS_AUTH_PORT: '1645', YUNXUN_RADIUS_ACCT_PORT: '0' });
    expect(config).toMatchObject({ radiusAuthPort: { port: 1645, isChosen: true }, radiusAcctPort: null });
  });

  it('take the device host from the public address', () => {
    expect(readConfig({ YUNXUN_PUBLIC_URL: 'https://Console.Example.org/' })).toMatchObject({
      publicUrl: 'https://console.example.org',
      deviceHost: 'console.example.org',
    });
  });

  it.each([
    ['YUNXUN_HTTP_PORT', '99999'],
    ['YUNXUN_HTTP_PORT', 'eighty'],
    ['YUNXUN_DEVICE_PORT', '-1'],
    ['YUNXUN_REMOTE_PORT', '5912a'],
    ['YUNXUN_REMOTE_ADDRESS', 'gateway 2'],
    ['YUNXUN_PUBLIC_URL', 'console.example.org'],
    ['YUNXUN_PUBLIC_URL', 'ftp://console.example.org'],
    ['YUNXUN_DEVICE_HOST', 'two words'],
    ['YUNXUN_DATABASE_URL', 'mysql://localhost/x'],
    ['YUNXUN_BUS_URL', 'http://localhost'],
    ['YUNXUN_ROLES', 'console,gatway'],
    ['YUNXUN_ROLES', 'portal,radius'],
    ['YUNXUN_ADMIN_EMAIL', 'notmail'],
    ['YUNXUN_PUBLIC_URL', 'https://console.example.org/yunxun'],
    ['YUNXUN_BUS_URL', 'nats://one:4222,http://two:4222'],
    ['YUNXUN_ROLES', 'console'],
    ['YUNXUN_ADMIN_EMAIL', 'boss'],
    ['YUNXUN_DEVICE_CLIENT_CAS', '/nowhere/ca.pem'],
    ['YUNXUN_DEVICE_CLIENT_CAS', import.meta.filename],
    ['YUNXUN_TLS_CERT', '/etc/cert.pem'],
    ['YUNXUN_HTPP_PORT', '80'],
    ['YUNXUN_TRUSTED_PROXIES', 'proxy.example.org'],
    ['YUNXUN_TRUSTED_PROXIES', '0.0.0.0/0'],
    ['YUNXUN_TRUSTED_PROXIES', '10.0.0.1/33'],
    ['YUNXUN_TRUSTED_PROXIES', '10.0.0.1,'],
    ['YUNXUN_TRUSTED_PROXIES', '10.0.0.1,none'],
    ['YUNXUN_DISK_RESERVE', '256 MB'],
    ['YUNXUN_DISK_RESERVE', '-1'],
    ['YUNXUN_SMTP_PRIVATE', '1'],
    ['YUNXUN_BUS_CA', '/nowhere/ca.pem'],
    ['YUNXUN_METRICS_TOKEN', 'short'],
    ['YUNXUN_METRICS_TOKEN', 'long enough but it has spaces in it'],
    ['YUNXUN_MAP_ATTRIBUTION', '© Survey'],
    ['YUNXUN_MAP_TILES', 'https://tiles.example.org/{z}/{x}.png'],
    ['YUNXUN_MAP_TILES', 'https://tiles.example.org/{z}/{x}/{y}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'https://{s}.example.org/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'https://tiles{z}.example.org/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'https://tiles.example.org:{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'https://me:secret@tiles.example.org/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'ftp://tiles.example.org/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'tiles/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', '//tiles.example.org/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', '/\\tiles.example.org/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', '/\t/tiles.example.org/{z}/{x}/{y}.png'],
    // a content security policy reads these as more than one origin
    ['YUNXUN_MAP_TILES', 'https://*/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'https://*.example.org/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', "https://tiles.example.org;script-src'self'/{z}/{x}/{y}.png"],
    ['YUNXUN_MAP_TILES', 'https://tiles.example.org,other.example.org/{z}/{x}/{y}.png'],
    ['YUNXUN_MAP_TILES', 'https://[2001:db8::1]/{z}/{x}/{y}.png'],
  ])('stop the start with a sentence that names %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(name.replace('YUNXUN_TLS_CERT', 'YUNXUN_TLS_KEY')));
  });

  it.each([
    ['https://Tiles.example.org/{z}/{x}/{y}.png', 'https://tiles.example.org'],
    ['https://tiles.example.org:443/{z}/{x}/{y}.png', 'https://tiles.example.org'],
    ['http://192.0.2.7:8088/wmts?m={z}&row={y}&col={x}', 'http://192.0.2.7:8088'],
    ['/tiles/{z}/{x}/{y}.webp', null],
  ])('take the tiles of a map from %s', (url, origin) => {
    const config = readConfig({ YUNXUN_MAP_TILES: url, YUNXUN_MAP_ATTRIBUTION: '© Survey' });
    expect(config.mapTiles).toEqual({ url, attribution: '© Survey' });
    expect(readTileAddress(url, config.publicUrl)).toEqual({ origin });
  });

  it('refuse tiles over http where the console is opened over https, and an attribution that would cover the map', () => {
    const tiles = { YUNXUN_MAP_TILES: 'http://tiles.example.org/{z}/{x}/{y}.png' };
    expect(readConfig(tiles).mapTiles).toMatchObject({ attribution: '' });
    const https = { YUNXUN_PUBLIC_URL: 'https://console.example.org' };
    expect(() => readConfig({ ...tiles, ...https })).toThrow(/YUNXUN_MAP_TILES must be https/);
    expect(() => readConfig({ ...tiles, YUNXUN_MAP_ATTRIBUTION: 'x'.repeat(201) })).toThrow(/200 characters/);
  });

  it('name the file of a certificate that cannot be read, and say what holds none', () => {
    const files = (cert: string, key: string) => () => readConfig({ YUNXUN_TLS_CERT: cert, YUNXUN_TLS_KEY: key });
    expect(files('/nowhere/cert.pem', import.meta.filename)).toThrow(/YUNXUN_TLS_CERT .*\/nowhere\/cert\.pem/);
    expect(files(import.meta.filename, '/nowhere/key.pem')).toThrow(/YUNXUN_TLS_KEY .*\/nowhere\/key\.pem/);
    expect(files(import.meta.filename, import.meta.filename)).toThrow(ConfigError);
  });

  it.each([
    [undefined, ['loopback']],
    ['none', []],
    ['10.0.0.5, 192.0.2.0/24,2001:db8::/32,loopback', ['10.0.0.5', '192.0.2.0/24', '2001:db8::/32', 'loopback']],
  ])('take the proxies of %s', (text, trusted) => {
    expect(readConfig({ YUNXUN_TRUSTED_PROXIES: text }).trustedProxies).toEqual(trusted);
  });

  it('take parts of the program apart when they share a database and a bus', () => {
    const shared = { YUNXUN_DATABASE_URL: 'postgres://x@db/y', YUNXUN_BUS_URL: 'nats://one:4222, nats://two:4222' };
    expect(readConfig({ ...shared, YUNXUN_ROLES: 'gateway' })).toMatchObject({
      roles: ['gateway'],
      busUrl: 'nats://one:4222,nats://two:4222',
    });
    expect(readConfig({ YUNXUN_ROLES: 'worker,console, gateway' }).roles).toHaveLength(3);
  });
});
