import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { GateCheck } from './portal-access-points.ts';
import { Id, Nullable, Words } from './shapes.ts';

/** In the order of a guest's way. */
export const portalCheckSteps = ['capture', 'dns', 'port', 'garden', 'payment', 'messages', 'grant', 'radius'] as const;

/** `unneeded`: this gateway does not have the step. */
export const portalCheckStates = ['ok', 'wrong', 'unknown', 'unneeded'] as const;

export const portalFindings = [
  'fine',
  'unneeded',
  'page_off',
  'no_template',
  'unable',
  'not_in_force',
  'ranges_version',
  'range_outside',
  'ssid_lost',
  'range_of_ssid',
  'never_seen',
  'silent',
  'wrong_secret',
  'other_secret',
  'by_hand',
  'no_answer',
  'unresolved',
  'garden_cut',
  'address_moved',
  'settings_changed',
  'not_taken',
  'no_sign_in',
  'old_agent',
  'port_closed',
  'pay_no_name',
  'pay_closed',
  'pay_h5',
  'pay_jsapi',
  'pay_both',
  'sms_to_file',
  'mail_to_file',
  'no_nas',
  'nas_never',
  'nas_refused',
  'no_accounting',
  'no_redirect',
] as const;
export type PortalFinding = (typeof portalFindings)[number];

const Check = Type.Object({
  step: Words(portalCheckSteps),
  state: Words(portalCheckStates),
  finding: Words(portalFindings),
  name: Nullable(Type.String()),
});

export const check = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.read',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/portal/check',
  summary:
    'Walks a guest’s way through the portal of a network: capture, DNS, walled garden, payment, text messages and e-mail, grant, RADIUS. The Yunxun gateway resolves the names.',
  ownTransaction: true,
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    checks: Type.Array(Check),
    access_points: Type.Array(GateCheck),
    exempt: Type.Array(Type.Object({ device: Type.String(), remark: Nullable(Type.String()) })),
  }),
  example: ({ network: { gwid } }) => ({ gwid }),
});
