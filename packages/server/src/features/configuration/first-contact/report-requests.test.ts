import { describe, expect, it } from 'vitest';
import { DeviceOffline } from '../../../uplink/index.ts';
import { createReportRequests } from './report-requests.ts';

function fleet(answers: { script?: number; request?: number } = {}) {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  let together = 0;
  let max = 0;
  const answer = async <T>(way: string, value: T): Promise<T> => {
    asked.push(way);
    together += 1;
    max = Math.max(max, together);
    await new Promise<void>((resolve) => held.push(resolve));
    together -= 1;
    return value;
  };
  const requests = createReportRequests({
    commands: {
      script: () => answer('script', { exitCode: answers.script ?? 0, output: '' }),
      call: () => answer('request', { status: { error: answers.request ?? 0 } } as never),
    },
    retryAfter: [5, 5],
  });
  const release = async () => {
    while (held.length > 0) {
      for (const go of held.splice(0)) go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { requests, asked, release, most: () => max };
}

const device = (at = 0) => ({ accountId: 'a', serial: `9c${String(at).padStart(10, '0')}` });

describe('asking for a report', () => {
  it('takes the script of access points first, and the request of switches', async () => {
    const ap = fleet();
    const asked = ap.requests.once(device(), 'ap');
    await ap.release();
    expect([await asked, ap.asked]).toEqual([true, ['script']]);
    const other = fleet();
    const second = other.requests.once(device(), 'switch');
    await other.release();
    expect([await second, other.asked]).toEqual([true, ['request']]);
  });

  it('takes the other way where the first is refused', async () => {
    const { requests, asked, release } = fleet({ script: 127 });
    const accepted = requests.once(device(), 'ap');
    await release();
    expect([await accepted, asked]).toEqual([true, ['script', 'request']]);
  });

  it('is repeated the other way round while nothing comes, and ends', async () => {
    const { requests, asked, release } = fleet();
    requests.start(device(), 'ap');
    requests.start(device(), 'ap');
    await expect.poll(async () => release().then(() => asked.length)).toBe(3);
    expect(asked).toEqual(['script', 'request', 'script']);
  });

  it('ends when the report is here', async () => {
    const { requests, asked, release } = fleet();
    requests.start(device(), 'ap');
    requests.cancel(device());
    await release();
    requests.start(device(1), 'ap');
    await expect.poll(async () => release().then(() => asked.length)).toBe(4);
    expect(asked.filter((way) => way === 'script')).toHaveLength(3);
  });

  it('asks at most 32 devices of 10,000 at a time', async () => {
    const { requests, asked, release, most } = fleet();
    const all = Array.from({ length: 10_000 }, (_, at) => requests.once(device(at), 'ap'));
    await expect.poll(async () => release().then(() => asked.length)).toBe(10_000);
    await Promise.all(all);
    expect(most()).toBe(32);
  });

  it('says no for a device that is offline', async () => {
    const gone = () => Promise.reject(new DeviceOffline(device(), false));
    const requests = createReportRequests({ commands: { script: gone, call: gone } });
    expect(await requests.once(device(), 'ap')).toBe(false);
  });
});
