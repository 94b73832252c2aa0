import { t } from '../../../app/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { type TouchKey, touchKeys } from './touch-keys.ts';
import './touch-keys.css';

const signs: Partial<Record<TouchKey, string>> = {
  left: '←',
  up: '↑',
  down: '↓',
  right: '→',
  pipe: '|',
  slash: '/',
  hyphen: '-',
};

interface Props {
  isCtrl: boolean;
  onKey: (key: TouchKey) => void;
}

/** Keys that on-screen keyboards lack; style sheets show it to coarse pointers only. */
export function TouchKeyRow({ isCtrl, onKey }: Props) {
  return (
    <fieldset className="touch-keys" aria-label={t('remote.touch_keys')}>
      {touchKeys.map((key) => (
        <Button
          key={key}
          aria-label={t(`remote.touch_${key}`)}
          aria-pressed={key === 'ctrl' ? isCtrl : undefined}
          // the terminal keeps the focus, and with it the keyboard
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onKey(key)}
        >
          {signs[key] ?? t(`remote.touch_${key}`)}
        </Button>
      ))}
    </fieldset>
  );
}

/** Sets `--seen-height`: an on-screen keyboard covers the end of `100dvh`. */
export function fitAboveKeyboard(): () => void {
  const seen = window.visualViewport;
  if (!seen || !matchMedia('(pointer: coarse)').matches) return () => {};
  const { style } = document.documentElement;
  const fit = () => {
    // magnified by the person
    if (seen.scale > 1.01) return;
    style.setProperty('--seen-height', `${seen.height}px`);
    scrollTo(0, 0);
  };
  seen.addEventListener('resize', fit);
  return () => {
    seen.removeEventListener('resize', fit);
    style.removeProperty('--seen-height');
  };
}
