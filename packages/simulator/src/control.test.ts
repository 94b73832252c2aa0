import { describe, expect, it } from 'vitest';
import { type Control, startControl } from './control.ts';
import type { Fleet } from './fleet.ts';
import { fleetFixture } from './fleet-fixture.ts';

const fixture = fleetFixture();
const { one } = fixture;

describe('the control endpoint', () => {
  const post = (url: string, body: unknown) => fetch(url, { method: 'POST', body: JSON.stringify(body) });

  it('lists devices and makes one fail', async () => {
    const { session, serial, fleet: started } = await one();
    const control = await controlOf(started);
    const list = (await (await fetch(`${control.url}/devices`)).json()) as { devices: { serial: string }[] };
    expect(list.devices).toEqual([expect.objectContaining({ serial, online: true, role: 'access-point' })]);
    const back = fixture.console.session(serial);
    const done = await post(`${control.url}/devices/${serial}/fault`, { fault: 'lose-link', seconds: 0.05 });
    expect(await done.json()).toEqual({ done: 'lose-link', devices: [serial] });
    await session.until(() => session.closed);
    await back;
  });

  it('sends the given messages, and enrols a device again', async () => {
    const { session, serial, fleet: started } = await one();
    const control = await controlOf(started);
    await post(`${control.url}/devices/${serial}/send`, { method: 'log', params: { log: 'hello', severity: 6 } });
    expect((await session.message('log')).params).toEqual({ serial, log: 'hello', severity: 6 });
    const back = fixture.console.session(serial);
    expect((await post(`${control.url}/devices/${serial}/enrol`, {})).status).toBe(200);
    await (await back).message('connect');
    expect(fixture.console.enrolments).toHaveLength(2);
  });

  it.each([
    ['/devices/000000000000/fault', { fault: 'hang' }, 404],
    ['/fault', { fault: 'explode' }, 400],
    ['/fault', 'nonsense', 400],
    ['/elsewhere', { fault: 'hang' }, 404],
    ['/fault', { fault: 'clear' }, 200],
  ])('%s %o answers %d', async (path, body, status) => {
    const { fleet: started } = await one();
    const control = await controlOf(started);
    expect((await post(`${control.url}${path}`, body)).status).toBe(status);
  });
});

async function controlOf(fleet: Fleet): Promise<Control> {
  const control = await startControl(() => [fleet]);
  fixture.onEnd(() => control.stop());
  return control;
}
