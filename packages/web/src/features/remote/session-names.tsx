import type { ShownSession } from './remote-session.ts';

/** Takes a line of its own on a phone. */
export function SessionNames({ session }: { session: Omit<ShownSession, 'id'> | undefined }) {
  return (
    <div className="session-names">
      <strong className="ellipsis">{session?.target}</strong>
      <span className="quiet ellipsis">{session?.network}</span>
      <span className="quiet ellipsis session-purpose">{session?.purpose}</span>
    </div>
  );
}
