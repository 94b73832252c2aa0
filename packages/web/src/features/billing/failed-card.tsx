import type { ReactNode } from 'react';
import { Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';

export function FailedCard({ title, error, retry }: { title: ReactNode; error: unknown; retry: () => unknown }) {
  return (
    <Card title={title}>
      <Failed small error={error} retry={() => void retry()} />
    </Card>
  );
}
