import { Component, createContext, createRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';

/**
 * Whether removed content keeps its space: while a submission is in flight, or the card must not move for another
 * reason.
 */
export const Settling = createContext(false);

/**
 * An element whose content appears and disappears. After its content is removed, the element keeps its height until the
 * submission has settled, so that no control moves. A class component, because no hook can read the height before the
 * content is replaced.
 */
export class Room extends Component<Omit<ComponentProps<'div'>, 'ref'>> {
  static override contextType = Settling;
  declare context: boolean;
  readonly #element = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): number {
    return this.#element.current?.offsetHeight ?? 0;
  }

  override componentDidUpdate(_props: unknown, _state: unknown, heightBefore: number): void {
    this.#element.current?.style.setProperty('min-block-size', this.context ? `${heightBefore}px` : '');
  }

  override render(): ReactNode {
    return <div data-room="" {...this.props} ref={this.#element} />;
  }
}
