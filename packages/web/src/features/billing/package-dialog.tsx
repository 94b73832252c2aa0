import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, TextField } from '../../ui/field.tsx';
import { NetworksField, networksWrong } from '../../ui/networks-field.tsx';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';
import { amountWrong } from './amount.ts';
import type { GuestPackage } from './goods-rows.ts';

const megabyte = 1_048_576;

const bounds = {
  minutes: [0, 525_600],
  megabytes: [0, 1_073_741_824],
  devices: [1, 100],
  up: [0, 1_000_000],
  down: [0, 1_000_000],
  valid_days: [1, 3650],
} as const;
type NumberName = keyof typeof bounds;

const hints: Partial<Record<NumberName, 'minutes_hint' | 'megabytes_hint' | 'rate_hint' | 'valid_days_hint'>> = {
  minutes: 'minutes_hint',
  megabytes: 'megabytes_hint',
  up: 'rate_hint',
  down: 'rate_hint',
  valid_days: 'valid_days_hint',
};

function numbersOf(edited: GuestPackage | null): Record<NumberName, string> {
  if (!edited) return { minutes: '1440', megabytes: '0', devices: '1', up: '0', down: '0', valid_days: '30' };
  return {
    minutes: String(edited.minutes),
    megabytes: String(Math.ceil(edited.bytes / megabyte)),
    devices: String(edited.devices),
    up: String(edited.up_kbps),
    down: String(edited.down_kbps),
    valid_days: String(edited.valid_days),
  };
}

interface Props {
  edited: GuestPackage | null;
  onClose: () => void;
  onDone: () => void;
}

export function PackageDialog({ edited: shown, onClose, onDone }: Props) {
  // the list may reload
  const [edited] = useState(shown);
  const [name, setName] = useState(edited?.name ?? '');
  const [price, setPrice] = useState(edited?.price ?? '');
  const [numbers, setNumbers] = useState(() => numbersOf(edited));
  const [gwids, setGwids] = useState<readonly string[] | null>(edited?.gwids ?? null);
  const [enabled, setEnabled] = useState(edited?.enabled ?? true);
  const form = useForm<NumberName | 'name' | 'price' | 'gwids'>();
  const wrong = (field: NumberName) => {
    const [min, max] = bounds[field];
    return whole(min, max).test(numbers[field]) ? null : t('validation.between', { min, max });
  };
  const save = () =>
    form.send(
      {
        name: fieldError('nameText', name),
        price: amountWrong(price),
        minutes: wrong('minutes'),
        megabytes: wrong('megabytes'),
        devices: wrong('devices'),
        up: wrong('up'),
        down: wrong('down'),
        valid_days: wrong('valid_days'),
        gwids: networksWrong(gwids),
      },
      async () => {
        const input = {
          name,
          price,
          enabled,
          gwids: gwids && [...gwids],
          minutes: Number(numbers.minutes),
          bytes: Number(numbers.megabytes) * megabyte,
          devices: Number(numbers.devices),
          up_kbps: Number(numbers.up),
          down_kbps: Number(numbers.down),
          valid_days: Number(numbers.valid_days),
        };
        if (edited) {
          // rounded up to whole megabytes
          const began = { ...edited, bytes: Math.ceil(edited.bytes / megabyte) * megabyte };
          await call('/api/v3/billing/package/save', { id: edited.id, ...changedFields<typeof input>(input, began) });
        } else await call('/api/v3/billing/package/create', input);
        onDone();
      },
    );
  const title = t(edited ? 'goods.package_edit' : 'goods.package_create');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <NameField label={t('goods.name')} value={name} onChange={setName} error={form.wrong.name} autoFocus />
        <TextField
          label={t('goods.price')}
          value={price}
          onChange={setPrice}
          error={form.wrong.price}
          inputMode="text"
          maxLength={9}
        />
        {(Object.keys(bounds) as NumberName[]).map((field) => (
          <NumberField
            key={field}
            label={t(`goods.${field}`)}
            hint={hints[field] && t(`goods.${hints[field]}`)}
            min={bounds[field][0]}
            max={bounds[field][1]}
            value={numbers[field]}
            onChange={(value) => setNumbers((now) => ({ ...now, [field]: value }))}
            error={form.wrong[field]}
          />
        ))}
        <NetworksField value={gwids} onChange={setGwids} error={form.wrong.gwids} own />
        <CheckField checked={enabled} onChange={setEnabled}>
          {t('goods.enabled')}
        </CheckField>
      </div>
    </Dialog>
  );
}
