import type { ProfileTab, SettingsTab } from '#web/shared/paths.ts'

const SETTINGS_TABS: readonly unknown[] = [
  'general',
  'availability',
  'appointments',
  'types',
  'integrations',
  'payments',
  'transactions',
  'insights',
  'reminders',
  'locations',
  'domains',
  'branding',
] satisfies SettingsTab[]

const PROFILE_TABS: readonly unknown[] = [
  'personal',
  'subscription',
  'account',
  'security',
  'notifications',
] satisfies ProfileTab[]

/** True when the settings have a tab with this name. */
export function isSettingsTab(name: unknown): name is SettingsTab {
  return SETTINGS_TABS.includes(name)
}

/** True when the profile has a tab with this name. */
export function isProfileTab(name: unknown): name is ProfileTab {
  return PROFILE_TABS.includes(name)
}
