import { useQuery } from '@tanstack/react-query'
import type { ListInvoicesResponse } from '#contract/plans/subscription.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { browserTimeZone, formatShortDate, localDateOf } from '#web/shared/format-date.ts'
import { formatPrice } from '#web/shared/format-price.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Table } from '#web/ui/table.tsx'
import { invoicesQuery } from './subscription-query.ts'

type Invoice = ListInvoicesResponse['invoices'][number]

/** Lists the owner's invoices for the plan, newest first. */
export function InvoicesCard() {
  const query = useQuery(invoicesQuery)
  const { data } = query
  return (
    <Card title="Invoices">
      {data !== undefined &&
        (data.invoices.length === 0 ? (
          <p className="text-ink-soft">There are no invoices yet.</p>
        ) : (
          <InvoiceTable invoices={data.invoices} />
        ))}
      <LoadStatus query={query} loading="Loading your invoices..." failed="Failed to load your invoices">
        <RepeatedPlaceholder count={3}>
          <div className="px-3 py-3">
            <LinePlaceholder className="w-full" />
          </div>
        </RepeatedPlaceholder>
      </LoadStatus>
    </Card>
  )
}

function InvoiceTable({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Table
      caption="Invoices"
      rows={invoices}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'date',
          header: 'Date',
          cell: ({ issued_at }) => (
            <span className="whitespace-nowrap">
              {formatShortDate(localDateOf(issued_at, browserTimeZone()))}
            </span>
          ),
        },
        { id: 'number', header: 'Number', cell: (invoice) => <InvoiceNumber invoice={invoice} /> },
        { id: 'amount', header: 'Amount', align: 'end', cell: (invoice) => formatPrice(invoice) },
        { id: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
      ]}
    />
  )
}

/** Shows an invoice's number, as a link to the invoice if the provider has a page for it. */
function InvoiceNumber({ invoice: { number, url } }: { invoice: Invoice }) {
  const text = number ?? 'Not numbered yet'
  if (url === null) return <span className="wrap-anywhere">{text}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-6 items-center gap-1.5 text-link underline underline-offset-4 wrap-anywhere"
    >
      {text}
      <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}

function Status({ status }: { status: Invoice['status'] }) {
  const { word, tone } = STATUS[status]
  return <Badge tone={tone}>{word}</Badge>
}

const STATUS: Record<Invoice['status'], { word: string; tone: BadgeTone }> = {
  draft: { word: 'Draft', tone: 'neutral' },
  open: { word: 'Due', tone: 'warning' },
  paid: { word: 'Paid', tone: 'success' },
  void: { word: 'Void', tone: 'neutral' },
  uncollectible: { word: 'Unpaid', tone: 'danger' },
}
