import type { Calendar } from '#contract/calendars/calendars.ts'
import type { DomainSettings } from '#core/addresses/public-url.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { type AddressSettings, toPublicUrl } from '#server/records/hostnames/to-calendar-address.ts'
import type { CalendarRow } from './repository.ts'
import { toReminderSettings } from './to-reminder-settings.ts'

/**
 * A calendar as other folders use it. Reminders and addresses are left out, because they depend on the operator's
 * settings and only the calendar's own pages need them.
 */
export type OwnCalendar = Omit<Calendar, 'reminder_settings' | 'product_email' | 'public_url'>

export function toOwnCalendar(row: CalendarRow): OwnCalendar {
  const domain = toDomain(row.domain_settings)
  return {
    id: row.id,
    user_id: row.user_id,
    person: { id: row.host_id, name: row.person_name, is_owner: row.host_id === row.user_id },
    slug: row.slug,
    name: row.name,
    description: row.description,
    color: row.color,
    category: row.category,
    professional_first_name: row.professional_first_name,
    professional_last_name: row.professional_last_name,
    timezone: row.timezone,
    hour_cycle: row.hour_cycle,
    appointment_title_required: row.appointment_title_required,
    default_appointment_title: row.default_appointment_title,
    payment_enabled: row.payment_enabled,
    payment_required: row.payment_required,
    email_confirmation_required: row.email_confirmation_required,
    policy: row.policy ?? DEFAULT_POLICY,
    takes_bookings: row.takes_bookings,
    embed_sites: row.embed_sites,
    is_connected_to_google: row.is_connected_to_google,
    domain_settings: {
      type: domain.type,
      path: domain.path,
      subdomain: domain.subdomain,
      custom_domain: domain.customDomain,
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** Returns a calendar with all of its settings, for its owner. */
export function toCalendar(
  row: CalendarRow,
  settings: AddressSettings & { readonly mailFrom: string },
): Calendar {
  const { mailFrom } = settings
  return {
    ...toOwnCalendar(row),
    public_url: toPublicUrl(row, settings),
    reminder_settings: toReminderSettings(row.reminder_settings, { calendarName: row.name, mailFrom }),
    product_email: mailFrom,
  }
}

/** Parses the stored domain settings. Missing or malformed fields count as not set. */
function toDomain(stored: Record<string, unknown>): DomainSettings {
  const text = (key: string) => (typeof stored[key] === 'string' ? stored[key] : null)
  const type = stored.type === 'subdomain' || stored.type === 'custom' ? stored.type : 'path'
  return { type, path: text('path'), subdomain: text('subdomain'), customDomain: text('custom_domain') }
}
