import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('settings', () => {
  it('have defaults that start everything on this machine', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ httpPort: 8080, devicePort: 15002, portalPort: 8081, deviceHost: 'localhost' });
    expect(config.publicUrl).toBe('http://localhost:8080');
    expect(config.roles).toContain('gateway');
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
    ['YUNXUN_PUBLIC_URL', 'console.example.org'],
    ['YUNXUN_PUBLIC_URL', 'ftp://console.example.org'],
    ['YUNXUN_DEVICE_HOST', 'two words'],
    ['YUNXUN_DATABASE_URL', 'mysql://localhost/x'],
    ['YUNXUN_BUS_URL', 'http://localhost'],
    ['YUNXUN_ROLES', 'console,gatway'],
    ['YUNXUN_TLS_CERT', '/etc/cert.pem'],
    ['YUNXUN_HTPP_PORT', '80'],
  ])('stop the start with a sentence that names %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(name.replace('YUNXUN_TLS_CERT', 'YUNXUN_TLS_KEY')));
  });
});
