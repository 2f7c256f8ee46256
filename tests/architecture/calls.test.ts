import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/appendix/calls.md'), 'utf8')
const document: { paths: Record<string, Record<string, { operationId?: string }>> } = JSON.parse(
  readFileSync(join(ROOT, 'openapi.json'), 'utf8'),
)
const operations = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
)

/** The names of the API calls in Meridian's first description. */
const CALLS = [
  'get_public_calendar_by_slug',
  'get_public_payment_providers',
  'get_public_appointment_types',
  'get_public_available_time_slots_with_google',
  'google-calendar/fetch-events',
  'check_location_conflict',
  'create_booking_customer',
  'send-booking-confirmation',
  'send-owner-booking-confirmation',
  'sync-appointment-to-google',
  'create-checkout',
  'create-paypal-checkout',
  'get_calendar_slug_by_subdomain',
  'get_calendar_slug_by_domain',
  'get_public_appointment_details',
  'get_appointment_with_calendar_info',
  'check_appointment_conflicts_with_google',
  'send-cancellation-email',
  'send-owner-cancellation-email',
  'process-refund',
  'google-calendar/authorize',
  'google-calendar/sync',
  'stripe-connect',
  'paypal-connect',
  'manage-domain',
  'check-subscription',
  'get-subscription-features',
  'customer-portal',
  'create-subscription-checkout',
  'send-owner-cancellation-request',
]

test('docs/appendix/calls.md names every operation, and none that does not exist', () => {
  const named = new Set(page.match(/(?<=`)[a-z]+[A-Z][A-Za-z]*(?=`)/g))
  expect(operations.filter((name) => !named.has(name))).toEqual([])
  expect([...named].filter((name) => !operations.includes(name))).toEqual([])
})

test('docs/appendix/calls.md says of every first call which operation does its work', () => {
  expect(CALLS.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
