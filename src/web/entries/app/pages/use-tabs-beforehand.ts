import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { calendarAddressesQuery } from '#web/areas/addresses/domain-queries.ts'
import {
  appointmentsQuery,
  undeliveredMessagesQuery,
} from '#web/areas/appointments/list/appointment-queries.ts'
import { DEFAULT_APPOINTMENTS_VIEW } from '#web/areas/appointments/list/appointments-view.ts'
import { locationOptionsQuery } from '#web/areas/availability/appointment-types/appointment-type-queries.ts'
import {
  calendarLocationsQuery,
  ownLocationsQuery,
} from '#web/areas/availability/locations/location-queries.ts'
import {
  firstAvailabilityPreviewQuery,
  holidaysQuery,
  specialDaysQuery,
} from '#web/areas/availability/opening-hours/availability-queries.ts'
import { brandingQuery } from '#web/areas/calendars/branding/branding-queries.ts'
import {
  calendarFeedQuery,
  externalCalendarsQuery,
  externalChangesQuery,
} from '#web/areas/external-calendars/integration-queries.ts'
import { paymentSettingsQuery } from '#web/areas/payments/accounts/payment-queries.ts'
import { paymentsOverviewQuery, transactionsQuery } from '#web/areas/payments/ledger/transaction-queries.ts'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { futureAppointmentsQuery } from '#web/kit/calendar-cache.ts'
import { runWhenIdle } from '#web/kit/when-idle.ts'

/**
 * Prefetches the data of a calendar's settings tabs while the browser is idle, so that a tab shows its data at once and then
 * refreshes it. Does nothing if the user saves data.
 */
export function usePrefetchSettingsTabs(calendar: Calendar): void {
  const client = useQueryClient()
  const { id, timezone } = calendar
  useEffect(() => {
    if (isDataSaverOn()) return undefined
    const quiet = new AbortController()
    const stop = runWhenIdle(() => void prefetchTabs(client, { id, timezone }, quiet.signal))
    return () => {
      stop()
      quiet.abort()
    }
  }, [client, id, timezone])
}

/**
 * Loads missing data, one request after the other, so that other requests come first. Stops at the first failure, because the tab
 * itself repeats the request and reports the error.
 */
async function prefetchTabs(
  client: QueryClient,
  calendar: Pick<Calendar, 'id' | 'timezone'>,
  signal: AbortSignal,
): Promise<void> {
  const { id } = calendar
  const asks = [
    () => client.ensureQueryData(availabilityQuery(id)),
    () => client.ensureQueryData(specialDaysQuery(id)),
    () => client.ensureQueryData(holidaysQuery(id)),
    async () => {
      const week = await client.ensureQueryData(availabilityQuery(id))
      await client.ensureQueryData(firstAvailabilityPreviewQuery(calendar, week))
    },
    () => client.ensureQueryData(appointmentsQuery(id, DEFAULT_APPOINTMENTS_VIEW)),
    () => client.ensureQueryData(undeliveredMessagesQuery(id)),
    () => client.ensureQueryData(appointmentTypesQuery(id)),
    () => client.ensureQueryData(locationOptionsQuery(id)),
    () => client.ensureQueryData(subscriptionQuery),
    () => client.ensureQueryData(paymentSettingsQuery(id)),
    () => client.ensureQueryData(futureAppointmentsQuery(id)),
    () => client.ensureQueryData(calendarLocationsQuery(id)),
    () => client.ensureQueryData(ownLocationsQuery()),
    () => client.ensureQueryData(paymentsOverviewQuery(id)),
    () => client.ensureQueryData(transactionsQuery(id, 1)),
    () => client.ensureQueryData(externalCalendarsQuery(id)),
    () => client.ensureQueryData(externalChangesQuery(id)),
    () => client.ensureQueryData(calendarFeedQuery(id)),
    () => client.ensureQueryData(calendarAddressesQuery(id)),
    () => client.ensureQueryData(brandingQuery(id)),
  ]
  try {
    for (const ask of asks) {
      // The running mutation may be deleting the calendar.
      if (signal.aborted || client.isMutating() > 0) return
      await ask()
    }
  } catch {
    // The tab itself will report the error.
  }
}

/** Reads the Network Information API, which only some browsers have. */
function isDataSaverOn(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true
}
