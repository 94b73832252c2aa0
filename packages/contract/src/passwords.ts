import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Name } from './fleet-shapes.ts';
import { Email } from './identity-shapes.ts';
import { jobStatuses } from './jobs.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'write' } as const;
const pushes = { ...writes, effect: 'device' } as const;
const of = { id: 'password' } as const;
/** Null: no access point. */
const Pushed = Type.Object({ job_id: Nullable(Id) });

export const passwordCycles = ['daily', 'weekly', 'monthly'] as const;
export const passwordCharsets = ['digits', 'letters', 'mixed'] as const;
/** With prefix; common to all months; per rule. */
export const passwordLimits = {
  length: { min: 8, max: 32 },
  /** Least random characters after the prefix. */
  random: 6,
  prefix: 16,
  quiet: 6,
  emails: 10,
  monthDay: { min: 1, max: 28 },
} as const;

const Clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', hint: 'timeOfDay' });

export const PasswordPlan = Type.Object({
  cycle: Words(passwordCycles),
  /** Weekly: 1 is Monday. */
  weekday: Type.Integer({ minimum: 1, maximum: 7 }),
  month_day: Type.Integer({ minimum: passwordLimits.monthDay.min, maximum: passwordLimits.monthDay.max }),
  at: Clock,
  length: Type.Integer({ minimum: passwordLimits.length.min, maximum: passwordLimits.length.max }),
  charset: Words(passwordCharsets),
  /** Wi-Fi password characters, or empty. */
  prefix: Type.String({
    pattern: '^[A-Za-z0-9!@#^*()[\\]{}_+=.?<>:~-]*$',
    hint: 'keyCharacters',
    maxLength: passwordLimits.prefix,
  }),
  /** `09:00-18:00`; due changes run at its end. */
  quiet: Type.Array(Type.String({ rule: 'timeBucket' }), { maxItems: passwordLimits.quiet, uniqueItems: true }),
  /** Account message without the password. */
  notify: Type.Boolean(),
  /** The mail contains the password. */
  emails: Type.Array(Email, { maxItems: passwordLimits.emails, uniqueItems: true }),
});
export type PasswordPlan = Static<typeof PasswordPlan>;

const given = {
  name: Name,
  gwids: Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true }),
  ssid: Type.String({ rule: 'ssid' }),
  plan: PasswordPlan,
};

const usual = (): PasswordPlan => ({
  cycle: 'weekly',
  weekday: 1,
  month_day: 1,
  at: '04:00',
  length: 10,
  charset: 'mixed',
  prefix: '',
  quiet: ['09:00-18:00'],
  notify: true,
  emails: ['shop@example.org'],
});

export const passwordList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/ac_password/rule/list',
  summary: 'Rules that change the passwords of SSIDs; the passwords themselves are not given out.',
  body: ListQuery(['name', 'next_at'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      ...given,
      paused: Type.Boolean(),
      networks: Type.Array(Type.String()),
      devices: Type.Integer(),
      /** The networks have no protected SSID of this name. */
      ssid_gone: Type.Boolean(),
      next_at: Nullable(Time),
      changed_at: Nullable(Time),
      /** Push job of the last change. */
      last_job: Nullable(Type.Object({ id: Id, status: Words(jobStatuses) })),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const passwordSsids = endpoint({
  ...reads,
  object: { gwids: 'network' },
  path: '/api/v3/ac_password/ssids',
  bodyBytes: 40 * 1024,
  summary: 'SSIDs with a password that are sent out in the networks.',
  body: Type.Object({ gwids: Type.Array(Id, { minItems: 1, maxItems: 1000 }) }),
  data: Type.Object({ list: Type.Array(Type.String()) }),
  example: (seed) => ({ gwids: [seed.network.gwid] }),
});

export const passwordCreate = endpoint({
  ...pushes,
  object: { gwids: 'network' },
  path: '/api/v3/ac_password/rule/create',
  bodyBytes: 48 * 1024,
  summary:
    'Makes a rule and its first password, and brings that to the devices; 4105 when the name is taken, 4109 when another rule changes the same SSID there.',
  body: Type.Object(given),
  data: Type.Object({ id: Id, job_id: Nullable(Id) }),
  example: (seed) => ({ name: 'Staff', gwids: [seed.passwordNetwork.gwid], ssid: 'Staff', plan: usual() }),
});

export const passwordUpdate = endpoint({
  ...writes,
  object: { ...of },
  path: '/api/v3/ac_password/rule/update',
  summary:
    'Changes when and how a rule makes passwords; a field that is left out stays, and so does the password in force.',
  body: Type.Object({ id: Id, name: Type.Optional(Name), plan: Type.Optional(Type.Partial(PasswordPlan)) }),
  data: Empty,
  example: (seed) => ({ id: seed.password.id, name: 'Guests-2', plan: usual() }),
});

export const passwordPause = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/ac_password/rule/pause',
  summary: 'Stops a rule from changing the password by itself, or lets it go on.',
  body: Type.Object({ id: Id, paused: Type.Boolean() }),
  data: Empty,
  example: (seed) => ({ id: seed.password.id, paused: true }),
});

export const passwordRotate = endpoint({
  ...pushes,
  object: of,
  path: '/api/v3/ac_password/rule/rotate',
  summary: 'Changes the password now and brings it to the devices, whatever the hour.',
  body: Type.Object({ id: Id }),
  data: Pushed,
  example: (seed) => ({ id: seed.password.id }),
});

export const passwordDelete = endpoint({
  ...pushes,
  object: of,
  path: '/api/v3/ac_password/rule/delete',
  summary: 'Deletes a rule with its history; the SSID gets the password of its own settings back.',
  body: Type.Object({ id: Id }),
  data: Pushed,
  example: (seed) => ({ id: seed.password.id }),
});

export const passwordHistory = endpoint({
  ...reads,
  object: of,
  path: '/api/v3/ac_password/rule/history',
  summary: 'Passwords of a rule, newest first, with when each was valid; not what they are.',
  body: Type.Object({ id: Id }),
  data: ListOf(
    Type.Object({
      seq: Type.Integer(),
      valid_from: Time,
      valid_to: Nullable(Time),
      cause: Words(['plan', 'hand', 'made']),
      made_by: Type.String(),
    }),
  ),
  example: (seed) => ({ id: seed.password.id }),
});

export const passwordReveal = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/ac_password/rule/reveal',
  summary: 'Shows a password of a rule, the one in force without `seq`; the operation log records the view.',
  body: Type.Object({ id: Id, seq: Type.Optional(Type.Integer({ minimum: 1 })) }),
  data: Type.Object({
    ssid: Type.String(),
    password: Type.String(),
    valid_from: Time,
    valid_to: Nullable(Time),
    /** In one of the networks. */
    hidden: Type.Boolean(),
    /** In all networks. */
    wpa3_only: Type.Boolean(),
  }),
  example: (seed) => ({ id: seed.password.id }),
});
