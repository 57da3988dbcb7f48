import { Component } from 'react';
import type { ReactNode } from 'react';
import { useSend } from '../flow-context.tsx';

interface BoundaryProps {
  onCrash: () => void;
  children: ReactNode;
}

/** A class component, because no hook catches errors while rendering. */
class Boundary extends Component<BoundaryProps, { hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError(): { hasCrashed: boolean } {
    return { hasCrashed: true };
  }

  override componentDidCatch(): void {
    this.props.onCrash();
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? null : this.props.children;
  }
}

/** A screen that fails to render shows the error page (specification, point 8: uncaught client errors). */
export function CrashBoundary({ children }: { children: ReactNode }): ReactNode {
  const send = useSend();
  return <Boundary onCrash={() => send({ type: 'CRASHED' })}>{children}</Boundary>;
}
