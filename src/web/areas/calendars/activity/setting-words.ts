import type { ChangedRow } from '#contract/calendars/setting-changes.ts'
import { bookingWindowSchema } from '#contract/slots/booking-window.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import type { Policy } from '#core/appointments/policy.ts'
import { KIND_OF_CALENDAR_COLUMN, KIND_OF_TABLE, type SettingKind } from '#core/calendars/setting-kinds.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { truncateText } from '#core/shared/text.ts'
import type { BookingLimit } from '#core/slots/booking-limits.ts'
import { describeLimits } from '#core/slots/describe-limit.ts'
import { nameWindow } from '#core/slots/describe-window.ts'
import { type CustomerSeriesRule, describeSeriesRule } from '#core/slots/series-rule.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { formatDayOfWeek, formatShortDate } from '#web/shared/format-date.ts'
import { formatEuro } from '#web/shared/format-money.ts'

/** A changed setting in words. `before` is null for what was added, `after` for what was removed. */
export type SettingLine = {
  readonly kind: SettingKind
  readonly label: string
  readonly before: string | null
  readonly after: string | null
}

type Wording = {
  /** The names of the records that columns refer to, by id. */
  readonly names: Readonly<Record<string, string>>
  readonly hourCycle: HourCycle
}

type Columns = Readonly<Record<string, unknown>>

/** Describes the rows that changed at once, by the labels of the screens that show them. Source: rule C23. */
export function describeSettingChange(rows: readonly ChangedRow[], wording: Wording): SettingLine[] {
  const lines = rows.flatMap((row) => describeRow(row, wording))
  return [...Map.groupBy(lines, ({ kind, label }) => `${kind} ${label}`).values()].flatMap(mergeLines)
}

function describeRow(row: ChangedRow, wording: Wording): SettingLine[] {
  const { what, before, after } = row
  const item = ITEMS[what]
  const kind = kindOf(what)
  if (item !== undefined) {
    const label = item.label(after ?? before ?? {}, wording)
    const describe = (columns: Columns | null) => (columns === null ? null : item.describe(columns, wording))
    const line = { kind, label, before: describe(before), after: describe(after) }
    return line.before === line.after ? [] : [line]
  }
  if (before === null || after === null) {
    const { noun } = RECORDS[what] ?? {}
    const name = row.name ?? 'Yes'
    if (noun !== undefined) return [{ kind, label: noun, before: before && name, after: after && name }]
  }
  const columns = Object.keys({ ...before, ...after }).filter(
    // Fields that a new row leaves off or empty have not changed.
    (column) => column !== 'id' && !isSame(before?.[column] || null, after?.[column] || null),
  )
  return columns.flatMap((column) => describeColumn(row, column, wording))
}

function describeColumn(
  { what, name, before, after }: ChangedRow,
  column: string,
  wording: Wording,
): SettingLine[] {
  const was = before?.[column]
  const becomes = after?.[column]
  const kind = kindOf(what, column)
  const group = GROUPS[column]
  if (group !== undefined && (isColumns(was) || isColumns(becomes))) {
    const [old, now] = [isColumns(was) ? was : {}, isColumns(becomes) ? becomes : {}]
    return Object.keys({ ...old, ...now })
      .filter((key) => !isSame(old[key], now[key]))
      .map((key) => ({
        kind,
        label: `${group}: ${labelOf(key)}`,
        before: format(key, old[key], wording),
        after: format(key, now[key], wording),
      }))
  }
  const of = what === 'calendars' || name === null ? '' : ` of ${name}`
  const label = column === 'position' ? 'Order' : labelOf(column)
  return [
    {
      kind,
      label: `${label}${of}`,
      before: format(column, was, wording),
      after: format(column, becomes, wording),
    },
  ]
}

/** Joins lines with the same label, without what was removed and added again. */
function mergeLines(lines: readonly SettingLine[]): SettingLine[] {
  const [first] = lines
  if (first === undefined || lines.length === 1) return [...lines]
  const before = lines.map((line) => line.before).filter((text) => text !== null)
  const after = lines.map((line) => line.after).filter((text) => text !== null)
  const [removed, added] = [
    before.filter((text) => !after.includes(text)),
    after.filter((text) => !before.includes(text)),
  ]
  if (removed.length + added.length === 0) return []
  const join = (texts: readonly string[]) => (texts.length === 0 ? null : texts.join(', '))
  // Entries that stay are shown on both sides if others were replaced.
  const isReplaced = removed.length > 0 && added.length > 0
  return [{ ...first, before: join(isReplaced ? before : removed), after: join(isReplaced ? after : added) }]
}

