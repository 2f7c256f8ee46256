import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { BookingPageCard } from '#web/areas/calendars/calendars/booking-page-card.tsx'
import { CalendarSettingsPlaceholder } from '#web/areas/calendars/calendars/calendar-placeholders.tsx'
import { calendarQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { labelOfSettingsTab } from '#web/entries/app/settings-tab.ts'
import { usePageFocus } from '#web/entries/app/use-page-focus.ts'
import { CalendarDot } from '#web/kit/calendar-dot.tsx'
import { HourCycleContext } from '#web/kit/hour-cycle.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { useIsWide } from '#web/kit/use-is-wide.ts'
import { paths, type SettingsTab } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ArrowLeft } from '#web/ui/icons/arrow-left.ts'
import { showConnectCalendarResult } from './calendar-outcome.ts'
import { CalendarErrorPage, findCalendarErrorText, MISSING_CALENDAR_ID_ERROR } from './calendar-problem.tsx'
import { EmbedButton } from './embed-button.tsx'
import { PausedCalendarNotice } from './paused-notice.tsx'
import { SettingsList } from './settings-list.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { usePrefetchSettingsTabs } from './use-tabs-beforehand.ts'

const settingsApi = getRouteApi('/calendar/$calendarId/settings')

/**
 * Shows all settings of one calendar. The URL contains the tab. On a narrow window, the list of tabs is a page, and each tab is
 * a page of its own. Source: rule W7.
 */
export function CalendarSettingsPage() {
  const { calendarId } = settingsApi.useParams()
  const { owner } = settingsApi.useRouteContext()
  const { tab } = settingsApi.useSearch()
  const isNamed = calendarId.trim() !== ''
  const query = useQuery({ ...calendarQuery(owner.id, calendarId), enabled: isNamed })
  const { data: calendar, error } = query
  const isTabPage = !useIsWide() && tab !== undefined
  const name = calendar?.name ?? APP_PAGES['/calendar/:id/settings']
  useDocumentTitle(isTabPage ? `${labelOfSettingsTab(tab)} · ${name}` : name)
  const refusal = isNamed ? findCalendarErrorText(error) : MISSING_CALENDAR_ID_ERROR
  return (
    <main className="mx-auto flex w-full max-w-7xl flex-1 flex-col px-4 sm:px-6 py-4 lg:py-6">
      {refusal === null || calendar !== undefined ? (
        <ButtonLink
          variant="ghost"
          size="sm"
          href={isTabPage ? paths.calendarSettings(calendarId) : paths.dashboard()}
          className="-ms-3 self-start"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {isTabPage ? 'All settings' : 'Back to Dashboard'}
        </ButtonLink>
      ) : (
        <CalendarErrorPage refusal={refusal} />
      )}
      {calendar !== undefined && (
        <HourCycleContext value={calendar.hour_cycle}>
          <CalendarSettings key={calendar.id} calendar={calendar} />
        </HourCycleContext>
      )}
      {refusal === null && (
        <LoadStatus query={query} loading="Loading calendar..." failed="Error loading calendar">
          <CalendarSettingsPlaceholder isTabPage={isTabPage} />
        </LoadStatus>
      )}
    </main>
  )
}

function CalendarSettings({ calendar }: { calendar: Calendar }) {
  const { tab: chosen, google_connected, calendar_connected, calendar_failed } = settingsApi.useSearch()
  const showTab = settingsApi.useNavigate()
  useEffect(() => {
    if (!showConnectCalendarResult({ google_connected, calendar_connected, calendar_failed })) return
    void showTab({ search: { tab: chosen }, resetScroll: false, replace: true })
  }, [google_connected, calendar_connected, calendar_failed, showTab, chosen])
  usePrefetchSettingsTabs(calendar)
  const isWide = useIsWide()
  const tab = chosen ?? (isWide ? 'general' : undefined)
  const content = useRef<HTMLDivElement>(null)
  // On a wide window, the focus stays in the list, unless the pressed link was in the tab that has disappeared.
  usePageFocus(content, String(tab), () => !isWide || document.activeElement === document.body)
  // Both widths have the same tree, so that a dialog stays open when a tablet is turned.
  return (
    <div ref={content} tabIndex={-1} className="flex flex-col gap-5 outline-none lg:gap-6">
      <CalendarHeading calendar={calendar} tab={isWide ? undefined : tab} />
      <div className={isWide ? 'grid grid-cols-[12.5rem_minmax(0,1fr)] gap-8 print:block' : 'contents'}>
        {isWide && (
          <SettingsList
            calendarId={calendar.id}
            current={tab}
            className="sticky top-6 -ms-3 max-h-[calc(100dvh-3rem-var(--strip))] self-start overflow-y-auto print:hidden"
          />
        )}
        <div className={classNames('flex flex-col gap-5 lg:gap-6', isWide && '@container')}>
          <PausedCalendarNotice calendarId={calendar.id} />
          {(isWide || tab === undefined) && (
            <BookingPageCard calendar={calendar}>
              <EmbedButton calendar={calendar} />
            </BookingPageCard>
          )}
          {tab === undefined && <SettingsList calendarId={calendar.id} current={undefined} />}
          {tab !== undefined && (
            <section key={tab} aria-label={labelOfSettingsTab(tab)}>
              <SettingsPanel tab={tab} calendar={calendar} />
            </section>
          )}
        </div>
      </div>
    </div>
  )
}

/** The calendar's name; on the page of a tab, the tab's name below it. */
function CalendarHeading({ calendar, tab }: { calendar: Calendar; tab: SettingsTab | undefined }) {
  const isSmall = tab !== undefined
  return (
    <div>
      <h1 className={isSmall ? 'flex items-start gap-2.5 text-2xl' : 'flex items-start gap-3 text-3xl'}>
        <CalendarDot color={calendar.color} className={isSmall ? 'mt-2.5 size-3.5' : 'mt-3 size-4'} />
        <span className="min-w-0 break-words">{calendar.name}</span>
      </h1>
      {tab !== undefined && <p className="text-ink-soft">{labelOfSettingsTab(tab)}</p>}
    </div>
  )
}
