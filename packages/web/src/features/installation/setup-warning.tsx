import { Icon } from '../../ui/icon.tsx';

export function Warning({ children }: { children: string }) {
  return (
    <p className="notice notice-warn">
      <Icon name="alert" size={16} />
      <span>{children}</span>
    </p>
  );
}
