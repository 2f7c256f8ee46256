import { getRouteApi } from '@tanstack/react-router'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { CustomerList } from '#web/areas/customers/customer-list.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { ArrowLeft } from '#web/ui/icons/arrow-left.ts'
import { CalendarLoader } from './of-calendar.tsx'

const customersApi = getRouteApi('/calendar/$calendarId/customers')

/** Lists the customers of a calendar. The URL contains the search and the page. Source: rule D10. */
export function CustomersPage() {
  const { calendarId } = customersApi.useParams()
  const { owner } = customersApi.useRouteContext()
  const { search = '', page = 1 } = customersApi.useSearch()
  const navigate = customersApi.useNavigate()
  useDocumentTitle(APP_PAGES['/calendar/:id/customers'])
  return (
    <CalendarLoader ownerId={owner.id} calendarId={calendarId}>
      {(calendar) => (
        <>
          <ButtonLink
            variant="ghost"
            size="sm"
            href={paths.calendarSettings(calendar.id, 'appointments')}
            className="-ms-3 self-start"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            Back to appointments
          </ButtonLink>
          <h1 className="text-3xl wrap-anywhere">{calendar.name}</h1>
          <CustomerList
            calendars={[calendar]}
            search={search}
            page={page}
            onChoose={(choice, replace) =>
              void navigate({
                search: {
                  search: choice.search || undefined,
                  page: choice.page > 1 ? choice.page : undefined,
                },
                resetScroll: !replace,
                replace,
              })
            }
          />
        </>
      )}
    </CalendarLoader>
  )
}
