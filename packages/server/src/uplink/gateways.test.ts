import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bus, connectNats } from '../platform/bus/index.ts';
import { natsServer, startNats } from '../platform/bus/testing/nats-server.ts';
import { DeviceCommands, DeviceOffline } from './device-commands.ts';
import { connectDevice, type DeviceCredential, startTestUplink, type TestUplink } from './testing/harness.ts';

const until = (condition: () => boolean) => expect.poll(condition).toBe(true);

describe.skipIf(!natsServer && !process.env.CI)(
  'gateways over NATS (skipped where nats-server is not installed)',
  () => {
    let nats: Awaited<ReturnType<typeof startNats>>;
    let buses: Bus[];
    let one: TestUplink;
    let two: TestUplink;
    let console: DeviceCommands;
    let device: DeviceCredential;
    const ref = () => ({ accountId: one.accountId, serial: device.serial });

    beforeAll(async () => {
      nats = await startNats();
      buses = await Promise.all([1, 2, 3].map(() => connectNats({ url: nats.url, failed: () => undefined })));
      const [first, second, third] = buses as [Bus, Bus, Bus];
      one = await startTestUplink({ bus: first });
      two = await startTestUplink({ beside: one, bus: second, vouchEvery: 50 });
      console = new DeviceCommands(third);
      device = await one.enrol('903cb3000001');
    });
    afterAll(async () => {
      await one.stop();
      await two.stop();
      await Promise.all(buses.map((bus) => bus.close()));
      await nats.stop();
    });

    test('a command finds the device wherever its socket is, and says offline where it is nowhere', async () => {
      await expect(console.reboot(ref())).rejects.toThrow(DeviceOffline);
      for (const gateway of [one, two]) {
        const raw = await connectDevice(gateway, device, {}, until);
        raw.socket.on('message', (data) =>
          raw.reply(JSON.parse(String(data)).id, { serial: device.serial, status: { error: 0 } }),
        );
        await expect
          .poll(() =>
            console.reboot(ref()).then(
              () => 'answered',
              () => 'not yet',
            ),
          )
          .toBe('answered');
        raw.close();
        await until(() => gateway.uplink.sessions() === 0);
        await expect.poll(() => console.reboot(ref()).catch((error: unknown) => error)).toBeInstanceOf(DeviceOffline);
      }
    });

    test('a device that comes to another gateway leaves the first one', async () => {
      const before = await connectDevice(one, device, {}, until);
      const after = await connectDevice(two, device, {}, until);
      await until(() => before.closed !== null);
      expect(before.closed?.reason).toBe('taken-over');
      expect(after.closed).toBeNull();
      after.close();
      await until(() => two.uplink.sessions() === 0);
    });

    test('a gateway that lives is left alone, the links of one that is gone are closed by the others', async () => {
      const raw = await connectDevice(one, device, {}, until);
      const seen = two.calls.length;
      const mine = await connectDevice(two, await one.enrol('903cb3000002'), {}, until);
      await until(() => two.calls.slice(seen).some(({ what }) => what === 'seen'));
      expect(two.calls.slice(seen).filter(({ what }) => what === 'disconnected')).toEqual([]);
      await buses[0]?.close();
      await until(() =>
        two.calls.some((entry) => entry.what === 'disconnected' && entry.info.reason === 'process-gone'),
      );
      expect(two.calls.findLast(({ what }) => what === 'disconnected')).toMatchObject({
        device: { serial: device.serial },
      });
      raw.close();
      mine.close();
    });
  },
);
