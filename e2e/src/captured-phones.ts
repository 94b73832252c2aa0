import { EdgeGatewayBox, type Fleet } from '@yunxun/simulator';

export type CapturedPhones = ReturnType<typeof capturedPhones>;

/** Invented phones behind the gateway of a fleet. */
export function capturedPhones({ devices }: Pick<Fleet, 'devices'>) {
  const gateway = devices.map(({ box }) => box).find((box) => box instanceof EdgeGatewayBox)!;
  const macOf = (number: number) => `02:00:00:00:64:${number.toString(16).padStart(2, '0')}`;
  return {
    macOf,
    redirect: (number: number, url = 'http://captive.test/') => gateway.redirect({ mac: macOf(number), number }, url),
    isIn: (number: number) =>
      gateway.state(Date.now()).yunxun.captive?.guests.some(({ mac }) => mac === macOf(number)) ?? false,
  };
}
