import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { newSsid, type SsidDraft } from './draft.ts';
import { extraErrors, extrasOf, SsidExtras, typedExtras } from './ssid-extras.tsx';

beforeAll(() => install('en', en));

const none = () => {};

/** Texts before and within "Advanced". */
function shown(part: Partial<SsidDraft>, wrong = {}): [outside: string, inside: string] {
  const ssid = { ...newSsid(), ...part };
  const html = renderToStaticMarkup(
    <SsidExtras ssid={ssid} typed={typedExtras(ssid)} wrong={wrong} more={null} onType={none} onSwitch={none} />,
  );
  const at = html.indexOf('<details');
  return at < 0 ? [html, ''] : [html.slice(0, at), html.slice(at)];
}

test('shows what an SSID uses, and the rest under "Advanced"', () => {
  const [outside, inside] = shown({ vlan: 20, isolate: true });
  expect(outside).toContain('VLAN');
  expect(outside).toContain('Keep clients apart');
  expect(outside).not.toContain('Maximum clients');
  expect(inside).toContain('Maximum clients');
  expect(inside).toContain('Hide SSID');
  expect(inside).not.toContain('<details class="advanced" open');
});

test('opens "Advanced" for an error in it', () => {
  expect(shown({}, { up_mbps: 'Wrong' })[1]).toContain('<details class="advanced" open');
});

test('takes an empty field as none, and refuses values beyond the limits', () => {
  const typed = { ...typedExtras(newSsid()), vlan: '1', maximum_clients: '64' };
  expect(extraErrors(typed)).toMatchObject({
    vlan: 'Must be between 2 and 4050',
    maximum_clients: null,
    up_mbps: null,
  });
  expect(extrasOf(typed)).toEqual({ vlan: 1, maximum_clients: 64, down_mbps: null, up_mbps: null });
});