type Item = {
  readonly label: (columns: Columns, wording: Wording) => string
  readonly describe: (columns: Columns, wording: Wording) => string
}

/** Rows that are one value each, such as an opening of a weekday. */
const ITEMS: Readonly<Record<string, Item>> = {
  availability: {
    label: ({ day_of_week }) => `Opening hours on ${formatDayOfWeek(Number(day_of_week))}`,
    describe: formatHours,
  },
  type_hours: {
    label: ({ appointment_type_id: id, day_of_week }, { names }) =>
      `Own hours of ${nameOf(id, names)} on ${formatDayOfWeek(Number(day_of_week))}`,
    describe: formatHours,
  },
  special_hours: { label: () => 'Hours of special days', describe: formatHours },
  special_days: {
    label: () => 'Special days',
    describe: ({ first_date: first, last_date: last, note, public_note: publicNote }) => {
      const days =
        first === last
          ? formatShortDate(String(first))
          : `${formatShortDate(String(first))} – ${formatShortDate(String(last))}`
      const notes = [note, publicNote].filter((text) => text !== null)
      return notes.length === 0 ? days : `${days} (${notes.join(', ')})`
    },
  },
  holiday_regions: {
    label: () => 'Public holidays',
    describe: ({ country, region }) => [country, region].filter(Boolean).join(', '),
  },
  holiday_choices: { label: () => 'Open holidays', describe: ({ date }) => formatShortDate(String(date)) },
  booking_limits: {
    label: ({ appointment_type_id: id }, { names }) =>
      id === null ? 'Limits' : `Limits of ${nameOf(id, names)}`,
    describe: ({ period, unit, most }) => describeLimits([{ period, unit, most } as BookingLimit]),
  },
  calendar_locations: {
    label: () => 'Locations',
    describe: ({ location_id: id, is_primary }, { names }) =>
      `${nameOf(id, names)}${is_primary === true ? ' (primary)' : ''}`,
  },
  used_external_calendars: {
    label: () => 'External calendars',
    describe: ({ external_calendar_id: id, reads_busy_times: reads, writes_events: writes }, { names }) =>
      `${nameOf(id, names)} (${[reads === true && 'busy times', writes === true && 'writes appointments'].filter(Boolean).join(', ')})`,
  },
}

/** Rows with columns of their own, by their names when they are added or removed. */
const RECORDS: Readonly<Record<string, { readonly noun: string }>> = {
  appointment_types: { noun: 'Appointment type' },
  questions: { noun: 'Question' },
  locations: { noun: 'Location' },
}

/** Columns that hold several settings. */
const GROUPS: Readonly<Record<string, string>> = {
  reminder_settings: 'Reminders',
  branding_settings: 'Branding',
  domain_settings: 'Address',
}

