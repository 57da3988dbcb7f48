import { Component, createContext, createRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';

/** Whether a submission is in flight, or the card must stay where it is for another reason. */
export const Settling = createContext(false);

/**
 * An element whose messages come and go. What goes with a press keeps its height until the submission has settled, so that the press moves
 * no control. React asks for a class here: no hook reads the height before the content is replaced.
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
    return <div {...this.props} ref={this.#element} />;
  }
}
