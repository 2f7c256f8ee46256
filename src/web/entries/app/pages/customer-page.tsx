import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { CustomerAppointments } from '#web/areas/appointments/list/customer-appointments.tsx'
import { CustomerContactDetails, CustomerPayments } from '#web/areas/customers/customer-facts.tsx'
import { customerQuery } from '#web/areas/customers/customer-queries.ts'
import { EditCustomerDialog } from '#web/areas/customers/edit-customer.tsx'
import { CustomerNotesCard } from '#web/areas/customers/notes-card.tsx'
import { CustomerRecordCard } from '#web/areas/customers/record-card.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder } from '#web/kit/loading-shape.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { ArrowLeft } from '#web/ui/icons/arrow-left.ts'
import { Notice } from '#web/ui/notice.tsx'
import { CalendarLoader } from './of-calendar.tsx'

const customerApi = getRouteApi('/calendar/$calendarId/customers/$customerId')

/** Shows all that an owner knows about one customer. Source: rule D9. */
export function CustomerPage() {
  const { calendarId, customerId } = customerApi.useParams()
  const { owner } = customerApi.useRouteContext()
  return (
    <CalendarLoader ownerId={owner.id} calendarId={calendarId}>
      {(calendar) => <OneCustomer key={customerId} calendar={calendar} customerId={customerId} />}
    </CalendarLoader>
  )
}

function OneCustomer({ calendar, customerId }: { calendar: Calendar; customerId: string }) {
  const query = useQuery(customerQuery(calendar.id, customerId))
  const { data: customer } = query
  useDocumentTitle(customer?.name ?? APP_PAGES['/calendar/:id/customers/:customerId'])
  return (
    <>
      <ButtonLink
        variant="ghost"
        size="sm"
        href={workspacePaths.customers(calendar.id)}
        className="-ms-3 self-start"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        All customers of {calendar.name}
      </ButtonLink>
      <LoadStatus query={query} loading="Loading customer..." failed="Failed to load the customer">
        <LinePlaceholder size="3xl" className="w-64" />
        <LinePlaceholder className="w-80" />
        <div className="h-96" />
      </LoadStatus>
      {customer !== undefined && (
        <>
          <div className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <h1 className="text-3xl wrap-anywhere">{customer.name}</h1>
              {customer.erased_at === null && (
                <EditCustomerDialog calendarId={calendar.id} customer={customer} />
              )}
            </div>
            <CustomerContactDetails customer={customer} />
          </div>
          {customer.erased_at !== null && (
            <Notice>
              This customer’s personal details were erased. The records needed for accounting are still here.
            </Notice>
          )}
          <div className="grid grid-cols-1 gap-6 @4xl:grid-cols-[minmax(0,1fr)_22rem] @4xl:items-start">
            <CustomerAppointments calendarId={calendar.id} clientId={customer.client_id} />
            <div className="flex flex-col gap-6 @max-4xl:order-first">
              {customer.erased_at === null && (
                <CustomerNotesCard calendarId={calendar.id} customer={customer} />
              )}
              <CustomerPayments customer={customer} />
              <CustomerRecordCard calendarId={calendar.id} customer={customer} />
            </div>
          </div>
        </>
      )}
    </>
  )
}
