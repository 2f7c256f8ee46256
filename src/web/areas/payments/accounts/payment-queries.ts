import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import type {
  CompleteConnectionBody,
  PaymentSettings,
  PaymentSettingsChanges,
} from '#contract/payments/payment-settings.ts'
import { updateCachedCalendar } from '#web/kit/calendar-cache.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { SEND_ONCE_QUERY_OPTIONS } from '#web/kit/send-once.ts'
import { callApi } from '#web/shared/call-api.ts'

export type PaymentProviderName = CompleteConnectionBody['provider']

/**
 * The payment settings of a calendar. Refetched when the window regains focus, because the owner connects accounts in
 * another tab.
 */
export function paymentSettingsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'payment-settings', calendarId],
    queryFn: ({ signal }) => callApi(at.getPaymentSettings, { params: { id: calendarId }, signal }),
    refetchOnWindowFocus: 'always',
    retry: retryOnce,
  })
}

/** Stores saved settings in the cache, both in the payment settings and in the calendar's record. */
export function cachePaymentSettings(
  client: QueryClient,
  calendar: Calendar,
  settings: PaymentSettings,
): void {
  client.setQueryData(paymentSettingsQuery(calendar.id).queryKey, settings)
  const { payment_enabled, payment_required } = settings
  updateCachedCalendar(client, { ...calendar, payment_enabled, payment_required })
}

/** Sends the changed payment settings to the server. @throws ApiProblem */
export function savePaymentSettings(
  calendarId: string,
  changes: PaymentSettingsChanges,
): Promise<PaymentSettings> {
  return callApi(at.savePaymentSettings, { params: { id: calendarId }, body: changes })
}

/** Connects the account after the provider has redirected the owner back. The request is sent only once. */
export function completeConnectionQuery(callback: CompleteConnectionBody) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'payment-connection', callback.provider, callback.state],
    queryFn: () => callApi(at.completeConnection, { body: callback }),
    ...SEND_ONCE_QUERY_OPTIONS,
  })
}
