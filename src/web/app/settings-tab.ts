import type { SettingsTab } from '#web/shared/paths.ts'

const SETTINGS_TABS: readonly unknown[] = ['general', 'appointments', 'types'] satisfies SettingsTab[]

/** Says whether the settings have such a tab. */
export function isSettingsTab(name: unknown): name is SettingsTab {
  return SETTINGS_TABS.includes(name)
}
