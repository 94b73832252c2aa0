import { forwardProtocols, gatewayLimits } from '@yunxun/contract/gateway-limits';
import { t } from '../../../app/i18n.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import {
  type Forward,
  type Gate,
  newForward,
  newLimit,
  newRoute,
  type RateLimit,
  type Route,
  typedMac,
} from './draft.ts';
import { Amount, Entry, type Part, Section } from './parts.tsx';

type ListOf<T> = Part & { list: T[]; change: (list: T[]) => void };

function editor<T extends { ref: string }>({ list, change, readOnly }: ListOf<T>) {
  return (entry: T) => ({
    set: (part: Partial<T>) => change(list.map((each) => (each.ref === entry.ref ? { ...each, ...part } : each))),
    remove: readOnly ? undefined : () => change(list.filter((each) => each.ref !== entry.ref)),
  });
}

export function Forwards(props: ListOf<Forward>) {
  const { list, errorAt, readOnly: disabled } = props;
  const edit = editor(props);
  return (
    <Section
      title={t('gateway.forwards')}
      hint={t('gateway.forwards_hint')}
      error={errorAt('forwards')}
      add={disabled ? undefined : { label: t('gateway.add_forward'), act: () => props.change([...list, newForward()]) }}
    >
      {list.map((forward, index) => {
        const at = `forwards.${index}`;
        const { set, remove } = edit(forward);
        return (
          <Entry key={forward.ref} label={forward.note || forward.port || t('gateway.forward')} remove={remove}>
            <SelectField
              label={t('gateway.protocol')}
              value={forward.protocol}
              disabled={disabled}
              options={forwardProtocols.map((value) => ({
                value,
                label: t(`gateway.protocol_${value}`),
              }))}
              onChange={(protocol) => set({ protocol })}
            />
            <TextField
              label={t('gateway.outer_port')}
              value={forward.port}
              placeholder="8080"
              disabled={disabled}
              error={errorAt(`${at}.port`)}
              onChange={(text) => set({ port: text.trim() })}
            />
            <TextField
              label={t('gateway.inner_address')}
              value={forward.address}
              disabled={disabled}
              error={errorAt(`${at}.address`)}
              onChange={(text) => set({ address: text.trim() })}
            />
            <TextField
              label={t('gateway.inner_port')}
              value={forward.to_port ?? ''}
              placeholder={forward.port}
              disabled={disabled}
              hint={t('gateway.inner_port_hint')}
              error={errorAt(`${at}.to_port`)}
              onChange={(text) => set({ to_port: text.trim() || null })}
            />
            <TextField
              label={t('gateway.note')}
              value={forward.note}
              maxLength={gatewayLimits.nameLength}
              disabled={disabled}
              error={errorAt(`${at}.note`)}
              onChange={(note) => set({ note })}
            />
          </Entry>
        );
      })}
    </Section>
  );
}

export function Routes(props: ListOf<Route>) {
  const { list, errorAt, readOnly: disabled } = props;
  const edit = editor(props);
  return (
    <Section
      title={t('gateway.routes')}
      hint={t('gateway.routes_hint')}
      error={errorAt('routes')}
      add={disabled ? undefined : { label: t('gateway.add_route'), act: () => props.change([...list, newRoute()]) }}
    >
      {list.map((route, index) => {
        const { set, remove } = edit(route);
        return (
          <Entry key={route.ref} label={route.to || t('gateway.route')} remove={remove}>
            <TextField
              label={t('gateway.route_to')}
              value={route.to}
              placeholder="10.9.0.0/16"
              disabled={disabled}
              error={errorAt(`routes.${index}.to`)}
              onChange={(text) => set({ to: text.trim() })}
            />
            <TextField
              label={t('gateway.route_via')}
              value={route.via}
              maxLength={gatewayLimits.nameLength}
              disabled={disabled}
              hint={t('gateway.route_via_hint')}
              error={errorAt(`routes.${index}.via`)}
              onChange={(text) => set({ via: text.trim() })}
            />
          </Entry>
        );
      })}
    </Section>
  );
}

export function Limits(
  props: ListOf<RateLimit> & {
    lans: readonly string[];
    gates: readonly Gate[];
    wanted: string | null;
  },
) {
  const { list, errorAt, lans, readOnly } = props;
  const edit = editor(props);
  const gate = props.gates.includes('no_shaping') ? t('gateway.gate_no_shaping') : undefined;
  const disabled = readOnly;
  const act = () => props.change([...list, newLimit(lans[0] ?? '')]);
  return (
    <Section
      title={t('gateway.limits')}
      hint={t('gateway.limits_hint')}
      error={errorAt('limits')}
      add={readOnly ? undefined : { label: t('gateway.add_limit'), why: gate, act }}
    >
      {list.map((limit, index) => {
        const at = `limits.${index}`;
        const { set, remove } = edit(limit);
        return (
          <Entry
            key={limit.ref}
            label={limit.name || t('gateway.limit')}
            remove={remove}
            wanted={limit.ref === props.wanted}
          >
            <TextField
              label={t('gateway.name')}
              value={limit.name}
              maxLength={gatewayLimits.nameLength}
              disabled={disabled}
              error={errorAt(`${at}.name`)}
              onChange={(name) => set({ name })}
            />
            <SelectField
              label={t('gateway.limit_kind')}
              value={limit.kind}
              disabled={disabled}
              options={(['network', 'mac', 'address'] as const).map((value) => ({
                value,
                label: t(`gateway.limit_kind_${value}`),
              }))}
              onChange={(kind) => set({ kind, target: kind === 'network' ? (lans[0] ?? '') : '' })}
            />
            {limit.kind === 'network' ? (
              <SelectField
                label={t('gateway.lan')}
                value={limit.target}
                disabled={disabled}
                error={errorAt(`${at}.target`)}
                options={[...new Set([...lans, limit.target])].map((value) => ({ value, label: value }))}
                onChange={(target) => set({ target })}
              />
            ) : (
              <TextField
                label={t(limit.kind === 'mac' ? 'gateway.mac' : 'gateway.lease_address')}
                value={limit.target}
                disabled={disabled}
                error={errorAt(`${at}.target`)}
                onChange={(text) => set({ target: limit.kind === 'mac' ? typedMac(text) : text.trim() })}
              />
            )}
            <Amount
              label={t('gateway.down')}
              of="rate"
              value={limit.down_mbps}
              disabled={disabled}
              error={errorAt(`${at}.down_mbps`)}
              onChange={(down_mbps) => set({ down_mbps })}
            />
            <Amount
              label={t('gateway.up')}
              of="rate"
              value={limit.up_mbps}
              disabled={disabled}
              error={errorAt(`${at}.up_mbps`)}
              onChange={(up_mbps) => set({ up_mbps })}
            />
          </Entry>
        );
      })}
    </Section>
  );
}
