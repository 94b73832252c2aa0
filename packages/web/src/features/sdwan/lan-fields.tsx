import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SubnetField } from '../../ui/rule-fields.tsx';
import type { PlanNode } from './plan.ts';

type Lan = PlanNode['lans'][number];

interface Props {
  name: string;
  lans: readonly Lan[];
  onChange: (lans: Lan[]) => void;
}

export function LanFields({ name, lans, onChange }: Props) {
  const patch = (at: number, lan: Lan) => onChange(lans.map((one, index) => (index === at ? lan : one)));
  return (
    <div className="stack stack-s">
      {lans.map((lan, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prefix that is being typed is no identity
        <div key={at} className="row">
          <SubnetField
            hideLabel
            label={t('sdwan.lan_of', { name, n: at + 1 })}
            value={lan.prefix}
            onChange={(prefix) => patch(at, { ...lan, prefix })}
          />
          <SubnetField
            hideLabel
            optional
            label={t('sdwan.as_of', { name, n: at + 1 })}
            placeholder={t('sdwan.as_none')}
            value={lan.as ?? ''}
            onChange={(as) => patch(at, { prefix: lan.prefix, ...(as === '' ? {} : { as }) })}
          />
          <IconButton
            icon="close"
            label={t('sdwan.lan_remove', { name, n: at + 1 })}
            onClick={() => onChange(lans.filter((_lan, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button
          kind="link"
          icon="plus"
          aria-label={t('sdwan.lan_add_to', { name })}
          onClick={() => onChange([...lans, { prefix: '' }])}
        >
          {t('sdwan.lan_add')}
        </Button>
      </div>
    </div>
  );
}
