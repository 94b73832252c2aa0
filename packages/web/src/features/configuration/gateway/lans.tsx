import { gatewayLimits, servedServices, serviceGate } from '@yunxun/contract/gateway-limits';
import { t } from '../../../app/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { SwitchField, TextField } from '../../../ui/field.tsx';
import {
  type Gate,
  type GatewayAnswer,
  type Lan,
  type Lease,
  type NamedCollision,
  newLan,
  newLease,
  type Pool,
  typedMac,
} from './draft.ts';
import { Amount, Choice, Collides, Entry, type Part, PortBoxes, Section, Ssh } from './parts.tsx';

export function Lans(
  props: Part & {
    lans: Lan[];
    ports: readonly string[];
    free: readonly string[];
    gates: readonly Gate[];
    wanted: string | null;
    reported: GatewayAnswer['reported'];
    collisions: readonly NamedCollision[];
    change: (lans: Lan[]) => void;
  },
) {
  const { lans, change, readOnly } = props;
  const why =
    lans.length >= gatewayLimits.networks ? t('gateway.lans_most', { most: gatewayLimits.networks }) : undefined;
  return (
    <Section
      title={t('gateway.lans')}
      hint={t('gateway.lans_hint')}
      error={props.errorAt('networks')}
      add={
        readOnly
          ? undefined
          : {
              label: t('gateway.add_lan'),
              why,
              act: () => change([...lans, newLan(lans, props.free.slice(0, 1), props.reported)]),
            }
      }
    >
      {lans.length === 0 && <p className="small dim">{t('gateway.no_lans')}</p>}
      {lans.map((lan, index) => (
        <LanEntry
          key={lan.ref}
          {...props}
          lan={lan}
          at={`networks.${index}`}
          collides={props.collisions.find((one) => one.network === index)}
          set={(part) => change(lans.map((each) => (each.ref === lan.ref ? { ...each, ...part } : each)))}
          remove={readOnly ? undefined : () => change(lans.filter((each) => each.ref !== lan.ref))}
        />
      ))}
    </Section>
  );
}

type LanProps = Part & {
  lan: Lan;
  at: string;
  ports: readonly string[];
  gates: readonly Gate[];
  wanted: string | null;
  collides: NamedCollision | undefined;
  set: (part: Partial<Lan>) => void;
};

function LanEntry({ remove, ...props }: LanProps & { remove: (() => void) | undefined }) {
  const { lan, at, errorAt, set, readOnly: disabled, gates, collides } = props;
  const tags = !gates.includes('no_vlan');
  return (
    <Entry label={lan.name || t('gateway.lan')} remove={remove}>
      {collides && (
        <Collides>{t('gateway.collides_lan', { subnet: collides.subnet, line: collides.lineName })}</Collides>
      )}
      <TextField
        label={t('gateway.name')}
        value={lan.name}
        maxLength={gatewayLimits.nameLength}
        disabled={disabled}
        error={errorAt(`${at}.name`)}
        onChange={(name) => set({ name })}
      />
      <TextField
        label={t('gateway.own_address')}
        value={lan.address}
        placeholder="192.168.1.1/24"
        disabled={disabled}
        error={errorAt(`${at}.address`)}
        onChange={(text) => set({ address: text.trim() })}
      />
      <Amount
        label={t('gateway.vlan')}
        of="vlan"
        value={lan.vlan}
        disabled={disabled}
        hint={t('gateway.vlan_hint')}
        error={errorAt(`${at}.vlan`)}
        onChange={(vlan) => set({ vlan, ...(vlan === null ? { tagged: [] } : {}) })}
      />
      <PortBoxes
        label={t('gateway.ports')}
        ports={props.ports}
        chosen={lan.ports}
        disabled={disabled}
        error={errorAt(`${at}.ports`)}
        change={(ports) => set({ ports })}
      />
      {(lan.vlan !== null || lan.tagged.length > 0) && (
        <PortBoxes
          label={t('gateway.tagged')}
          ports={props.ports}
          chosen={lan.tagged}
          disabled={disabled || !tags}
          hint={tags ? undefined : t('gateway.gate_no_vlan')}
          error={errorAt(`${at}.tagged`)}
          change={(tagged) => set({ tagged })}
        />
      )}
      {lan.vlan !== null && (
        <Ssh open={lan.ssh ?? false} hint={t('gateway.ssh_vlan')} disabled={disabled} change={(ssh) => set({ ssh })} />
      )}
      {servedServices.map((service) => {
        const lacks = gates.includes(serviceGate(service));
        return (
          <Choice
            key={service}
            label={t(`gateway.${service}`)}
            on={lan[service] ?? false}
            hint={t(lacks ? `gateway.gate_${serviceGate(service)}` : `gateway.${service}_hint`)}
            disabled={disabled || (lacks && !lan[service])}
            change={(on) => set({ [service]: on })}
          />
        );
      })}
      <PoolFields {...props} />
    </Entry>
  );
}

