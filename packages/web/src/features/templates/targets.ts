import type { Input } from '../../app/api.ts';

export type TargetKind = 'network' | 'group' | 'tag' | 'model' | 'device' | 'switch';

export function targetKinds(kind: 'ac' | 'wireless'): readonly TargetKind[] {
  const all = ['network', 'group', 'tag', 'model', 'device'] as const;
  return kind === 'ac' ? [...all, 'switch'] : all;
}

type Preview = Input<'/api/v3/wireless_template/preview'>;
export type Targets = Pick<Preview, 'gwids' | 'group_ids' | 'tags' | 'models' | 'serials'>;

const fields = {
  network: 'gwids',
  group: 'group_ids',
  tag: 'tags',
  model: 'models',
  device: 'serials',
  switch: 'serials',
} as const satisfies Record<TargetKind, keyof Targets>;

export function targetsOf(kind: TargetKind, picked: readonly string[]): Targets {
  return { [fields[kind]]: [...picked] };
}
