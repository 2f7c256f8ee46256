import type { Customer } from '#contract/customers/customers.ts'
import { EmailText } from '#web/kit/email-text.tsx'
import { formatMoney } from '#web/shared/format-money.ts'
import { TextWithPhoneLinks } from '#web/shared/phone-text.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'

/** Shows the email address, phone and client number of a customer. */
export function CustomerContactDetails({ customer }: { customer: Customer }) {
  const { email, phone, phone_numbers, client_id } = customer
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-soft">
      {email === null ? (
        'No email'
      ) : (
        <a href={`mailto:${email}`} className="min-w-0 text-link underline underline-offset-4">
          <EmailText email={email} />
        </a>
      )}
      {phone !== null && (
        <TextWithPhoneLinks
          phone={phone}
          numbers={phone_numbers}
          linkClass="inline-block min-h-6 text-link underline underline-offset-4"
        />
      )}
      <Badge>Client #{client_id}</Badge>
    </p>
  )
}

/** Shows a customer's total payments by currency. Source: rule D9. */
export function CustomerPayments({ customer }: { customer: Customer }) {
  return (
    <Card title="Payments">
      {customer.money.length === 0 && <p className="text-ink-soft">No payments yet.</p>}
      <ul className="flex flex-col gap-2">
        {customer.money.map(({ currency, sandbox, paid, refunded }) => (
          <li key={`${currency}-${sandbox}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-semibold tabular-nums">{formatMoney(paid, currency)}</span>
            <span className="text-ink-soft">
              paid{refunded > 0 && `, of which ${formatMoney(refunded, currency)} refunded`}
            </span>
            {sandbox && <Badge tone="warning">Sandbox</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
