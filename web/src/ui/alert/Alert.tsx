import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { Room } from '../room/Room.tsx';
import styles from './alert.module.css';

/**
 * The message of a whole form. The element with `role=alert` exists while it is empty, so that screen readers announce
 * its first message. To announce a repeated message again, change `occurrence`.
 */
export function Alert({ message, occurrence }: { message: ReactNode; occurrence: number }): ReactNode {
  return (
    <Room className={styles.place} role="alert">
      <Message message={message} level="error" key={occurrence} />
    </Room>
  );
}

interface MessageProps {
  message: ReactNode;
  level: 'info' | 'error';
}

/** A message above a step. It has been announced elsewhere, so it is not a live region. */
export function StepBanner({ isHeld, ...props }: MessageProps & { isHeld: boolean }): ReactNode {
  const message = <Message {...props} />;
  return (
    <>
      {isHeld && <Held>{message}</Held>}
      <Room
        className={`${styles.place} ${styles.banner}`}
        data-banner={isHeld ? undefined : props.message && props.level}
      >
        {!isHeld && message}
      </Room>
    </>
  );
}

/** Makes the card's margin as high as a message that will replace it. The message is not shown and takes no space. */
function Held({ children }: { children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    let height = 0;
    const measure = (): void => {
      // A press removes the message, but must not move the card.
      height = Math.max(height, place.current?.clientHeight ?? 0);
      style.setProperty('--held', `${height}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--held');
    };
  }, []);
  return (
    <div className={styles.held}>
      <div ref={place} className={`${styles.place} ${styles.banner}`}>
        {children}
      </div>
    </div>
  );
}

function Message({ message, level }: MessageProps): ReactNode {
  if (message === undefined) return null;
  return (
    <div className={`${styles.alert} ${styles[level]}`}>
      <InlineIcon name={level === 'error' ? 'alert' : 'info'} />
      <div>{message}</div>
    </div>
  );
}
