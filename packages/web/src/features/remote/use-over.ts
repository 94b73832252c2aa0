import { useEffect } from 'react';

export function useOver(isOver: boolean, onOver: (() => void) | undefined): void {
  useEffect(() => {
    if (isOver) onOver?.();
  }, [isOver, onOver]);
}
