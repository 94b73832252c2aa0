import type { Input } from '../../app/api.ts';

export type TargetKind = 'network' | 'group' | 'tag' | 'model' | 'device';
export const targetKinds = ['network', 'group', 'tag', 'model', 'device'] as const satisfies readonly TargetKind[];

type Preview = Input<'/api/v3/wireless_template/preview'>;
/** Who gets a template, as the server takes it. */
export type Targets = Pick<Preview, 'gwids' | 'group_ids' | 'tags' | 'models' | 'serials'>;

const fields = {
  network: 'gwids',
  group: 'group_ids',
  tag: 'tags',
  model: 'models',
  device: 'serials',
} as const satisfies Record<TargetKind, keyof Targets>;

/** What was ticked of a kind, for a call. */
export function targetsOf(kind: TargetKind, picked: readonly string[]): Targets {
  return { [fields[kind]]: [...picked] };
}
