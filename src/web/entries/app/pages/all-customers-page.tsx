import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { CustomerList } from '#web/areas/customers/customer-list.tsx'
import { CalendarName, WorkspacePage } from './workspace-page.tsx'

const customersApi = getRouteApi('/customers')

/** The customers of all calendars of the owner, or of one. Source: rule W23. */
export function AllCustomersPage() {
  const { owner } = customersApi.useRouteContext()
  const { calendar: calendarId, search = '', page = 1 } = customersApi.useSearch()
  const navigate = customersApi.useNavigate()
  const renderList = (calendars: readonly [Calendar, ...Calendar[]], title: ReactNode) => (
    <CustomerList
      calendars={calendars}
      title={title}
      search={search}
      page={page}
      onChoose={(choice, replace) =>
        void navigate({
          search: {
            calendar: calendarId,
            search: choice.search || undefined,
            page: choice.page > 1 ? choice.page : undefined,
          },
          resetScroll: !replace,
          replace,
        })
      }
    />
  )
  return (
    <WorkspacePage
      title={APP_PAGES['/customers']}
      ownerId={owner.id}
      calendarId={calendarId}
      onChoose={(calendar) =>
        void navigate({ search: { calendar, search: search || undefined }, resetScroll: false })
      }
      renderAll={(calendars) => renderList(calendars, 'All calendars')}
    >
      {(calendar) => renderList([calendar], <CalendarName calendar={calendar} />)}
    </WorkspacePage>
  )
}
