import { t } from '../../texts/texts.ts';

/** A new secret, which the service shows once and never again. */
export function Secret({ value }: { value: string }) {
  return (
    <div>
      <p>{t('resource.secret')}</p>
      <code>{value}</code>
    </div>
  );
}
