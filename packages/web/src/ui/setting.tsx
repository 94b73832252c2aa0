import type { ReactNode } from 'react';
import './setting.css';

/** Settings under each other. */
export function Settings({ children }: { children: ReactNode }) {
  return <ul className="settings">{children}</ul>;
}

/** One setting: what it is and why, how it stands, and what can be done about it. */
export function Setting(props: { title: string; hint?: ReactNode; state?: ReactNode; children?: ReactNode }) {
  return (
    <li className="setting">
      <div>
        <h3>{props.title}</h3>
        {props.hint && <div className="small dim">{props.hint}</div>}
      </div>
      <div className="setting-state">{props.state}</div>
      <div className="row setting-acts">{props.children}</div>
    </li>
  );
}
