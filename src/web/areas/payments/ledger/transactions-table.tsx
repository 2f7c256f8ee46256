import type { TransactionRow } from '#contract/payments/transactions.ts'
import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { EmailText } from '#web/kit/email-text.tsx'
import { formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Table } from '#web/ui/table.tsx'

type TransactionsTableProps = {
  transactions: readonly TransactionRow[]
  /** The calendar's time zone, in which dates are shown. */
  timeZone: string
}

/** A table of payments with their customers and appointments. Source: rule F9. */
export function TransactionsTable({ transactions, timeZone }: TransactionsTableProps) {
  return (
    <Table
      caption="Payment transactions"
      isWide
      rows={transactions}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'date',
          header: 'Date',
          cell: ({ created_at }) => (
            <span className="whitespace-nowrap">{formatShortDate(localDateOf(created_at, timeZone))}</span>
          ),
        },
        { id: 'amount', header: 'Amount', align: 'end', cell: (row) => <Amount row={row} /> },
        { id: 'customer', header: 'Customer', cell: ({ appointment }) => <Customer of={appointment} /> },
        { id: 'appointment', header: 'Appointment', cell: ({ appointment }) => <Paid of={appointment} /> },
        { id: 'provider', header: 'Provider', cell: (row) => <Provider row={row} /> },
        { id: 'status', header: 'Status', cell: (row) => <Status row={row} /> },
      ]}
    />
  )
}

function Amount({ row }: { row: TransactionRow }) {
  const { amount, refunded_amount, currency } = row
  const isPartly = refunded_amount > 0 && refunded_amount < amount
  const owed = (row.return_amount ?? 0) - refunded_amount
  return (
    <div>
      {formatMoney(amount, currency)}
      {isPartly && (
        <p className="text-sm text-ink-soft">
          {formatMoney(refunded_amount, currency)} refunded{whyOf(row)}
        </p>
      )}
      {owed > 0 && <p className="text-sm text-ink-soft">{formatMoney(owed, currency)} to be refunded</p>}
    </div>
  )
}

/** Returns the reason for the amount of a refund after a cancellation. Source: rule Q9. */
function whyOf({ return_amount, return_percent }: TransactionRow): string {
  if (return_amount === null) return ''
  return return_percent === null ? ' (chosen by you)' : ` (${return_percent}% under the policy)`
}

function Customer({ of: appointment }: { of: TransactionRow['appointment'] }) {
  if (appointment === null) return 'Unknown'
  const { name, email, phone } = appointment.customer
  return (
    <div className="min-w-0">
      <p className="break-words">{name}</p>
      {/* An address keeps its parts whole: a cell would otherwise shrink to any letter. */}
      <p className="max-w-48 text-sm text-ink-soft [&_bdi]:wrap-break-word">
        {email === null ? <bdi dir="ltr">{phone ?? 'No email'}</bdi> : <EmailText email={email} />}
      </p>
    </div>
  )
}

function Paid({ of: appointment }: { of: TransactionRow['appointment'] }) {
  if (appointment === null) return <span className="text-ink-soft">No longer stored</span>
  const { title, date, starts_at, time_zone, hour_cycle } = appointment
  return (
    <div className="min-w-0">
      <p className="break-words">{title}</p>
      <p className="text-sm text-ink-soft">
        {formatShortDate(date)},{' '}
        <span className="whitespace-nowrap">{formatTime(starts_at, time_zone, hour_cycle)}</span>
      </p>
    </div>
  )
}

function Provider({ row }: { row: TransactionRow }) {
  const { provider, payment_id } = row
  return (
    <div className="flex items-center gap-1">
      {PROVIDER_WORDS[provider]}
      {payment_id !== null && (
        <CopyButton
          text={payment_id}
          label={`Copy payment ID ${payment_id}`}
          done="Payment ID copied to clipboard"
        />
      )}
    </div>
  )
}

function Status({ row }: { row: TransactionRow }) {
  const { label, tone, raw } = wordsOf(row.status)
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <Badge tone={tone}>{label}</Badge>
      {row.sandbox && <Badge tone="warning">Sandbox</Badge>}
      {row.returned_by_hand && (
        <span className="text-sm break-words text-ink-soft">
          Only recorded here. Please refund it yourself at {PROVIDER_WORDS[row.provider]}.
        </span>
      )}
      {raw !== null && <span className="text-sm text-ink-soft">{raw}</span>}
      {row.failure !== null && <span className="text-sm break-words text-ink-soft">{row.failure}</span>}
    </div>
  )
}

const PROVIDER_WORDS: Record<TransactionRow['provider'], string> = {
  ...PROVIDER_NAMES,
  manual: 'Manual',
}

type StatusWords = { readonly label: string; readonly tone: BadgeTone; readonly raw: string | null }

const KNOWN: Readonly<Record<string, readonly [label: string, tone: BadgeTone]>> = {
  completed: ['Completed', 'success'],
  failed: ['Failed', 'danger'],
  refunded: ['Refunded', 'info'],
  manual: ['Manual Payment', 'neutral'],
}

/** Returns the label of a payment status. An unknown status is shown as Pending, with its raw value (rule F9). */
function wordsOf(status: string): StatusWords {
  const known = KNOWN[status]
  if (known === undefined) {
    return { label: 'Pending', tone: 'warning', raw: status === 'pending' ? null : status }
  }
  return { label: known[0], tone: known[1], raw: null }
}
