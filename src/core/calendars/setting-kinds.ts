/** The settings of a calendar by the tab that shows them. Source: rule C23. */
export const SETTING_KINDS = [
  'general',
  'availability',
  'types',
  'integrations',
  'payments',
  'reminders',
  'locations',
  'domains',
  'branding',
] as const
export type SettingKind = (typeof SETTING_KINDS)[number]

/** The kind of each table with settings, except `calendars`, whose columns are of several kinds. */
export const KIND_OF_TABLE = {
  availability: 'availability',
  special_days: 'availability',
  special_hours: 'availability',
  holiday_regions: 'availability',
  holiday_choices: 'availability',
  booking_limits: 'availability',
  appointment_types: 'types',
  type_hours: 'types',
  questions: 'types',
  calendar_locations: 'locations',
  locations: 'locations',
  external_calendar_settings: 'integrations',
  used_external_calendars: 'integrations',
  payment_settings: 'payments',
} as const satisfies Record<string, SettingKind>

/** The kind of each column of `calendars` that is not a general setting. */
export const KIND_OF_CALENDAR_COLUMN = {
  slot_duration_minutes: 'availability',
  buffer_time_minutes: 'availability',
  max_appointment_duration_minutes: 'availability',
  minimum_notice_minutes: 'availability',
  booking_window: 'availability',
  payment_required: 'payments',
  payment_enabled: 'payments',
  reminder_settings: 'reminders',
  domain_settings: 'domains',
  branding_settings: 'branding',
} as const satisfies Record<string, SettingKind>
