import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Name } from './fleet-shapes.ts';
import {
  GuestLimits,
  MethodSecrets,
  MethodSettings,
  PortalContent,
  PortalHours,
  PortalPage,
  portalAway,
  portalLimits,
  portalMethods,
} from './portal-shapes.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export * from './portal-shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'write' } as const;
const of = { id: 'portal_template' } as const;

/** `changed`: differs from the published version. */
export const portalStatuses = ['draft', 'published', 'changed'] as const;
export type PortalStatus = (typeof portalStatuses)[number];

export const pictureSlots = ['logo', 'background', 'carousel', 'countdown'] as const;
export type PictureSlot = (typeof pictureSlots)[number];

export const pictureLimits = {
  /** Of a side, and of all frames together. */
  side: 8000,
  pixels: 24_000_000,
  perAccount: 200,
  templates: 200,
} as const;

export const pictureBytes = (slot: PictureSlot): number =>
  slot === 'carousel' ? portalLimits.carouselImageBytes : portalLimits.imageBytes;

/** A missing password or secret keeps the stored one; neither is ever returned. */
const MethodInput = Type.Object({
  kind: Words(portalMethods),
  ...GuestLimits.properties,
  ...MethodSettings.properties,
  ...MethodSecrets.properties,
});
const MethodShown = Type.Object({
  kind: Words(portalMethods),
  ...GuestLimits.properties,
  ...MethodSettings.properties,
  /** False for methods without a password of the template. */
  password_set: Type.Boolean(),
  secret_set: Type.Boolean(),
});
export type PortalMethodShown = Static<typeof MethodShown>;

const { page, whitelist, jump, hours, away, remember_days } = PortalContent.properties;
const DraftInput = {
  methods: Type.Array(MethodInput, { minItems: 1, maxItems: portalLimits.methods }),
  page,
  /** A block without a picture is refused. */
  show: Type.Optional(Type.Array(Words(pictureSlots), { maxItems: pictureSlots.length, uniqueItems: true })),
  whitelist,
  jump,
  hours,
  away,
  remember_days,
};
const DraftShown = {
  methods: Type.Array(MethodShown),
  page: PortalPage,
  whitelist,
  jump,
  remember_days,
  hours: Type.Array(PortalHours),
  away: Words(portalAway),
};

/** `url` needs no sign-in. */
const Picture = Type.Object({ id: Id, url: Type.String(), bytes: Type.Integer() });
export type PortalPicture = Static<typeof Picture>;

const Site = Type.Object({ gwid: Id, name: Type.String() });
const Revision = Type.Integer({ minimum: 1 });

const limits = { minutes: 240, times_per_day: 0, up_kbps: 0, down_kbps: 0, devices: 1 };
const content = () => ({
  methods: [
    { kind: 'one_click' as const, ...limits },
    { kind: 'password' as const, ...limits, password: 'welcome-2026' },
  ],
  page: {
    title: { zh: '欢迎光临', en: 'Welcome' },
    logo: null,
    background: null,
    carousel: [],
    countdown: null,
    text: { zh: '', en: '' },
    terms: { zh: '请遵守法律法规', en: 'Please keep the law' },
    colour: '#1264d8',
  },
  whitelist: [{ name: 'Menu', link: 'https://menu.example.org' }],
  jump: '',
  remember_days: 7,
});

export const list = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/auth_template/list',
  summary: 'Portal templates with their draft page and the networks that use them.',
  body: ListQuery(['name', 'updated_at', 'networks'], { status: Type.Optional(Words(portalStatuses)) }),
  data: ListOf(
    Type.Object({
      id: Id,
      name: Type.String(),
      methods: Type.Array(Words(portalMethods)),
      status: Words(portalStatuses),
      /** Published; null before the first. */
      version: Nullable(Type.Integer()),
      revision: Revision,
      networks: Type.Integer(),
      page: PortalPage,
      pictures: Type.Array(Picture),
      updated_at: Time,
      updated_by: Type.String(),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const detail = endpoint({
  ...reads,
  object: of,
  path: '/api/v3/auth_template/detail',
  summary: 'The draft of a portal template, or a published version of it; passwords are not given out.',
  body: Type.Object({ id: Id, version: Type.Optional(Type.Integer({ minimum: 1 })) }),
  data: Type.Object({
    id: Id,
    name: Type.String(),
    status: Words(portalStatuses),
    version: Nullable(Type.Integer()),
    /** Of the draft; a save must name it. */
    revision: Revision,
    ...DraftShown,
    pictures: Type.Array(Picture),
    networks: Type.Array(Site),
    updated_at: Time,
    updated_by: Type.String(),
  }),
  example: (seed) => ({ id: seed.portalTemplate.id }),
});

export const create = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/auth_template/create',
  bodyBytes: 112 * 1024,
  summary: 'Makes a portal template; 4105 when its name is taken. Guests get it once it is published.',
  body: Type.Object({ name: Name, ...DraftInput }),
  data: Type.Object({ id: Id, revision: Revision }),
  example: () => ({ name: 'Lobby', ...content() }),
});

export const save = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/auth_template/save',
  bodyBytes: 112 * 1024,
  summary: 'Saves the draft of a portal template; 4104 when `revision` is no longer the newest.',
  body: Type.Object({ id: Id, revision: Revision, name: Name, ...DraftInput }),
  data: Type.Object({ revision: Revision }),
  example: (seed) => ({ id: seed.portalTemplate.id, revision: 2, name: 'Cafe-2', ...content() }),
});

