import type { Removal } from '../../../../identity/src/admin/resource.ts';
import { change } from '../../api.ts';
import { t } from '../../texts/texts.ts';
import { FormPanel } from '../../ui/panel/Panel.tsx';
import { RemovalPlan } from '../../ui/outcome/RemovalPlan.tsx';
import { usePlan } from '../../use-plan.ts';
import { useChange } from '../../use-change.ts';

type RemoveEntryProps = { path: string; etag: string; onCancel: () => void; onRemoved: () => void };

/** With the true counts of the dry run. */
export function RemoveEntry({ path, etag, onCancel, onRemoved }: RemoveEntryProps) {
  const { run, isRunning, error } = useChange();
  const { plan, error: refused } = usePlan(() => change<Removal>('DELETE', path, { etag, dryRun: true }));
  const remove = (): Promise<unknown> =>
    run(async () => {
      await change('DELETE', path, { etag });
      onRemoved();
    });
  return (
    <FormPanel
      title={t('resource.remove')}
      submitLabel={t('resource.remove')}
      isDangerous
      onSubmit={() => void remove()}
      onCancel={onCancel}
      isRunning={isRunning || plan === undefined}
      error={error ?? refused}
    >
      <RemovalPlan removal={plan} />
    </FormPanel>
  );
}
