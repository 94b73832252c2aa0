import type { KeyboardEvent, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Popup, type PopupTrigger } from './popup.tsx';

export interface MenuItem {
  label: string;
  icon?: IconName;
  danger?: boolean;
  why?: string | undefined;
  checked?: boolean;
  act: () => void;
}

export function Menu(props: {
  label: string;
  target: (trigger: PopupTrigger) => ReactNode;
  items: readonly MenuItem[];
  head?: ReactNode;
  width?: number;
}) {
  return (
    <Popup kind="menu" label={props.label} trigger={props.target} width={props.width ?? 200} onKeyDown={move}>
      {(close) => (
        <>
          {props.head}
          {props.items.map((item, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: two accounts may have the same name
              key={index}
              type="button"
              {...(item.checked === undefined
                ? { role: 'menuitem' }
                : { role: 'menuitemradio', 'aria-checked': item.checked })}
              aria-disabled={item.why ? true : undefined}
              aria-description={item.why}
              tabIndex={-1}
              className={item.danger ? 'menu-item btn-bad' : 'menu-item'}
              onClick={() => {
                if (item.why) return;
                close();
                item.act();
              }}
            >
              {item.icon && <Icon name={item.icon} size={16} />}
              <span>
                {item.label}
                {item.why && <small>{item.why}</small>}
              </span>
              {item.checked && <Icon name="check" size={14} />}
            </button>
          ))}
        </>
      )}
    </Popup>
  );
}

function move(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu-item')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}
