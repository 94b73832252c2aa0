import { queryClient } from '../../app/session.ts';

export async function refreshSms(): Promise<void> {
  const paths = ['/api/v3/sms/balance', '/api/v3/sms/order/list'];
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}
