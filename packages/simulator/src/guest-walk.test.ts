import { ManualClock } from '@yunxun/edge';
import { expect, it } from 'vitest';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import type { SimulatedDevice } from './device.ts';
import { startGuests } from './guest-walk.ts';

it('logs with its cause, and once, that the portal cannot be reached', async () => {
  const clock = new ManualClock(0);
  let walks = 0;
  const box = Object.assign(Object.create(EdgeGatewayBox.prototype) as EdgeGatewayBox, {
    captured: () => [{ number: walks, person: { habit: { comesAndGoes: true } } }],
    redirect: () => {
      walks += 1;
      // `fetch` refuses this port
      return 'http://127.0.0.1:9/';
    },
  });
  const lines: string[] = [];
  const end = startGuests(
    { devices: [{ box } as unknown as SimulatedDevice] },
    {
      ...{ perMinute: 60, language: 'en', password: '', vouchers: [], accounts: [], clock },
      log: (line) => lines.push(line),
    },
  );
  await expect.poll(() => lines).toHaveLength(1);
  clock.advance(3000);
  expect(walks).toBe(4);
  // the last walk has failed too
  await expect(fetch('http://127.0.0.1:9/')).rejects.toThrow();
  expect(lines).toEqual(['guest: TypeError: fetch failed: bad port']);
  end();
});
