import { gatewayLimits } from '@yunxun/contract/gateway-limits';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CheckField, SwitchField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Card } from '../../../ui/page.tsx';
import { whole } from '../../../ui/rule-fields.tsx';

/** Returns the first message of a field by its path below the settings: `networks.0.pool.first`. */
export type ErrorAt = (path: string) => string | undefined;

export interface Part {
  errorAt: ErrorAt;
  readOnly: boolean;
}

export function Section(props: {
  title: string;
  hint: ReactNode;
  add?: { label: string; act: () => void; why?: string | undefined } | undefined;
  error?: string | undefined;
  children: ReactNode;
}) {
  const { add } = props;
  return (
    <Card
      title={props.title}
      actions={
        add && (
          <Button icon="plus" why={add.why} onClick={add.act}>
            {add.label}
          </Button>
        )
      }
    >
      <div className="stack">
        <p className="small quiet">{props.hint}</p>
        {props.error && <p className="field-error">{props.error}</p>}
        {props.children}
      </div>
    </Card>
  );
}

/** Announced to screen readers. */
export function Collides({ children }: { children: string }) {
  return (
    <p className="notice notice-bad gateway-wide" role="status">
      <Icon name="alert" size={16} />
      <span>
        <strong>{t('gateway.collides')}</strong> {children}
      </span>
    </p>
  );
}

export function Entry(props: {
  label: string;
  remove?: (() => void) | undefined;
  wanted?: boolean;
  children: ReactNode;
}) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (!props.wanted) return;
    box.current?.scrollIntoView({ block: 'center' });
    const field =
      box.current?.querySelector<HTMLElement>('input[inputmode="numeric"]') ?? box.current?.querySelector('input');
    field?.focus({ preventScroll: true });
  }, [props.wanted]);
  return (
    <fieldset ref={box} className="gateway-entry" aria-label={props.label}>
      <div className="gateway-fields">{props.children}</div>
      {props.remove && (
        <IconButton icon="trash" label={t('gateway.remove', { name: props.label })} onClick={props.remove} />
      )}
    </fieldset>
  );
}

const range = ({ min, max }: { min: number; max: number }) => whole(min, max);

const ranges = {
  rate: range(gatewayLimits.rateMbps),
  vlan: range(gatewayLimits.vlan),
  lineVlan: range(gatewayLimits.lineVlan),
  addresses: range(gatewayLimits.poolCount),
  minutes: range(gatewayLimits.leaseMinutes),
} as const;

/** Maps an invalid number out of range: rejected, not ignored. */
function parseNumber(text: string): number | null {
  if (text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : -1;
}

export function Amount(props: {
  label: string;
  value: number | null;
  of?: keyof typeof ranges;
  within?: readonly [min: number, max: number];
  onChange: (value: number | null) => void;
  error?: string | undefined;
  hint?: ReactNode;
  disabled?: boolean;
}) {
  const { of, within, value, ...rest } = props;
  const allowed = of ? ranges[of] : within && whole(...within);
  const [typed, setTyped] = useState('');
  const text = parseNumber(typed) === value ? typed : value === null ? '' : String(value);
  return (
    <TextField
      {...rest}
      {...(allowed ? { rule: allowed, optional: true } : {})}
      inputMode="numeric"
      value={text}
      onChange={(now) => {
        setTyped(now);
        props.onChange(parseNumber(now));
      }}
    />
  );
}

export function PortBoxes(props: {
  label: string;
  ports: readonly string[];
  chosen: readonly string[];
  change: (ports: string[]) => void;
  error?: string | undefined;
  hint?: string | undefined;
  disabled: boolean;
}) {
  return (
    <fieldset className="bands gateway-wide">
      <legend className="field-label">{props.label}</legend>
      {props.ports.map((port) => (
        <CheckField
          key={port}
          checked={props.chosen.includes(port)}
          disabled={props.disabled}
          onChange={(on) =>
            props.change(props.ports.filter((each) => (each === port ? on : props.chosen.includes(each))))
          }
        >
          {port}
        </CheckField>
      ))}
      {props.error && (
        <p className="field-error gateway-wide" role="alert">
          {props.error}
        </p>
      )}
      {!props.error && props.hint && <p className="field-hint gateway-wide">{props.hint}</p>}
    </fieldset>
  );
}

export function Ssh(props: { open: boolean; hint: string; disabled: boolean; change: (open: boolean) => void }) {
  return <Choice {...props} label={t('gateway.ssh')} on={props.open} />;
}

export function Choice(props: {
  label: string;
  on: boolean;
  hint: string;
  disabled: boolean;
  change: (on: boolean) => void;
}) {
  return (
    <div className="gateway-wide">
      <SwitchField checked={props.on} disabled={props.disabled} onChange={props.change}>
        {props.label}
      </SwitchField>
      <p className="field-hint">{props.hint}</p>
    </div>
  );
}
