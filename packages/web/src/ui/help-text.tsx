import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { exactTime } from './format.ts';
import { Popup } from './popup.tsx';
import './about.css';

export function HelpText({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popup
      kind="dialog"
      label={label}
      width={340}
      trigger={(trigger) => <IconButton {...trigger} className="about-button" icon="info" label={label} />}
    >
      {() => children}
    </Popup>
  );
}

export function Until({ label, at }: { label: string; at: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <time dateTime={at}>{exactTime(new Date(at))}</time>
      </dd>
    </>
  );
}
