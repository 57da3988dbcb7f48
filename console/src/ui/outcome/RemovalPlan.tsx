import type { Removal } from '../../../../identity/src/admin/resource.ts';
import { t } from '../../texts/texts.ts';

/** What would be deleted with an entry, and what stays. */
export function RemovalPlan({ removal }: { removal: Removal | undefined }) {
  return (
    <ul>
      {Object.entries(removal?.deleted ?? {}).map(([what, count]) => (
        <li key={what}>{t('office.deletes', { what, count })}</li>
      ))}
      {removal?.kept.map((what) => (
        <li key={what}>{t('office.keeps', { what })}</li>
      ))}
    </ul>
  );
}
