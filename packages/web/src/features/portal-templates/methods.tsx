import { hasLimit } from '@yunxun/contract/method-limits';
import { methodKinds } from '@yunxun/portal/method-names';
import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { NumberField } from '../../ui/rule-fields.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { bounds, limitFields, type MethodDraft, type MethodKind, newMethod } from './draft.ts';
import { settingsOf } from './methods/index.ts';
import type { Typed } from './methods/method-settings.ts';
import { moved } from './order.ts';

/** Sign-in methods in the order of the page; each kind once. */
export function Methods(props: {
  methods: readonly MethodDraft[];
  wrong: Wrong<string>;
  readOnly: boolean;
  onChange: (methods: readonly MethodDraft[]) => void;
}) {
  const { methods, wrong, readOnly, onChange } = props;
  const [dragged, setDragged] = useState<number | null>(null);
  const [message, setMessage] = useState('');
  // read before the method is added: a late notice would move the button under the pointer
  const installation = useRead('/api/v3/open/installation', {}).data;
  const free = methodKinds().filter((kind) => !methods.some((method) => method.kind === kind));
  const move = (from: number, to: number) => {
    const kind = methods[from]?.kind;
    if (to < 0 || to >= methods.length || from === to || !kind) return;
    onChange(moved(methods, from, to));
    setMessage(t('portal.moved', { method: methodName(kind), n: to + 1 }));
  };
  return (
    <Card title={t('portal.methods')}>
      <p className="small dim">{t('portal.methods_hint')}</p>
      {wrong.methods && (
        <p className="field-error" role="alert">
          {wrong.methods}
        </p>
      )}
      <ol className="portal-methods">
        {methods.map((method, index) => (
          <li
            key={method.kind}
            data-dragged={dragged === index}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) move(dragged, index);
              setDragged(null);
            }}
          >
            <div className="portal-method-head">
              {!readOnly && (
                <span
                  className="portal-grip"
                  draggable
                  aria-hidden="true"
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    setDragged(index);
                  }}
                  onDragEnd={() => setDragged(null)}
                >
                  <Icon name="grip" size={16} />
                </span>
              )}
              <h3>{t('portal.method_n', { n: index + 1, method: methodName(method.kind) })}</h3>
              {!readOnly && (
                <span className="row">
                  <IconButton
                    icon="chevron_up"
                    label={t('portal.move_up', { method: methodName(method.kind) })}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    icon="chevron_down"
                    label={t('portal.move_down', { method: methodName(method.kind) })}
                    disabled={index === methods.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconButton
                    icon="trash"
                    label={t('portal.remove_method', { method: methodName(method.kind) })}
                    onClick={() => onChange(methods.filter((one) => one !== method))}
                  />
                </span>
              )}
            </div>
            {method.kind === 'sms' && installation?.outbox_sms && <NoProvider />}
            <MethodFields
              method={method}
              wrong={(field) => wrong[`methods.${index}.${field}`]}
              readOnly={readOnly}
              onChange={(part) => onChange(methods.map((one) => (one === method ? { ...one, ...part } : one)))}
            />
          </li>
        ))}
      </ol>
      <div className="sr" aria-live="polite">
        {message}
      </div>
      {!readOnly && free.length > 0 && <Adding free={free} onAdd={(kind) => onChange([...methods, newMethod(kind)])} />}
    </Card>
  );
}

function MethodFields(props: {
  method: MethodDraft;
  wrong: (field: string) => string | null | undefined;
  readOnly: boolean;
  onChange: (part: Partial<MethodDraft>) => void;
}) {
  const { method, wrong, readOnly, onChange } = props;
  const settings = settingsOf(method.kind);
  return (
    <div className="portal-limits">
      {settings && (
        <settings.Fields
          typed={method.own}
          kept={method.kept}
          wrong={wrong}
          readOnly={readOnly}
          onChange={(part) => onChange({ own: { ...method.own, ...(part as Typed) } })}
        />
      )}
      {limitFields
        .filter((field) => hasLimit(method.kind, field))
        .map((field) => (
          <NumberField
            key={field}
            label={t(`portal.${field}`)}
            hint={field === 'devices' ? undefined : t('portal.zero_unlimited')}
            hintStays
            min={bounds[field][0]}
            max={bounds[field][1]}
            value={method[field]}
            disabled={readOnly}
            error={wrong(field)}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
    </div>
  );
}

function NoProvider() {
  return (
    <p className="notice notice-warn">
      <Icon name="alert" size={16} />
      <span>{t('portal.sms_no_provider')}</span>
    </p>
  );
}

function Adding({ free, onAdd }: { free: readonly MethodKind[]; onAdd: (kind: MethodKind) => void }) {
  const [chosen, setChosen] = useState<MethodKind | null>(null);
  const kind = chosen !== null && free.includes(chosen) ? chosen : free[0]!;
  return (
    <div className="row portal-adding">
      <SelectField
        label={t('portal.another_method')}
        value={kind}
        options={free.map((value) => ({ value, label: methodName(value) }))}
        onChange={setChosen}
      />
      <Button icon="plus" onClick={() => onAdd(kind)}>
        {t('portal.add_method')}
      </Button>
    </div>
  );
}