export const publish = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/auth_template/publish',
  summary: 'Publishes the draft: guests of the networks that use the template see it from then on.',
  body: Type.Object({ id: Id, revision: Revision }),
  data: Type.Object({ version: Type.Integer(), networks: Type.Integer() }),
  example: (seed) => ({ id: seed.portalTemplate.id, revision: 2 }),
});

export const versions = endpoint({
  ...reads,
  object: of,
  path: '/api/v3/auth_template/versions',
  summary: 'Published versions of a portal template, newest first.',
  body: Type.Object({ id: Id }),
  data: ListOf(Type.Object({ version: Type.Integer(), created_at: Time, created_by: Type.String() })),
  example: (seed) => ({ id: seed.portalTemplate.id }),
});

export const restore = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/auth_template/restore',
  summary: 'Makes a published version the draft, its password included; nothing is published by that.',
  body: Type.Object({ id: Id, revision: Revision, version: Type.Integer({ minimum: 1 }) }),
  data: Type.Object({ revision: Revision }),
  example: (seed) => ({ id: seed.portalTemplate.id, revision: 2, version: 1 }),
});

export const copy = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/auth_template/copy',
  summary: 'Makes a portal template from the draft of another, its password included.',
  body: Type.Object({ id: Id, name: Name }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({ id: seed.portalTemplate.id, name: 'Cafe-copy' }),
});

export const remove = endpoint({
  ...writes,
  object: of,
  path: '/api/v3/auth_template/delete',
  summary: 'Deletes a portal template with its versions; 4109 with the networks that use it.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.portalTemplate.id }),
});

const ofSite = { gwid: 'network', id: 'portal_template' } as const;
const OfSite = Type.Object({ gwid: Id, id: Id });

export const siteDetail = endpoint({
  ...reads,
  object: ofSite,
  path: '/api/v3/auth_template/site/detail',
  summary: 'The page of a template as the guests of one network see it: the network’s own copy, or the published page.',
  body: OfSite,
  data: Type.Object({
    name: Type.String(),
    network: Type.String(),
    own: Type.Boolean(),
    /** Shown to guests. */
    in_use: Type.Boolean(),
    methods: Type.Array(Words(portalMethods)),
    page: PortalPage,
    pictures: Type.Array(Picture),
    /** 0 without a copy; a save must name it. */
    revision: Type.Integer(),
    updated_at: Nullable(Time),
    updated_by: Nullable(Type.String()),
  }),
  example: ({ portalSitePage: { gwid, id } }) => ({ gwid, id }),
});

export const siteSave = endpoint({
  ...writes,
  object: ofSite,
  path: '/api/v3/auth_template/site/save',
  bodyBytes: 32 * 1024,
  summary:
    'Saves a network’s own copy of a page: its guests see it from then on. 4104 when `revision` is not the newest.',
  body: Type.Object({ gwid: Id, id: Id, revision: Type.Integer({ minimum: 0 }), page, show: DraftInput.show }),
  data: Type.Object({ revision: Revision }),
  example: ({ portalSitePage: { gwid, id } }) => ({ gwid, id, revision: 1, page: content().page }),
});

export const siteDelete = endpoint({
  ...writes,
  object: ofSite,
  path: '/api/v3/auth_template/site/delete',
  summary: 'Removes a network’s own copy of a page: its guests see the template’s page again.',
  body: OfSite,
  data: Empty,
  example: ({ portalSitePage: { gwid, id } }) => ({ gwid, id }),
});

export const pictureUpload = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/auth_template/picture/upload',
  bodyBytes: 3 * 1024 * 1024,
  summary: 'Takes a JPG, PNG or GIF, writes it anew without metadata, and keeps it while a draft or version uses it.',
  ownTransaction: true,
  limit: { max: 60, windowSeconds: 60 },
  body: Type.Object({
    slot: Words(pictureSlots),
    file: Type.String({
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      hint: 'base64',
      contentEncoding: 'base64',
      // the exact limit of the slot answers by name
      maxLength: Math.ceil(portalLimits.imageBytes / 3) * 4 + 300_000,
    }),
  }),
  data: Type.Object({ ...Picture.properties, width: Type.Integer(), height: Type.Integer() }),
  example: () => ({
    slot: 'logo' as const,
    file: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  }),
});
