import { queryClient } from '../../app/session.ts';

const paths = ['/api/v3/recharge_card/batch/list', '/api/v3/recharge_card/list', '/api/v3/recharge_card/stat'];

export async function refreshCards(): Promise<void> {
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}