/** The labels of the screens, where they differ from the name of the column. */
const LABELS: Readonly<Record<string, string>> = {
  host_id: 'Person',
  color: 'Colour',
  professional_first_name: 'First name',
  professional_last_name: 'Last name',
  timezone: 'Time zone',
  hour_cycle: 'Clock',
  appointment_title_required: 'Ask for an appointment title',
  default_appointment_title: 'Default title',
  email_confirmation_required: 'Confirm email addresses with a code',
  embed_sites: 'Websites that can show your booking page',
  is_paused: 'Paused by the plan',
  takes_bookings: 'Take bookings',
  policy: 'Changes and cancellations',
  slot_duration_minutes: 'Slot length',
  buffer_time_minutes: 'Buffer time',
  max_appointment_duration_minutes: 'Longest appointment',
  minimum_notice_minutes: 'Minimum notice',
  booking_window: 'Booking window',
  payment_enabled: 'Enable payment for appointments',
  payment_required: 'Require payment when booking',
  enabled: 'Send reminders',
  hours: 'Hours before the appointment',
  template: 'Message',
  logo_hash: 'Logo',
  custom_css: 'Custom CSS',
  own_colors: 'Use your own colours',
  primary_color: 'Primary colour',
  secondary_color: 'Secondary colour',
  prepare_minutes: 'Preparation',
  wrap_up_minutes: 'Wrap-up',
  start_step_minutes: 'Start times',
  is_packed: 'Also right before and after other appointments',
  price_cents: 'Price',
  is_online: 'Online',
  location_id: 'Location',
  series_rule: 'Repeats',
  seats: 'Seats per session',
  shows_seats: 'Show customers how many seats are left',
  is_listed: 'Listed on the booking page',
  exclusive: 'Only one appointment at a time',
  two_way_sync: 'Two-way Sync',
  auto_sync: 'Auto Sync',
  hide_customer: 'Hide customer details',
  when_unchecked: 'While a calendar can’t be checked',
  is_required: 'Customers must answer',
  is_private: 'Private',
  help: 'Help text',
  kind: 'Kind of answer',
  label: 'Question',
  shown_if: 'Ask only after an answer to',
  paypal_mode: 'PayPal mode',
  stripe_connected: 'Stripe connected',
  paypal_connected: 'PayPal connected',
}

/** Returns the label of a column: `booking_rule` becomes `Booking rule` where no screen has another label. */
function labelOf(column: string): string {
  const words = column.replace(/^is_/, '').replaceAll('_', ' ')
  return LABELS[column] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

const LONGEST_TEXT = 160

type Format = (value: unknown, wording: Wording) => string

/** The formats of columns that are more than a text, a number or a switch. */
const FORMATS: Readonly<Record<string, Format>> = {
  price_cents: (value) => formatEuro(Number(value) / 100),
  hour_cycle: (value) => (value === 'h23' ? '24-hour clock' : '12-hour clock'),
  logo_hash: () => 'a logo',
  policy: (value) => (isPolicy(value) ? describePolicy(value, { hasPrice: true }) : 'another policy'),
  series_rule: (value) => (isSeriesRule(value) ? describeSeriesRule(value) : 'another rule'),
  booking_window: (value) => {
    const { data } = bookingWindowSchema.safeParse(value)
    return data === undefined ? 'another window' : nameWindow(data)
  },
  duration: inMinutes,
}

function formatOf(column: string): Format {
  const own = FORMATS[column]
  if (own !== undefined) return own
  if (column.endsWith('_minutes')) return inMinutes
  if (column.endsWith('_days')) return (value) => countOf(Number(value), 'day')
  return column.endsWith('_id') ? (value, { names }) => nameOf(value, names) : formatText
}

function format(column: string, value: unknown, wording: Wording): string {
  // A setting that was never saved, and a policy or a window that is not set, have their default.
  const hasDefault = column === 'policy' || column === 'booking_window'
  if (value === undefined || (value === null && hasDefault)) return 'default'
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return formatOf(column)(value, wording)
}

function inMinutes(value: unknown): string {
  return countOf(Number(value), 'minute')
}

function formatText(value: unknown): string {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (isList) return value.join(', ') || 'none'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > LONGEST_TEXT ? `${truncateText(text, LONGEST_TEXT)}…` : text
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function formatHours({ start_time, end_time }: Columns, { hourCycle }: Wording): string {
  const at = (time: unknown) => (time === '24:00:00' ? 'midnight' : formatClock(String(time), hourCycle))
  return `${at(start_time)} – ${at(end_time)}`
}

function nameOf(id: unknown, names: Wording['names']): string {
  return names[String(id)] ?? 'one that no longer exists'
}

function kindOf(what: string, column = ''): SettingKind {
  const kinds: Readonly<Record<string, SettingKind>> =
    what === 'calendars' ? KIND_OF_CALENDAR_COLUMN : KIND_OF_TABLE
  return kinds[what === 'calendars' ? column : what] ?? 'general'
}

function isSeriesRule(value: unknown): value is CustomerSeriesRule {
  return isColumns(value) && Array.isArray(value.every_weeks) && 'most_dates' in value
}

function isPolicy(value: unknown): value is Policy {
  return isColumns(value) && 'moving' in value && 'cancelling' in value && Array.isArray(value.refunds)
}

function isColumns(value: unknown): value is Columns {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
