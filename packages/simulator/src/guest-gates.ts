import { AccessPointBox } from './box/access-point.ts';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import type { CaptiveApi } from './captive-api.ts';
import type { Fleet } from './fleet.ts';
import type { Browser } from './guest-page.ts';
import type { Station } from './world/station.ts';
import { userAgentOf } from './world/user-agent.ts';

/** A station that a device redirects to the sign-in page. */
export interface CapturedGuest {
  serial: string;
  station: Station;
  redirect: string;
  api: CaptiveApi | null;
  /** Opens the addresses that the device itself answers, and all others as `open` does. */
  browser(open: Browser): Browser;
  /** Whether the device itself answers it. */
  isGate(url: string): boolean;
}

/** A gateway, or all access points of a site that let guests sign in. */
export interface GuestGate {
  captured(): Station[];
  /** Null: no longer captured. */
  guest(station: Station): CapturedGuest | null;
  /** Guests have to show themselves at each device to which they move. */
  ofEach: boolean;
}

const probe = 'http://connectivitycheck.gstatic.com/generate_204';

export function guestGates({ devices }: Pick<Fleet, 'devices'>): GuestGate[] {
  const boxes = devices.map(({ box }) => box);
  const edges = boxes.filter((box) => box instanceof EdgeGatewayBox);
  const spots = boxes.filter((box) => box instanceof AccessPointBox);
  return [...edges.map(edgeGate), ...(spots.length > 0 ? [spotGate(spots)] : [])];
}

/** Guests who are captured and have not signed in. */
export const capturedGuests = (fleet: Pick<Fleet, 'devices'>): CapturedGuest[] =>
  guestGates(fleet).flatMap((gate) =>
    gate
      .captured()
      .filter(({ person }) => person.habit.comesAndGoes)
      .flatMap((station) => gate.guest(station) ?? []),
  );

const as =
  (station: Station) =>
  (open: Browser): Browser =>
  (url, form) =>
    open(url, form, userAgentOf(station));

const edgeGate = (box: EdgeGatewayBox): GuestGate => ({
  captured: () => box.captured(),
  ofEach: false,
  guest(station) {
    const redirect = box.redirect(station, probe);
    if (redirect === null) return null;
    const api = box.captiveApi(station);
    return { serial: box.serial, station, redirect, api, browser: as(station), isGate: () => false };
  },
});

const spotGate = (boxes: readonly AccessPointBox[]): GuestGate => ({
  captured: () => boxes.flatMap((box) => box.captured()),
  ofEach: true,
  guest(station) {
    const box = boxes.find(({ serial }) => serial === station.association?.bss.serial);
    const [uspot, client] = [box?.uspot, box?.spotClient(station)];
    const redirect = uspot && client ? uspot.redirect(client) : null;
    if (!box || !uspot || !client || redirect === null) return null;
    const isGate = (url: string) => uspot.serves(url);
    const browser = (open: Browser): Browser => {
      const own = as(station)(open);
      return async (url, form) => (isGate(url) ? own(await uspot.visit(client, url)) : own(url, form));
    };
    return { serial: box.serial, station, redirect, api: null, browser, isGate };
  },
});
