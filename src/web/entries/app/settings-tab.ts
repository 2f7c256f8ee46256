import type { ProfileTab, SettingsTab } from '#web/shared/paths.ts'

type SettingsGroup = {
  readonly title: string
  readonly tabs: readonly { readonly id: SettingsTab; readonly label: string }[]
}

/** The tabs of a calendar's settings, in the order and groups of the settings list. Source: rule W7. */
export const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    title: 'Calendar',
    tabs: [
      { id: 'general', label: 'General' },
      { id: 'availability', label: 'Availability' },
      { id: 'appointments', label: 'Appointments' },
      { id: 'types', label: 'Appointment Types' },
      { id: 'activity', label: 'Activity' },
    ],
  },
  {
    title: 'Connections',
    tabs: [
      { id: 'integrations', label: 'Integrations' },
      { id: 'payments', label: 'Payments' },
      { id: 'transactions', label: 'Transactions' },
      { id: 'insights', label: 'Insights' },
    ],
  },
  {
    title: 'For customers',
    tabs: [
      { id: 'reminders', label: 'Reminders' },
      { id: 'locations', label: 'Locations' },
      { id: 'domains', label: 'Domains' },
      { id: 'branding', label: 'Branding' },
    ],
  },
]

const SETTINGS_TABS = SETTINGS_GROUPS.flatMap(({ tabs }) => tabs)

const PROFILE_TABS: readonly unknown[] = [
  'personal',
  'subscription',
  'account',
  'security',
  'notifications',
] satisfies ProfileTab[]

/** True when the settings have a tab with this name. */
export function isSettingsTab(name: unknown): name is SettingsTab {
  return SETTINGS_TABS.some(({ id }) => id === name)
}

/** Returns the name of a settings tab. */
export function labelOfSettingsTab(tab: SettingsTab): string {
  return SETTINGS_TABS.find(({ id }) => id === tab)?.label ?? tab
}

/** True when the profile has a tab with this name. */
export function isProfileTab(name: unknown): name is ProfileTab {
  return PROFILE_TABS.includes(name)
}
