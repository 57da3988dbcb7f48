import type { PromptMethod } from '@anteroom/contract';

/** The prompts of ours that an application may ask for with `prompt=`, each finished by its own step. */
const customPrompts: Record<PromptMethod, true> = {
  elevate: true,
  switch_site: true,
  switch_tenant: true,
  change_password: true,
};

export function parsePromptMethod(name: string): PromptMethod | undefined {
  return Object.hasOwn(customPrompts, name) ? (name as PromptMethod) : undefined;
}
