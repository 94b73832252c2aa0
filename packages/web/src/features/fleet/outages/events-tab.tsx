import { EventList } from '../devices/event-list.tsx';
import { Availability } from './availability.tsx';
import { OutageList } from './outage-list.tsx';

export function EventsTab(of: { serial: string } | { gwid: string }) {
  return (
    <div className="stack">
      <Availability {...of} />
      <OutageList {...of} />
      <EventList {...of} />
    </div>
  );
}
