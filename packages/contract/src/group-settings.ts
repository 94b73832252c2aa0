import { Type } from 'typebox';
import { PreviewAnswer } from './configuration.ts';
import { EffectiveRadio } from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { LayerInput, LayerShown } from './layer-shapes.ts';
import { Id, Nullable, Time } from './shapes.ts';

const of = { group_id: 'group' } as const;

export const groupSettingsGet = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.read',
  effect: 'read',
  object: of,
  path: '/api/v3/ap/group/settings/get',
  summary: 'Wireless settings of a group of access points, which go before those of their networks. `version` 0: none.',
  body: Type.Object({ group_id: Id }),
  data: Type.Object({
    group_id: Id,
    version: Type.Integer(),
    ...LayerShown,
    defaults: Type.Array(EffectiveRadio),
    updated_at: Nullable(Time),
    updated_by: Nullable(Type.String()),
  }),
  example: (seed) => ({ group_id: seed.group.id }),
});

export const groupSettingsPreview = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'read',
  object: of,
  path: '/api/v3/ap/group/settings/preview',
  bodyBytes: 544 * 1024,
  summary: 'What saving the settings of a group would change on each of its access points.',
  body: Type.Object({ group_id: Id, ...LayerInput }),
  data: PreviewAnswer,
  example: (seed) => ({ group_id: seed.group.id, ssids: [], radios: [] }),
});

export const groupSettingsSave = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'device',
  object: of,
  path: '/api/v3/ap/group/settings/save',
  bodyBytes: 544 * 1024,
  summary:
    'Saves the settings of a group and brings them to its access points; 4104 when `version` is no longer the one in force.',
  body: Type.Object({ group_id: Id, version: Type.Integer({ minimum: 0 }), ...LayerInput }),
  data: Type.Object({ job_id: Nullable(Id), version: Type.Integer() }),
  example: (seed) => ({ group_id: seed.group.id, version: 0, ssids: [], radios: [] }),
});

export const groupSettingsRevert = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'device',
  object: of,
  path: '/api/v3/ap/group/settings/revert',
  summary:
    "Puts an earlier version of a group's settings in force again, with its keys, and brings it to the access points. 4104 when `version` is no longer the one in force, 4116 when `to` is not kept.",
  body: Type.Object({ group_id: Id, version: Type.Integer({ minimum: 0 }), to: Type.Integer({ minimum: 0 }) }),
  data: Type.Object({ job_id: Nullable(Id), version: Type.Integer() }),
  example: (seed) => ({ group_id: seed.group.id, version: 0, to: 0 }),
});

export const groupSettingsRevertPreview = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'read',
  object: of,
  path: '/api/v3/ap/group/settings/revert_preview',
  summary: 'What putting an earlier version of the settings of a group in force would change on each access point.',
  body: Type.Object({ group_id: Id, to: Type.Integer({ minimum: 0 }) }),
  data: PreviewAnswer,
  example: (seed) => ({ group_id: seed.group.id, to: 0 }),
});
