import type { ApiError } from '../../app/api-error.ts';
import { Radios, SsidList } from '../configuration/index.ts';
import { type Draft, locksAfter, type Template } from './draft.ts';
import { GeneralCard } from './general.tsx';
import type { locksOf } from './locks.tsx';
import { PortRulesCard } from './port-rules.tsx';

export function LayerFields(props: {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  defaults: Template['defaults'];
  fields: ApiError['fields'];
  readOnly: boolean;
  /** Text without SSIDs; null: the layer has no SSIDs. */
  noSsids: string | null;
  ports: boolean;
  lock: ReturnType<typeof locksOf>;
}) {
  const { draft, change, readOnly, lock } = props;
  return (
    <>
      {props.noSsids !== null && (
        <SsidList
          ssids={draft.ssids}
          change={(ssids) => change({ ssids, locks: locksAfter(draft, ssids) })}
          fields={props.fields}
          readOnly={readOnly}
          none={props.noSsids}
          extra={(ssid) => lock(`ssids.${ssid.name}`)}
        />
      )}
      <Radios
        draft={draft}
        defaults={props.defaults}
        change={(radios) => change({ radios })}
        readOnly={readOnly}
        extra={(band, field) => lock(`radios.${band}.${field}`)}
      />
      <GeneralCard
        value={draft.general}
        onChange={(general) => change({ general })}
        readOnly={readOnly}
        extra={(field) => lock(`general.${field}`)}
      />
      {props.ports && (
        <PortRulesCard
          rules={draft.rules}
          change={(rules) => change({ rules })}
          fields={props.fields}
          readOnly={readOnly}
          lock={lock('general.ports')}
        />
      )}
    </>
  );
}
