import type { Move } from './state.ts';

/** The user name of the user in all states. */
export const dana = 'dana@northwind.example';

export const submit: Move = { do: 'submit' };
export const faultyField: Move = { do: 'wait-for', selector: 'main [aria-invalid="true"]' };
export const alert: Move = { do: 'wait-for', selector: 'main [role="alert"]:has(svg)' };
export const errorNotice: Move = { do: 'wait-for', selector: '[data-notification="error"]' };
export const infoNotice: Move = { do: 'wait-for', selector: '[data-notification="info"]' };
export const untilLoading: Move = { do: 'wait-for', selector: 'main[data-loading="true"]' };

export const fill = (field: string, text: string): Move => ({ do: 'fill', field, text });
export const press = (action: string): Move => ({ do: 'click', on: `[data-action="${action}"]` });
export const step = (name: string): Move => ({ do: 'wait-for', selector: `main[data-step="${name}"]` });
export const waitFor = (selector: string): Move => ({ do: 'wait-for', selector });

/** Enters the password of a user whose name is known. */
export const givePassword: readonly Move[] = [fill('password', 'a password'), submit];
export const enterCredentials: readonly Move[] = [fill('userName', dana), ...givePassword];
