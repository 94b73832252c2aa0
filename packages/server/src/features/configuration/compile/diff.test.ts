import { describe, expect, it } from 'vitest';
import { diff } from './diff.ts';
import { compile } from './index.ts';
import { masked } from './mask.ts';
import { input, ssid } from './testing/samples.ts';

const documentOf = (...ssids: ReturnType<typeof ssid>[]) => compile(input({ ssids })).document;

describe('the difference between two documents', () => {
  it('shows a renamed SSID as renamed', () => {
    expect(diff(documentOf(ssid()), documentOf(ssid({ name: 'Café'.replace('é', 'e') })))).toEqual([
      { path: '/interfaces/WAN/ssids/Lobby/name', before: 'Lobby', after: 'Cafe' },
    ]);
  });

  it('is not moved by an SSID in front', () => {
    const changes = diff(documentOf(ssid()), documentOf(ssid({ id: 'b', name: 'Guest', security: 'open' }), ssid()));
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ path: '/interfaces/WAN/ssids/Guest', before: null, after: { name: 'Guest' } });
  });

  it('says that a key changed, and neither key', () => {
    const changes = diff(documentOf(ssid()), documentOf(ssid({ key: 'goodbye-2026' })));
    expect(changes).toEqual([{ path: '/interfaces/WAN/ssids/Lobby/encryption/key', before: masked, after: masked }]);
  });

  it('masks keys in added sections', () => {
    const shown = JSON.stringify(diff(null, documentOf(ssid())));
    expect(shown).toContain('Lobby');
    expect(shown).not.toContain('welcome-2026');
  });

  it('writes a slash in a name so that the path stays one', () => {
    expect(diff({ a: [{ name: 'x/y', v: 1 }] }, { a: [{ name: 'x/y', v: 2 }] })[0]?.path).toBe('/a/x~1y/v');
  });
});
