import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ListedCustomer } from '#contract/customers/customers.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { CalendarDot } from '#web/kit/calendar-dot.tsx'
import { EmailText } from '#web/kit/email-text.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { countPages } from '#web/kit/page-window.ts'
import { ListPagination } from '#web/kit/pagination.tsx'
import { SearchField } from '#web/kit/search-field.tsx'
import { formatCount } from '#web/shared/format-count.ts'
import { formatShortDate, localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { customerListQuery } from './customer-queries.ts'

type CustomerListProps = {
  /** One calendar, or all calendars of the owner. */
  calendars: readonly [Calendar, ...Calendar[]]
  /** The heading of the card, if it is not 'Customers'. */
  title?: ReactNode
  search: string
  page: number
  onChoose: (choice: { search: string; page: number }, replace: boolean) => void
}

/** Lists the customers of one calendar or of all, sorted by name, with search and pages. Source: rule D10. */
export function CustomerList({ calendars, title = 'Customers', search, page, onChoose }: CustomerListProps) {
  const [first] = calendars
  const isOne = calendars.length === 1
  const query = useQuery(customerListQuery(isOne ? first.id : null, search, page))
  const { data, isPlaceholderData } = query
  return (
    <Card
      title={title}
      description={
        isOne
          ? 'Everyone with appointments on this calendar.'
          : 'Everyone with appointments on your calendars.'
      }
    >
      <div className="mb-4 flex">
        <SearchField
          value={search}
          hint="by name, email, phone or client number"
          onSearch={(next) => next !== search && onChoose({ search: next, page: 1 }, true)}
        />
      </div>
      <LoadStatus query={query} loading="Loading customers..." failed="Failed to load customers">
        <RepeatedPlaceholder count={5}>
          <div className="border-b border-line py-3">
            <LinePlaceholder className="w-40" />
            <LinePlaceholder size="sm" className="w-64" />
          </div>
        </RepeatedPlaceholder>
      </LoadStatus>
      {data?.total === 0 && search === '' && (
        <EmptyState title="No customers yet" hint="Customers appear here once they book." />
      )}
      {data?.total === 0 && search !== '' && (
        <EmptyState
          title="No customers found"
          hint={`No customers match “${search}”.`}
          action={<Button onClick={() => onChoose({ search: '', page: 1 }, true)}>Clear search</Button>}
        />
      )}
      {data !== undefined && data.customers.length > 0 && (
        <ul
          aria-label="Customers"
          aria-busy={isPlaceholderData}
          className="divide-y divide-line border-t border-line aria-busy:opacity-60"
        >
          {data.customers.map((customer) => (
            <CustomerRow
              key={customer.id}
              calendar={calendars.find(({ id }) => id === customer.calendar_id)}
              isNamed={!isOne}
              customer={customer}
            />
          ))}
        </ul>
      )}
      <ListPagination
        page={page}
        totalPages={countPages(data?.total ?? 0, LIMITS.pageSize)}
        onChange={(next) => onChoose({ search, page: next }, false)}
      />
    </Card>
  )
}

type CustomerRowProps = {
  /** Undefined if the calendar was created elsewhere since the list of calendars was loaded. */
  calendar: Calendar | undefined
  /** True to show the name of the calendar. */
  isNamed: boolean
  customer: ListedCustomer & { readonly calendar_id: string }
}

function CustomerRow({ calendar, isNamed, customer }: CustomerRowProps) {
  const { id, calendar_id, name, email, phone, appointments, latest_at } = customer
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <a
          href={paths.customer(calendar_id, id)}
          className="rounded-sm font-semibold wrap-anywhere hover:underline"
        >
          {name}
        </a>
        <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
          {email === null ? 'No email' : <EmailText email={email} />}
          {phone !== null && <bdi dir="ltr">{phone}</bdi>}
          {isNamed && calendar !== undefined && (
            <span className="wrap-anywhere">
              <CalendarDot color={calendar.color} />
              {calendar.name}
            </span>
          )}
        </p>
      </div>
      <p className="text-sm text-ink-soft tabular-nums">
        {appointments === 1 ? '1 appointment' : `${formatCount(appointments)} appointments`}
        {latest_at !== null &&
          calendar !== undefined &&
          ` · latest ${formatShortDate(localDateOf(latest_at, calendar.timezone))}`}
      </p>
    </li>
  )
}
