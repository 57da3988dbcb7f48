import type { ReactNode } from 'react';
import type { Notification } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import type { Translator } from '../../i18n/translator.ts';
import { Notices } from '../../ui/notices/Notices.tsx';
import type { Notice } from '../../ui/notices/Notices.tsx';
import { Settling } from '../../ui/room/Room.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { UntrustedText } from '../UntrustedText.tsx';

/** The notifications of the flow in the current language. */
export function Notifications(): ReactNode {
  const language = useLanguage();
  const send = useSend();
  const notifications = useFlow((state) => state.notifications);
  const isHeld = useFlow((state) => state.loading || state.cardMargin);
  return (
    <Settling value={isHeld}>
      <Notices
        notices={notifications.flatMap((notification) => asNotice(notification, language))}
        onDismiss={(id) => send({ type: 'DISMISS_NOTIFICATION', id })}
      />
    </Settling>
  );
}

/**
 * Skips notifications without a text, because the key can come from a cookie (wire contract, "Cookies of the front
 * end").
 */
function asNotice(notification: Notification, { find }: Translator): Notice[] {
  const { id, level, messageKey, messageParameters, description } = notification;
  const text = messageKey === undefined ? undefined : find(messageKey, messageParameters);
  const content = text ?? (description && <UntrustedText text={description} />);
  return content === undefined ? [] : [{ id, level, content }];
}