function PoolFields({ lan, at, errorAt, set, readOnly: disabled, gates, wanted }: LanProps) {
  const { pool } = lan;
  const serves = !gates.includes('no_dnsmasq');
  const setPool = (part: Partial<Pool>) => pool && set({ pool: { ...pool, ...part } });
  const first = lan.address.replace(/\d+\/\d+$/, '100');
  return (
    <>
      <div className="gateway-wide">
        <SwitchField
          checked={pool !== null}
          disabled={disabled || (!serves && pool === null)}
          onChange={(on) =>
            set(
              on
                ? { pool: { first, count: 100, lease_minutes: gatewayLimits.leaseMinutes.otherwise } }
                : { pool: null, leases: [] },
            )
          }
        >
          {t('gateway.pool')}
        </SwitchField>
        {!serves && <p className="field-hint">{t('gateway.gate_no_dnsmasq')}</p>}
      </div>
      {pool && (
        <>
          <TextField
            label={t('gateway.pool_first')}
            value={pool.first}
            disabled={disabled}
            error={errorAt(`${at}.pool.first`)}
            onChange={(text) => setPool({ first: text.trim() })}
          />
          <Amount
            label={t('gateway.pool_count')}
            of="addresses"
            value={pool.count}
            disabled={disabled}
            error={errorAt(`${at}.pool.count`)}
            onChange={(count) => setPool({ count })}
          />
          <Amount
            label={t('gateway.pool_minutes')}
            of="minutes"
            value={pool.lease_minutes}
            disabled={disabled}
            error={errorAt(`${at}.pool.lease_minutes`)}
            onChange={(lease_minutes) => setPool({ lease_minutes })}
          />
          <Leases
            leases={lan.leases}
            at={`${at}.leases`}
            errorAt={errorAt}
            readOnly={disabled}
            wanted={wanted}
            change={(leases) => set({ leases })}
          />
        </>
      )}
    </>
  );
}

function Leases(
  props: Part & { leases: Lease[]; at: string; wanted: string | null; change: (leases: Lease[]) => void },
) {
  const { leases, at, errorAt, change, readOnly: disabled } = props;
  return (
    <div className="gateway-wide stack stack-s">
      {leases.map((lease, index) => {
        const set = (part: Partial<Lease>) =>
          change(leases.map((each) => (each.ref === lease.ref ? { ...each, ...part } : each)));
        return (
          <Entry
            key={lease.ref}
            wanted={lease.ref === props.wanted}
            label={lease.note || lease.mac || t('gateway.lease')}
            remove={disabled ? undefined : () => change(leases.filter((each) => each.ref !== lease.ref))}
          >
            <TextField
              label={t('gateway.mac')}
              value={lease.mac}
              placeholder="00:1a:2b:3c:4d:5e"
              disabled={disabled}
              error={errorAt(`${at}.${index}.mac`)}
              onChange={(text) => set({ mac: typedMac(text) })}
            />
            <TextField
              label={t('gateway.lease_address')}
              value={lease.address}
              disabled={disabled}
              error={errorAt(`${at}.${index}.address`)}
              onChange={(text) => set({ address: text.trim() })}
            />
            <TextField
              label={t('gateway.note')}
              value={lease.note}
              maxLength={gatewayLimits.nameLength}
              disabled={disabled}
              error={errorAt(`${at}.${index}.note`)}
              onChange={(note) => set({ note })}
            />
          </Entry>
        );
      })}
      {errorAt(at) && <p className="field-error">{errorAt(at)}</p>}
      {!disabled && (
        <div>
          <Button icon="plus" kind="link" onClick={() => change([...leases, newLease()])}>
            {t('gateway.add_lease')}
          </Button>
        </div>
      )}
    </div>
  );
}
